//! Lengths of files and lines, and how they end.

use super::Fault;
use super::files::File;

/// Longest file, in lines. Aim for 400.
const FILE_LINES: usize = 600;

/// Longest line, in characters.
const LINE_CHARACTERS: usize = 100;

/// Kinds whose lines are code. Charts and prose may have longer ones.
const CODE: [&str; 8] = ["css", "html", "js", "mjs", "proto", "rs", "sh", "sql"];

pub fn check(file: &File, faults: &mut Vec<Fault>) {
    let code = CODE.contains(&file.extension());
    let lines = file.text.lines().count();
    if code && lines > FILE_LINES {
        let what = format!("{lines} lines; at most {FILE_LINES}, better 400: split it");
        faults.push(Fault::new(&file.path, 0, what));
    }
    // Unlike `lines`, this keeps carriage returns.
    for (index, line) in file.text.split('\n').enumerate() {
        check_line(file, index + 1, line, code, faults);
    }
    if !file.text.is_empty() && !file.text.ends_with('\n') {
        faults.push(Fault::new(&file.path, lines, "the last line does not end"));
    }
}

fn check_line(file: &File, number: usize, line: &str, code: bool, faults: &mut Vec<Fault>) {
    let characters = line.chars().count();
    // A URL cannot be broken.
    if code && characters > LINE_CHARACTERS && !line.contains("://") {
        let what = format!("{characters} characters; at most {LINE_CHARACTERS}");
        faults.push(Fault::new(&file.path, number, what));
    }
    if line.ends_with([' ', '\t']) {
        faults.push(Fault::new(&file.path, number, "blanks at the end of the line"));
    }
    if line.contains('\r') {
        faults.push(Fault::new(&file.path, number, "a carriage return"));
    }
}

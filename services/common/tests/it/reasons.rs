//! Every reason that the crate gives is listed.

use std::fs;
use std::path::Path;

use parlor_common::{Code, Failure, REASONS};

/// The string literals of a source file that look like reasons.
fn literals(text: &str) -> impl Iterator<Item = &str> {
    // Settings are named in the same way, and tests are not the crate.
    let code = text.split("#[cfg(test)]").next().unwrap();
    code.split('"').skip(1).step_by(2).filter(|literal| {
        literal.len() > 4
            && !literal.starts_with("PARLOR_")
            && !literal.starts_with("CARGO_")
            && literal.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
    })
}

fn collect(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.file_name().unwrap() != "reasons.rs" {
            let text = fs::read_to_string(&path).unwrap();
            found.extend(literals(&text).map(str::to_owned));
        }
    }
}

#[test]
fn the_list_holds_exactly_the_reasons_of_the_sources() {
    let mut found = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    found.sort();
    found.dedup();
    assert_eq!(found, REASONS);
}

#[test]
fn a_failure_of_the_transport_has_a_listed_reason() {
    for code in Code::ALL {
        let failure = Failure::from(tonic::Status::new(code.grpc(), "a proxy answered"));
        assert!(REASONS.contains(&failure.reason.as_str()), "{}", failure.reason);
    }
}

//! A `parlor run` that is under way.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

/// The binary with settings of this test only.
pub fn parlor() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_parlor"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("PARLOR_")) {
        command.env_remove(name);
    }
    command
}

/// Ends with the test, however that ends.
pub struct Running {
    child: Child,
    stdout: BufReader<ChildStdout>,
    /// What it has said so far.
    stderr: Arc<Mutex<String>>,
    reading: Option<JoinHandle<()>>,
}

/// What an ended process left behind.
pub struct Ended {
    pub status: ExitStatus,
    pub stdout: String,
    pub stderr: String,
}

impl Running {
    pub fn start(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let stderr = Arc::<Mutex<String>>::default();
        let said = Arc::clone(&stderr);
        let reading = std::thread::spawn(move || {
            for line in lines {
                *said.lock().unwrap() += &(line.unwrap() + "\n");
            }
        });
        Self { child, stdout, stderr, reading: Some(reading) }
    }

    /// `parlor run` with its data in this folder, on a free port.
    pub fn all(folder: &Path) -> Self {
        Self::all_with(folder, &[])
    }

    /// The same with further settings.
    pub fn all_with(folder: &Path, settings: &[&str]) -> Self {
        let command = &mut parlor();
        command.args(["run", "--gateway-listen", "127.0.0.1:0", "--data-dir"]).arg(folder);
        Self::start(command.args(settings))
    }

    /// The next line on stdout, without its end.
    pub fn line(&mut self) -> String {
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    /// Whether this stood on stderr.
    pub fn has_said(&self, text: &str) -> bool {
        self.stderr.lock().unwrap().contains(text)
    }

    /// Sends a signal, such as `TERM`.
    pub fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-s", name, &id]).status().unwrap().success());
    }

    /// Waits for the end.
    pub fn ended(mut self) -> Ended {
        let mut stdout = String::new();
        self.stdout.read_to_string(&mut stdout).unwrap();
        let status = self.child.wait().unwrap();
        self.reading.take().unwrap().join().unwrap();
        let stderr = std::mem::take(&mut *self.stderr.lock().unwrap());
        Ended { status, stdout, stderr }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

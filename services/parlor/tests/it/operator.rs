//! What operators and auditors do with the binary while another one runs.

use std::path::{Path, PathBuf};
use std::process::Output;

use parlor_common::client::{ClientOptions, PeerChannel, connect};
use serde_json::Value;

use crate::process::parlor;

/// The tools on the data folder of a `parlor run`.
pub struct Operator {
    folder: PathBuf,
}

impl Operator {
    pub fn of(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// Runs a command on the folder.
    pub fn output(&self, arguments: &[&str]) -> Output {
        parlor().args(arguments).arg("--data-dir").arg(&self.folder).output().unwrap()
    }

    /// Runs a command that must succeed, and gives its lines as JSON.
    pub fn lines(&self, arguments: &[&str]) -> Vec<Value> {
        let output = self.output(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
        text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The same of one line.
    pub fn line(&self, arguments: &[&str]) -> Value {
        let lines = self.lines(arguments);
        assert_eq!(lines.len(), 1, "{lines:?}");
        lines.into_iter().next().unwrap()
    }

    /// A channel to a service, as the services have it among themselves.
    pub fn channel(&self, url: &str) -> PeerChannel {
        let token = std::fs::read_to_string(self.folder.join("service-token")).unwrap();
        let options = ClientOptions::default().with_token(&token.trim().into()).unwrap();
        connect(url, &options).unwrap()
    }

    /// What `run all` says about itself.
    pub fn notice(&self) -> Value {
        let bytes = std::fs::read(self.folder.join("running.json")).unwrap();
        serde_json::from_slice(&bytes).unwrap()
    }
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

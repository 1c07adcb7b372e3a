//! The notice that `run all` leaves in its data folder, so that tools find it.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::{Deserialize, Serialize};

const FILE: &str = "running.json";

/// Where the services of a `run all` are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    /// The web client.
    pub page: String,
    /// Metrics and readiness.
    pub admin_url: String,
    /// The settlement service.
    pub settlement_url: String,
    /// The matchmaking service.
    pub matchmaking_url: String,
    /// The table pods.
    pub table_urls: Vec<String>,
    /// The gateway's administrators.
    #[serde(default)]
    pub gateway_admin_url: String,
    /// Of the operating system.
    pub process_id: u32,
}

impl Notice {
    /// Puts the notice up until the guard is dropped.
    pub fn put_up(&self, folder: &Path) -> anyhow::Result<PutUp> {
        let path = folder.join(FILE);
        let draft = folder.join(format!("{FILE}.new"));
        fs::write(&draft, serde_json::to_vec_pretty(self)?)
            .and_then(|()| fs::rename(&draft, &path))
            .with_context(|| format!("writing {}", path.display()))?;
        Ok(PutUp { path })
    }

    /// The notice in this folder; `None` when nothing runs on it.
    pub fn read(folder: &Path) -> anyhow::Result<Option<Self>> {
        let path = folder.join(FILE);
        match fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes)
                .map(Some)
                .with_context(|| format!("{} is damaged", path.display())),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).with_context(|| format!("reading {}", path.display())),
        }
    }
}

/// Takes the notice down when it is dropped.
#[derive(Debug)]
pub struct PutUp {
    path: PathBuf,
}

impl Drop for PutUp {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_file(&self.path) {
            tracing::warn!(%error, "the notice {} could not be removed", self.path.display());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_notice_is_there_as_long_as_it_is_put_up() {
        let folder = tempfile::tempdir().unwrap();
        let notice = Notice {
            page: "http://127.0.0.1:8080/".to_owned(),
            admin_url: "http://127.0.0.1:1".to_owned(),
            settlement_url: "http://127.0.0.1:2".to_owned(),
            matchmaking_url: "http://127.0.0.1:3".to_owned(),
            table_urls: vec!["http://127.0.0.1:4".to_owned()],
            gateway_admin_url: "http://127.0.0.1:5".to_owned(),
            process_id: 7,
        };
        let up = notice.put_up(folder.path()).unwrap();
        assert_eq!(Notice::read(folder.path()).unwrap(), Some(notice));
        drop(up);
        assert_eq!(Notice::read(folder.path()).unwrap(), None);
    }
}

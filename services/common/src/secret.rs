//! Secrets as settings: given literally or, better, as `file:PATH`.

use secrecy::{ExposeSecret, SecretString};
use subtle::ConstantTimeEq;

use crate::Error;

/// Longest token in bytes, so that it fits in any header.
pub(crate) const MAX_TOKEN: usize = 1024;

const FILE: &str = "file:";

/// Reads a secret setting, for `#[arg(value_parser = parlor_common::secret::parse)]`.
///
/// `file:PATH` stands for the contents of the file without the line end; anything else for itself.
/// Give such arguments `hide_env_values = true`, or `--help` prints them.
///
/// # Errors
/// [`Error::SecretFile`].
pub fn parse(setting: &str) -> Result<SecretString, Error> {
    let Some(path) = setting.strip_prefix(FILE) else { return Ok(setting.into()) };
    match std::fs::read_to_string(path) {
        Ok(contents) => Ok(contents.trim_end_matches(['\r', '\n']).into()),
        Err(source) => Err(Error::SecretFile { path: path.to_owned(), source }),
    }
}

/// Whether `given` is the secret; takes as long for a near miss as for a wild guess.
#[must_use]
pub fn matches(secret: &SecretString, given: &[u8]) -> bool {
    secret.expose_secret().as_bytes().ct_eq(given).into()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_secret_comes_from_a_file_without_its_line_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("token");
        std::fs::write(&path, "s3cret\n").unwrap();
        let secret = parse(&format!("file:{}", path.display())).unwrap();
        assert_eq!(secret.expose_secret(), "s3cret");
        assert!(parse(&format!("file:{}/absent", path.display())).is_err());
    }

    #[test]
    fn only_the_whole_secret_matches() {
        let secret = parse("s3cret").unwrap();
        assert!(matches(&secret, b"s3cret"));
        for wrong in [&b""[..], b"s3cre", b"s3crets", b"S3cret"] {
            assert!(!matches(&secret, wrong), "{wrong:?}");
        }
    }
}

//! Secrets that `run all` makes for itself, so that sessions survive a restart.

use std::fs::{self, OpenOptions, Permissions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;

use anyhow::{Context, ensure};
use rand::TryRng;
use rand::rngs::SysRng;
use secrecy::SecretString;

/// Name of the token that services show each other.
pub const SERVICE_TOKEN: &str = "service-token";

/// Name of the secret that signs players' tokens.
pub const GATEWAY_TOKEN_SECRET: &str = "gateway-token-secret";

/// Name of the token that administrators of the gateway show.
pub const GATEWAY_ADMIN_TOKEN: &str = "gateway-admin-token";

/// Name of the secret that daily challenges are derived from.
pub const TABLE_DAILY_SECRET: &str = "table-daily-secret";

/// Length of a secret, before it is written in hexadecimal.
const SECRET_BYTES: usize = 32;

/// Only the owner may read and write.
const OWNER_ONLY: u32 = 0o600;

/// The secret that is kept under this name in the folder; the first time, a new one.
///
/// Whoever else is at it must be kept out: see the folder's lock.
pub fn keep(folder: &Path, name: &str) -> anyhow::Result<SecretString> {
    if let Some(secret) = kept(folder, name)? {
        return Ok(secret);
    }
    let secret = make()?;
    write(folder, name, &secret)
        .with_context(|| format!("writing {}", folder.join(name).display()))?;
    Ok(secret.into())
}

/// The secret that is kept under this name in the folder, if there is one.
pub fn kept(folder: &Path, name: &str) -> anyhow::Result<Option<SecretString>> {
    let path = folder.join(name);
    let secret = match fs::read_to_string(&path) {
        Ok(secret) => secret,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(|| format!("reading {}", path.display())),
    };
    let secret = secret.trim_end();
    let whole = secret.len() == 2 * SECRET_BYTES && secret.bytes().all(|it| it.is_ascii_hexdigit());
    ensure!(whole, "{} is damaged: remove it to have a new secret made", path.display());
    Ok(Some(secret.into()))
}

/// A new secret in hexadecimal.
pub fn make() -> anyhow::Result<String> {
    let mut bytes = [0; SECRET_BYTES];
    SysRng.try_fill_bytes(&mut bytes).context("the system gives no randomness")?;
    Ok(hex::encode(bytes))
}

/// Written under another name first, so that a crash leaves the whole secret or none.
fn write(folder: &Path, name: &str, secret: &str) -> std::io::Result<()> {
    let draft = folder.join(format!("{name}.new"));
    let mut options = OpenOptions::new();
    let mut file = options.write(true).create(true).truncate(true).mode(OWNER_ONLY).open(&draft)?;
    file.set_permissions(Permissions::from_mode(OWNER_ONLY))?;
    writeln!(file, "{secret}")?;
    file.sync_all()?;
    fs::rename(&draft, folder.join(name))
}

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret;

    use super::*;

    #[test]
    fn a_secret_is_made_once_and_kept_from_others() {
        let folder = tempfile::tempdir().unwrap();
        let first = keep(folder.path(), "token").unwrap();
        let again = keep(folder.path(), "token").unwrap();
        let other = keep(folder.path(), "other").unwrap();
        assert_eq!(first.expose_secret(), again.expose_secret());
        assert_ne!(first.expose_secret(), other.expose_secret());
        let mode = fs::metadata(folder.path().join("token")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, OWNER_ONLY);
    }

    #[test]
    fn a_damaged_secret_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        for damaged in ["", "short", &"g".repeat(64)] {
            fs::write(folder.path().join("token"), damaged).unwrap();
            assert!(keep(folder.path(), "token").is_err(), "{damaged:?}");
        }
    }
}

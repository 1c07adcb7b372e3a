//! Mutual TLS between services: one certificate for both ends, read again when it is renewed.
//!
//! Whoever holds a certificate of the system's own authority may call and be called; a name in it
//! must be the host that the caller has asked for. The service token is asked for as well.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio_rustls::rustls::crypto::{CryptoProvider, ring};
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::{ClientConfig, RootCertStore, ServerConfig};
use tokio_rustls::{TlsAcceptor, TlsConnector};

use crate::{Error, Shutdown};

/// How often the files are looked at.
const LOOK_EVERY: Duration = Duration::from_secs(30);
/// All that services speak with each other.
const PROTOCOL: &[u8] = b"h2";

/// Where a service's identity is kept: all three files, or none.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "TLS between services")]
#[group(skip)]
pub struct TlsConfig {
    /// Certificate chain in PEM that this service shows; with it services speak TLS
    #[arg(long, global = true, env = "PARLOR_TLS_CERTIFICATE")]
    pub tls_certificate: Option<PathBuf>,
    /// The certificate's private key in PEM
    #[arg(long, global = true, env = "PARLOR_TLS_KEY")]
    pub tls_key: Option<PathBuf>,
    /// Certificates in PEM of the authority that vouches for all services
    #[arg(long, global = true, env = "PARLOR_TLS_CA")]
    pub tls_ca: Option<PathBuf>,
}

/// A service's identity; read again by [`Identity::keep_renewed`].
#[derive(Debug)]
pub struct Identity {
    certificate: PathBuf,
    key: PathBuf,
    authority: PathBuf,
    current: Mutex<Current>,
}

#[derive(Clone, Debug)]
struct Current {
    files: Arc<Files>,
    server: Arc<ServerConfig>,
    client: Arc<ClientConfig>,
}

/// What the three files hold.
#[derive(Debug, PartialEq, Eq)]
struct Files {
    chain: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
    authority: Vec<CertificateDer<'static>>,
}

impl Identity {
    /// The identity that the settings name; `None` without any.
    ///
    /// # Errors
    /// [`Error::Tls`] when one of the files is not named, or they do not fit together.
    pub fn open(config: &TlsConfig) -> Result<Option<Arc<Self>>, Error> {
        let TlsConfig { tls_certificate, tls_key, tls_ca } = config;
        let (certificate, key, authority) = match (tls_certificate, tls_key, tls_ca) {
            (None, None, None) => return Ok(None),
            (Some(certificate), Some(key), Some(authority)) => (certificate, key, authority),
            _ => {
                let together = "--tls-certificate, --tls-key and --tls-ca go together";
                return Err(Error::Tls(together.to_owned()));
            }
        };
        let current = Current::of(read(certificate, key, authority)?)?;
        Ok(Some(Arc::new(Self {
            certificate: certificate.clone(),
            key: key.clone(),
            authority: authority.clone(),
            current: Mutex::new(current),
        })))
    }

    /// Looks at the files again and again, until the shutdown begins. Files that do not fit
    /// together, as between the writes of a renewal, leave the last ones in place.
    pub fn keep_renewed(self: &Arc<Self>, shutdown: &Shutdown) {
        let (identity, end) = (Arc::clone(self), shutdown.begun());
        shutdown.spawn("tls-renewal", async move {
            let mut rounds = tokio::time::interval(LOOK_EVERY);
            let renewal = async {
                loop {
                    rounds.tick().await;
                    let identity = Arc::clone(&identity);
                    match tokio::task::spawn_blocking(move || identity.renew()).await {
                        Ok(Ok(())) => {}
                        Ok(Err(error)) => tracing::error!(%error, "the certificate is not renewed"),
                        Err(error) => tracing::error!(%error, "the certificate is not renewed"),
                    }
                }
            };
            tokio::select! {
                () = renewal => {}
                () = end => {}
            }
        });
    }

    /// Takes what the files hold now; connections that are open keep what they have.
    ///
    /// # Errors
    /// [`Error::Tls`] when they do not fit together.
    pub fn renew(&self) -> Result<(), Error> {
        let files = read(&self.certificate, &self.key, &self.authority)?;
        if files != *self.current().files {
            let current = Current::of(files)?;
            *self.current.lock().unwrap_or_else(PoisonError::into_inner) = current;
            tracing::info!("a new certificate of the service is in use");
        }
        Ok(())
    }

    pub(crate) fn acceptor(&self) -> TlsAcceptor {
        TlsAcceptor::from(self.current().server)
    }

    pub(crate) fn connector(&self) -> TlsConnector {
        TlsConnector::from(self.current().client)
    }

    fn current(&self) -> Current {
        self.current.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Current {
    fn of(files: Files) -> Result<Self, Error> {
        let provider = Arc::new(ring::default_provider());
        Ok(Self {
            server: Arc::new(server(&files, Arc::clone(&provider))?),
            client: Arc::new(client(&files, provider)?),
            files: Arc::new(files),
        })
    }
}

fn server(files: &Files, provider: Arc<CryptoProvider>) -> Result<ServerConfig, Error> {
    let roots = Arc::new(files.roots()?);
    let verifier = WebPkiClientVerifier::builder_with_provider(roots, Arc::clone(&provider))
        .build()
        .map_err(fault)?;
    let mut server = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(fault)?
        .with_client_cert_verifier(verifier)
        .with_single_cert(files.chain.clone(), files.key.clone_key())
        .map_err(fault)?;
    server.alpn_protocols = vec![PROTOCOL.to_vec()];
    Ok(server)
}

fn client(files: &Files, provider: Arc<CryptoProvider>) -> Result<ClientConfig, Error> {
    let mut client = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(fault)?
        .with_root_certificates(files.roots()?)
        .with_client_auth_cert(files.chain.clone(), files.key.clone_key())
        .map_err(fault)?;
    client.alpn_protocols = vec![PROTOCOL.to_vec()];
    Ok(client)
}

impl Files {
    fn roots(&self) -> Result<RootCertStore, Error> {
        let mut roots = RootCertStore::empty();
        for certificate in &self.authority {
            roots.add(certificate.clone()).map_err(fault)?;
        }
        Ok(roots)
    }
}

fn read(certificate: &Path, key: &Path, authority: &Path) -> Result<Files, Error> {
    let load = |path: &Path| {
        let unreadable = |error| Error::Tls(format!("{}: {error}", path.display()));
        std::fs::read(path).map_err(unreadable)
    };
    let chain = certificates(certificate, &load(certificate)?)?;
    let authority = certificates(authority, &load(authority)?)?;
    let key = PrivateKeyDer::from_pem_slice(&load(key)?)
        .map_err(|error| Error::Tls(format!("{}: {error}", key.display())))?;
    Ok(Files { chain, key, authority })
}

fn certificates(path: &Path, pem: &[u8]) -> Result<Vec<CertificateDer<'static>>, Error> {
    let read: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
    match read {
        Ok(certificates) if certificates.is_empty() => {
            Err(Error::Tls(format!("{}: no certificate", path.display())))
        }
        Ok(certificates) => Ok(certificates),
        Err(error) => Err(Error::Tls(format!("{}: {error}", path.display()))),
    }
}

fn fault(error: impl std::fmt::Display) -> Error {
    Error::Tls(error.to_string())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn files_that_change_are_noticed_and_bad_ones_are_not_taken() {
        let made = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/tls");
        let folder = tempfile::tempdir().unwrap();
        let put = |from: &str, to: &str| {
            std::fs::copy(made.join(from), folder.path().join(to)).unwrap();
        };
        put("first.cert.pem", "tls.crt");
        put("first.key.pem", "tls.key");
        put("ours.cert.pem", "ca.crt");
        let identity = Identity::open(&TlsConfig {
            tls_certificate: Some(folder.path().join("tls.crt")),
            tls_key: Some(folder.path().join("tls.key")),
            tls_ca: Some(folder.path().join("ca.crt")),
        });
        let identity = identity.unwrap().unwrap();
        let first = identity.current().files;
        let shutdown = Shutdown::new();
        identity.keep_renewed(&shutdown);

        // Two looks at half of a renewal.
        put("second.cert.pem", "tls.crt");
        tokio::time::sleep(LOOK_EVERY * 2).await;
        assert_eq!(identity.current().files, first);
        put("second.key.pem", "tls.key");
        tokio::time::sleep(LOOK_EVERY * 2).await;
        assert_ne!(identity.current().files, first);
        shutdown.finished(LOOK_EVERY).await.unwrap();
    }
}

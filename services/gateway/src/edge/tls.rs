//! TLS on the listener, with certificates that are read again as they are renewed.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::{CryptoProvider, ring};
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::server::TlsStream;

use crate::Error;
use crate::config::Config;

/// How often the files are looked at.
const LOOK_EVERY: Duration = Duration::from_secs(30);
/// A client must have finished the handshake within this time.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);

/// The certificate in use.
#[derive(Debug)]
struct Current {
    certificate: Mutex<Arc<CertifiedKey>>,
}

impl ResolvesServerCert for Current {
    fn resolve(&self, _hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.certificate.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}

/// A listener's TLS.
pub struct Tls {
    certificate_file: PathBuf,
    key_file: PathBuf,
    provider: Arc<CryptoProvider>,
    current: Arc<Current>,
    acceptor: TlsAcceptor,
}

impl Tls {
    /// As the settings say; `None` without a certificate.
    ///
    /// # Errors
    /// [`Error::Tls`] when the files cannot be used, [`Error::Setting`] when one is missing.
    pub async fn new(config: &Config) -> Result<Option<Self>, Error> {
        match (&config.gateway_tls_certificate, &config.gateway_tls_key) {
            (None, None) => Ok(None),
            (Some(certificate), Some(key)) => Self::open(certificate, key).await.map(Some),
            _ => Err(Error::Setting {
                setting: "--gateway-tls-certificate",
                problem: "and --gateway-tls-key go together".to_owned(),
            }),
        }
    }

    async fn open(certificate_file: &Path, key_file: &Path) -> Result<Self, Error> {
        let provider = Arc::new(ring::default_provider());
        let certified = read(certificate_file, key_file, &provider).await?;
        let current = Arc::new(Current { certificate: Mutex::new(Arc::new(certified)) });
        let mut server = ServerConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .map_err(|error| Error::Tls(error.to_string()))?
            .with_no_client_auth()
            .with_cert_resolver(Arc::clone(&current) as Arc<dyn ResolvesServerCert>);
        server.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(Self {
            certificate_file: certificate_file.to_owned(),
            key_file: key_file.to_owned(),
            provider,
            current,
            acceptor: TlsAcceptor::from(Arc::new(server)),
        })
    }

    /// Shakes hands; `None` when the client does not, in time.
    pub async fn accept(&self, stream: TcpStream) -> Option<TlsStream<TcpStream>> {
        match timeout(HANDSHAKE_TIMEOUT, self.acceptor.accept(stream)).await {
            Ok(Ok(stream)) => Some(stream),
            Ok(Err(error)) => {
                tracing::debug!(%error, "a TLS handshake failed");
                None
            }
            Err(_) => None,
        }
    }

    /// Reads the files again and again. A pair that cannot be used leaves the last one in place.
    pub async fn renew(&self) {
        let mut rounds = tokio::time::interval(LOOK_EVERY);
        rounds.tick().await;
        loop {
            rounds.tick().await;
            match read(&self.certificate_file, &self.key_file, &self.provider).await {
                Ok(certified) => self.adopt(certified),
                Err(error) => tracing::error!(%error, "the certificate cannot be read again"),
            }
        }
    }

    fn adopt(&self, certified: CertifiedKey) {
        let mut current = self.current.certificate.lock().unwrap_or_else(PoisonError::into_inner);
        if current.cert != certified.cert {
            tracing::info!("a new certificate is in use");
            *current = Arc::new(certified);
        }
    }
}

async fn read(
    certificate_file: &Path,
    key_file: &Path,
    provider: &CryptoProvider,
) -> Result<CertifiedKey, Error> {
    let open = async |path: &Path| {
        let unreadable = |error| Error::Tls(format!("{}: {error}", path.display()));
        tokio::fs::read(path).await.map_err(unreadable)
    };
    let (certificate, key) = (open(certificate_file).await?, open(key_file).await?);
    let chain = CertificateDer::pem_slice_iter(&certificate)
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| Error::Tls(format!("{}: {error}", certificate_file.display())))?;
    if chain.is_empty() {
        return Err(Error::Tls(format!("{}: no certificate", certificate_file.display())));
    }
    let key = PrivateKeyDer::from_pem_slice(&key)
        .map_err(|error| Error::Tls(format!("{}: {error}", key_file.display())))?;
    // Also refuses a key that does not fit the certificate, as between the writes of a renewal.
    CertifiedKey::from_der(chain, key, provider).map_err(|error| Error::Tls(error.to_string()))
}

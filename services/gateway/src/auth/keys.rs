//! An operator's published keys (JWKS): given, in a file, or at a URL.
//!
//! Keys of a file or a URL are read again from time to time, and when a token names a key that is
//! not known, but never more often than every [`READ_AGAIN_AT_MOST`]. One caller reads, in bounded
//! time, while the others go on with the keys that are known. Keys that cannot be read again stay
//! good for [`STALE_AT_MOST`].

use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use bytes::Bytes;
use http::{Request, StatusCode, Uri};
use http_body_util::{BodyExt, Empty, Limited};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, JwkSet, KeyAlgorithm};
use jsonwebtoken::jwk::{KeyOperations, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey};
use parlor_common::{Code, Failure};
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};
use tokio_rustls::rustls::crypto::ring;

use crate::{Error, reasons};

/// Keys that are looked at; more in a set are ignored.
const MAX_KEYS: usize = 32;
/// Largest key set in bytes.
const MAX_JWKS_BYTES: usize = 256 * 1024;
/// A token under an unknown key has them read again, but not more often than this, nor more than
/// [`READINGS`] times as often as they are read anyway.
pub const READ_AGAIN_AT_MOST: Duration = Duration::from_secs(5);
/// See [`READ_AGAIN_AT_MOST`].
const READINGS: u32 = 12;
/// Keys that could not be read again for so long are not trusted any more.
pub const STALE_AT_MOST: Duration = Duration::from_secs(24 * 3600);
/// Longest wait for an answer of the operator's server, from the connection to the last byte.
const FETCH_TIMEOUT: Duration = Duration::from_secs(3);

/// Where an operator's keys come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeySource {
    /// The set itself.
    Inline(String),
    /// A file that is read again as keys rotate.
    File(PathBuf),
    /// A server that is asked again as keys rotate.
    Url(Uri),
}

impl std::str::FromStr for KeySource {
    type Err = String;

    /// `file:PATH`, `https://…` or `http://…`, or the set as JSON.
    fn from_str(setting: &str) -> Result<Self, Self::Err> {
        if let Some(path) = setting.strip_prefix("file:") {
            return Ok(Self::File(path.into()));
        }
        if !setting.starts_with("https://") && !setting.starts_with("http://") {
            return Ok(Self::Inline(setting.to_owned()));
        }
        let url: Uri = setting.parse().map_err(|_| "the URL is malformed".to_owned())?;
        match url.authority() {
            Some(authority) if !authority.as_str().contains('@') => Ok(Self::Url(url)),
            _ => Err("the URL needs a host and may have no user".to_owned()),
        }
    }
}

/// A key with the one algorithm that it checks.
pub struct Key {
    /// Its `kid`.
    pub id: Option<String>,
    /// Pinned by the kind of key.
    pub algorithm: Algorithm,
    /// Checks signatures.
    pub check: DecodingKey,
}

/// Keys as they were read at one time.
#[derive(Clone)]
pub struct Known {
    /// The usable keys.
    pub keys: Arc<[Key]>,
    read: Instant,
}

/// An operator's keys, kept up to date by those who ask for them.
pub struct KeySet {
    source: KeySource,
    fetcher: Option<Fetcher>,
    refresh: Duration,
    known: RwLock<Option<Known>>,
    /// When somebody last tried to read them; held meanwhile.
    tried: Mutex<Instant>,
}

impl KeySet {
    /// Reads the keys for the first time; again every `refresh`, so that withdrawn ones are
    /// forgotten. Those at a URL may come later: an operator's server that
    /// is away does not keep a gateway from starting.
    ///
    /// # Errors
    /// [`Error::Jwks`] when given keys or those of a file cannot be read, or none is usable.
    pub async fn open(source: KeySource, refresh: Duration) -> Result<Self, Error> {
        let fetcher = match &source {
            KeySource::Url(url) => Some(Fetcher::new(url.clone())?),
            KeySource::Inline(_) | KeySource::File(_) => None,
        };
        let tried = Mutex::new(Instant::now());
        let keys = Self { source, fetcher, refresh, known: RwLock::default(), tried };
        match keys.read().await {
            Ok(known) => keys.put(known),
            Err(error) if keys.fetcher.is_some() => {
                tracing::error!(%error, "the operator's keys cannot be fetched yet");
            }
            Err(error) => return Err(error),
        }
        Ok(keys)
    }

    /// The keys, read again when it is time.
    ///
    /// # Errors
    /// `UNAVAILABLE`/`OPERATOR_KEYS_UNAVAILABLE` when they were not read for too long.
    pub async fn current(&self) -> Result<Known, Failure> {
        let age = |known: &Known| known.read.elapsed();
        let known = self.get();
        if known.as_ref().is_none_or(|known| age(known) > self.refresh) {
            match &known {
                // Somebody is at it: what is known is good enough meanwhile.
                Some(_) => {
                    if let Ok(tried) = self.tried.try_lock() {
                        self.read_again(tried).await;
                    }
                }
                None => self.read_again(self.tried.lock().await).await,
            }
        }
        self.get().filter(|known| age(known) <= STALE_AT_MOST).ok_or_else(|| {
            let message = "the operator's keys are not known now";
            Failure::new(Code::Unavailable, reasons::OPERATOR_KEYS_UNAVAILABLE, message)
        })
    }

    /// Keys that were read after these, for a token that these do not know; `None` when there are
    /// none.
    pub async fn newer(&self, than: &Known) -> Option<Known> {
        let is_newer = |known: &Known| !Arc::ptr_eq(&known.keys, &than.keys);
        if let Some(known) = self.get().filter(is_newer) {
            return Some(known);
        }
        // Whoever waited here for another's reading finds its keys, or that it was just tried.
        self.read_again(self.tried.lock().await).await;
        self.get().filter(is_newer)
    }

    fn get(&self) -> Option<Known> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn put(&self, keys: Arc<[Key]>) {
        let known = Known { keys, read: Instant::now() };
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = Some(known);
    }

    async fn read_again(&self, mut tried: tokio::sync::MutexGuard<'_, Instant>) {
        if tried.elapsed() < READ_AGAIN_AT_MOST.min(self.refresh / READINGS) {
            return;
        }
        match self.read().await {
            Ok(keys) => self.put(keys),
            Err(error) => tracing::error!(%error, "the operator's keys could not be read again"),
        }
        *tried = Instant::now();
    }

    async fn read(&self) -> Result<Arc<[Key]>, Error> {
        let text = match (&self.source, &self.fetcher) {
            (KeySource::Inline(text), _) => Bytes::from(text.clone()),
            (KeySource::File(path), _) => {
                let unreadable = |error: std::io::Error| Error::Jwks(error.to_string());
                let length = tokio::fs::metadata(path).await.map_err(unreadable)?.len();
                if length > MAX_JWKS_BYTES as u64 {
                    return Err(Error::Jwks(format!("the file has {length} bytes")));
                }
                tokio::fs::read(path).await.map_err(unreadable)?.into()
            }
            (KeySource::Url(_), Some(fetcher)) => fetcher.fetch().await?,
            (KeySource::Url(_), None) => return Err(Error::Jwks("no client".to_owned())),
        };
        usable_keys(&text)
    }
}

/// The keys of a set that can be used here.
///
/// # Errors
/// [`Error::Jwks`] when it is no set, or none can.
pub fn usable_keys(text: &[u8]) -> Result<Arc<[Key]>, Error> {
    let set: JwkSet =
        serde_json::from_slice(text).map_err(|error| Error::Jwks(error.to_string()))?;
    let keys: Arc<[Key]> = set.keys.iter().take(MAX_KEYS).filter_map(usable).collect();
    if keys.is_empty() { Err(Error::Jwks("no usable key".to_owned())) } else { Ok(keys) }
}

fn usable(jwk: &Jwk) -> Option<Key> {
    let (algorithm, named) = match &jwk.algorithm {
        AlgorithmParameters::RSA(_) => (Algorithm::RS256, KeyAlgorithm::RS256),
        AlgorithmParameters::EllipticCurve(key) if key.curve == EllipticCurve::P256 => {
            (Algorithm::ES256, KeyAlgorithm::ES256)
        }
        AlgorithmParameters::OctetKeyPair(key) if key.curve == EllipticCurve::Ed25519 => {
            (Algorithm::EdDSA, KeyAlgorithm::EdDSA)
        }
        _ => return None,
    };
    let common = &jwk.common;
    let signs = common.public_key_use.as_ref().is_none_or(|use_| *use_ == PublicKeyUse::Signature);
    let verifies = common
        .key_operations
        .as_ref()
        .is_none_or(|operations| operations.contains(&KeyOperations::Verify));
    let fits = common.key_algorithm.is_none_or(|declared| declared == named);
    if !(signs && verifies && fits) {
        return None;
    }
    let check = DecodingKey::from_jwk(jwk).ok()?;
    Some(Key { id: common.key_id.clone(), algorithm, check })
}

/// Asks an operator's server. Follows no redirects.
struct Fetcher {
    client: Client<HttpsConnector<HttpConnector>, Empty<Bytes>>,
    url: Uri,
}

impl Fetcher {
    fn new(url: Uri) -> Result<Self, Error> {
        // Named, because a process that has two providers has no default one.
        let connector = HttpsConnectorBuilder::new()
            .with_provider_and_webpki_roots(ring::default_provider())
            .map_err(|error| Error::Jwks(error.to_string()))?
            .https_or_http()
            .enable_http1()
            .build();
        let client =
            Client::builder(TokioExecutor::new()).pool_max_idle_per_host(1).build(connector);
        Ok(Self { client, url })
    }

    async fn fetch(&self) -> Result<Bytes, Error> {
        // A query may hold a secret.
        let place = format!("{}{}", self.url.host().unwrap_or_default(), self.url.path());
        let bad = |why: String| Error::Jwks(format!("{place}: {why}"));
        let request = Request::get(self.url.clone())
            .header("accept", "application/json")
            .body(Empty::new())
            .map_err(|error| bad(error.to_string()))?;
        let fetched = async {
            let answer = self.client.request(request).await;
            let answer = answer.map_err(|error| bad(error.to_string()))?;
            if answer.status() != StatusCode::OK {
                return Err(bad(format!("status {}", answer.status().as_u16())));
            }
            let body = Limited::new(answer.into_body(), MAX_JWKS_BYTES).collect().await;
            Ok(body.map_err(|error| bad(error.to_string()))?.to_bytes())
        };
        let late = || Err(bad(format!("no answer within {} s", FETCH_TIMEOUT.as_secs())));
        timeout(FETCH_TIMEOUT, fetched).await.unwrap_or_else(|_| late())
    }
}

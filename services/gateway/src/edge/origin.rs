//! Which web pages may talk to the gateway.
//!
//! A browser says where a page comes from; other clients say nothing and are let in, for they could
//! say anything. No cookie is used anywhere, so this is a second wall, not the first.

use http::header::{HOST, ORIGIN};
use http::{HeaderMap, Uri};
use parlor_common::{Code, Failure};

use crate::reasons;

/// Whether a page may connect.
#[derive(Clone, Debug)]
pub struct Origins {
    allowed: Vec<String>,
}

impl Origins {
    /// These origins, besides the gateway's own host.
    #[must_use]
    pub fn new(allowed: &[String]) -> Self {
        let tidy = |origin: &String| origin.trim().trim_end_matches('/').to_ascii_lowercase();
        let allowed = allowed.iter().map(tidy).filter(|origin| !origin.is_empty()).collect();
        Self { allowed }
    }

    /// The origins of other hosts.
    #[must_use]
    pub fn allowed(&self) -> &[String] {
        &self.allowed
    }

    /// Checks a request.
    ///
    /// # Errors
    /// `PERMISSION_DENIED`/`ORIGIN_NOT_ALLOWED`.
    pub fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Failure> {
        let Some(origin) = headers.get(ORIGIN) else { return Ok(()) };
        let refused = || {
            Failure::new(
                Code::Denied,
                reasons::ORIGIN_NOT_ALLOWED,
                "pages of this origin may not connect",
            )
        };
        let origin = origin.to_str().map_err(|_| refused())?.to_ascii_lowercase();
        let host = uri
            .authority()
            .map(|authority| authority.as_str())
            .or_else(|| headers.get(HOST).and_then(|host| host.to_str().ok()));
        let own = |host: &str| {
            let page = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
            page.is_some_and(|page| page.eq_ignore_ascii_case(host))
        };
        if host.is_some_and(own) || self.allowed.contains(&origin) {
            Ok(())
        } else {
            Err(refused())
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn is_allowed(origin: Option<&str>, host: &str) -> bool {
        let origins = Origins::new(&["https://Play.example/".to_owned()]);
        let mut headers = HeaderMap::new();
        headers.insert(HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(ORIGIN, origin.parse().unwrap());
        }
        origins.check(&Uri::from_static("/v1/session"), &headers).is_ok()
    }

    #[test]
    fn own_pages_listed_pages_and_other_clients_may_connect() {
        assert!(is_allowed(None, "parlor.example"));
        assert!(is_allowed(Some("https://parlor.example"), "parlor.example"));
        assert!(is_allowed(Some("http://127.0.0.1:7000"), "127.0.0.1:7000"));
        assert!(is_allowed(Some("https://play.example"), "parlor.example"));
    }

    #[test]
    fn other_pages_may_not() {
        for origin in [
            "https://evil.example",
            "http://play.example",
            "https://play.example.evil.example",
            "https://parlor.example.evil.example",
            "null",
            "https://parlor.example:8443",
            "",
        ] {
            assert!(!is_allowed(Some(origin), "parlor.example"), "{origin}");
        }
    }
}

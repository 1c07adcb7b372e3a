//! The web client's files, embedded in the program.

use std::collections::HashMap;
use std::fmt::Write as _;

use axum::body::Body;
use bytes::Bytes;
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, HeaderName, IF_NONE_MATCH,
};
use http::{HeaderMap, HeaderValue, Method, Response, StatusCode};
use sha2::{Digest, Sha256};

/// Files of `web/` with their paths on the server.
static WEB_FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/web_files.rs"));

/// What is served for `/`.
const INDEX: &str = "/index.html";
/// Pages may load and connect to their own host only, and run no inline script.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data:; font-src 'self'; media-src 'self'; manifest-src 'self'; \
    worker-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";
/// Modules of different versions must not meet, so browsers ask each time whether a file is still
/// the same; the answer is mostly a short "not modified".
const CACHING: &str = "no-cache";

/// Headers of every answer over plain HTTP.
const SAFETY: &[(&str, &str)] = &[
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("permissions-policy", "camera=(), geolocation=(), microphone=()"),
];

struct Asset {
    body: Bytes,
    content_type: &'static str,
    etag: String,
}

/// Files by path.
pub struct Assets {
    files: HashMap<&'static str, Asset>,
}

impl Assets {
    /// The files that are compiled in.
    #[must_use]
    pub fn embedded() -> Self {
        Self::new(WEB_FILES)
    }

    fn new(files: &[(&'static str, &'static [u8])]) -> Self {
        let asset = |&(path, body): &(&'static str, &'static [u8])| {
            let content_type = content_type(path);
            (path, Asset { body: Bytes::from_static(body), content_type, etag: etag(body) })
        };
        Self { files: files.iter().map(asset).collect() }
    }

    /// Answers a request for a file.
    #[must_use]
    pub fn serve(&self, method: &Method, path: &str, headers: &HeaderMap) -> Response<Body> {
        if method != Method::GET && method != Method::HEAD {
            return plain(StatusCode::METHOD_NOT_ALLOWED, "GET or HEAD only\n");
        }
        let path = if path == "/" { INDEX } else { path };
        let Some(asset) = self.files.get(path) else {
            return plain(StatusCode::NOT_FOUND, "there is no such page\n");
        };
        let is_known = headers
            .get(IF_NONE_MATCH)
            .and_then(|tags| tags.to_str().ok())
            .is_some_and(|tags| tags.split(',').any(|tag| tag.trim() == asset.etag));
        let (status, body) = if is_known {
            (StatusCode::NOT_MODIFIED, Body::empty())
        } else if method == Method::HEAD {
            (StatusCode::OK, Body::empty())
        } else {
            (StatusCode::OK, Body::from(asset.body.clone()))
        };
        let mut response = Response::new(body);
        *response.status_mut() = status;
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(asset.content_type));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static(CACHING));
        headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
        if let Ok(etag) = HeaderValue::from_str(&asset.etag) {
            headers.insert(ETAG, etag);
        }
        response
    }
}

/// Adds the headers that every answer over plain HTTP has.
pub fn make_safe(headers: &mut HeaderMap) {
    for (name, value) in SAFETY {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
}

fn plain(status: StatusCode, text: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    response
}

/// A strong tag: half of the SHA-256, in hexadecimal.
fn etag(body: &[u8]) -> String {
    let digest = Sha256::digest(body);
    let mut tag = String::from("\"");
    for byte in digest.iter().take(16) {
        // Writing to a string does not fail.
        let _ = write!(tag, "{byte:02x}");
    }
    tag.push('"');
    tag
}

fn content_type(path: &str) -> &'static str {
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    match extension {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "mp3" => "audio/mpeg",
        "ogg" => "audio/ogg",
        "txt" | "md" => "text/plain; charset=utf-8",
        "wasm" => "application/wasm",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn assets() -> Assets {
        Assets::new(&[("/index.html", b"<!doctype html>"), ("/js/main.js", b"export {};")])
    }

    fn get(path: &str) -> Response<Body> {
        assets().serve(&Method::GET, path, &HeaderMap::new())
    }

    #[test]
    fn the_root_is_the_index_with_a_strict_policy() {
        let response = get("/");
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()[CONTENT_TYPE], "text/html; charset=utf-8");
        let policy = response.headers()[CONTENT_SECURITY_POLICY].to_str().unwrap();
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    }

    #[test]
    fn scripts_have_the_type_that_modules_need() {
        assert_eq!(get("/js/main.js").headers()[CONTENT_TYPE], "text/javascript; charset=utf-8");
    }

    #[test]
    fn a_known_file_is_not_sent_again() {
        let etag = get("/").headers()[ETAG].clone();
        let mut headers = HeaderMap::new();
        headers.insert(IF_NONE_MATCH, etag);
        let response = assets().serve(&Method::GET, "/", &headers);
        assert_eq!(response.status(), StatusCode::NOT_MODIFIED);
        let response = assets().serve(&Method::GET, "/js/main.js", &headers);
        assert_eq!(response.status(), StatusCode::OK);
    }

    #[test]
    fn nothing_else_is_served() {
        for path in ["/absent", "/../Cargo.toml", "/js", "/js/", "//", "/%2e%2e/x", "index.html"] {
            assert_eq!(get(path).status(), StatusCode::NOT_FOUND, "{path}");
        }
        let response = assets().serve(&Method::POST, "/", &HeaderMap::new());
        assert_eq!(response.status(), StatusCode::METHOD_NOT_ALLOWED);
    }
}

//! As much HTTP as these tests need.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::Value;

/// Status code and body of a GET of `page` (`http://HOST:PORT/`) joined with `path`.
pub fn get(page: &str, path: &str) -> (u16, String) {
    exchange(page, &format!("GET /{path}"), "")
}

/// Status code and body of a POST of JSON to `page` (`http://HOST:PORT/`) joined with `path`.
pub fn post(page: &str, path: &str, body: &Value) -> (u16, Value) {
    let (status, text) = exchange(page, &format!("POST /{path}"), &body.to_string());
    (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
}

fn exchange(page: &str, request: &str, body: &str) -> (u16, String) {
    let host = page.trim_start_matches("http://").trim_end_matches('/');
    let mut stream = TcpStream::connect(host).unwrap();
    let length = body.len();
    // HTTP/1.0 answers are not chunked.
    let head = format!(
        "{request} HTTP/1.0\r\nhost: {host}\r\ncontent-type: application/json\r\n\
         content-length: {length}\r\nconnection: close\r\n\r\n"
    );
    stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}

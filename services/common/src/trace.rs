//! Carries W3C trace context through gRPC metadata, HTTP headers and log entries.
//!
//! Nothing does so for us: these are the two adapters that the propagator needs.

use http::{HeaderMap, HeaderName, HeaderValue};
use opentelemetry::Context;
use opentelemetry::propagation::{Extractor, Injector, TextMapPropagator};
use opentelemetry_sdk::propagation::TraceContextPropagator;
use tonic::metadata::{Ascii, KeyRef, MetadataKey, MetadataMap, MetadataValue};
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;

const TRACEPARENT: &str = "traceparent";

struct IntoMetadata<'map>(&'map mut MetadataMap);

impl Injector for IntoMetadata<'_> {
    fn set(&mut self, key: &str, value: String) {
        let key = MetadataKey::<Ascii>::from_bytes(key.as_bytes());
        if let (Ok(key), Ok(value)) = (key, MetadataValue::try_from(value)) {
            self.0.insert(key, value);
        }
    }
}

struct FromMetadata<'map>(&'map MetadataMap);

impl Extractor for FromMetadata<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).and_then(|value| value.to_str().ok())
    }

    fn keys(&self) -> Vec<&str> {
        self.0
            .keys()
            .filter_map(|key| match key {
                KeyRef::Ascii(key) => Some(key.as_str()),
                KeyRef::Binary(_) => None,
            })
            .collect()
    }
}

struct IntoHeaders<'map>(&'map mut HeaderMap);

impl Injector for IntoHeaders<'_> {
    fn set(&mut self, key: &str, value: String) {
        let key = HeaderName::from_bytes(key.as_bytes());
        if let (Ok(key), Ok(value)) = (key, HeaderValue::try_from(value)) {
            self.0.insert(key, value);
        }
    }
}

struct FromHeaders<'map>(&'map HeaderMap);

impl Extractor for FromHeaders<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).and_then(|value| value.to_str().ok())
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(HeaderName::as_str).collect()
    }
}

struct FromTraceparent<'text>(&'text str);

impl Extractor for FromTraceparent<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        (key == TRACEPARENT).then_some(self.0)
    }

    fn keys(&self) -> Vec<&str> {
        vec![TRACEPARENT]
    }
}

struct IntoTraceparent(Option<String>);

impl Injector for IntoTraceparent {
    fn set(&mut self, key: &str, value: String) {
        if key == TRACEPARENT {
            self.0 = Some(value);
        }
    }
}

/// Adds the current span's context to the metadata of an outgoing call; nothing when there is none.
pub fn inject(metadata: &mut MetadataMap) {
    let context = Span::current().context();
    TraceContextPropagator::new().inject_context(&context, &mut IntoMetadata(metadata));
}

/// The caller's context, for [`adopt`].
#[must_use]
pub fn extract(metadata: &MetadataMap) -> Context {
    TraceContextPropagator::new().extract(&FromMetadata(metadata))
}

/// Adds the current span's context to the headers of an outgoing HTTP request.
pub fn inject_headers(headers: &mut HeaderMap) {
    let context = Span::current().context();
    TraceContextPropagator::new().inject_context(&context, &mut IntoHeaders(headers));
}

/// The context of an incoming HTTP request, for [`adopt`].
#[must_use]
pub fn extract_headers(headers: &HeaderMap) -> Context {
    TraceContextPropagator::new().extract(&FromHeaders(headers))
}

/// The current span's `traceparent`, for messages and log entries; `None` when nothing is traced.
#[must_use]
pub fn traceparent() -> Option<String> {
    traceparent_of(&Span::current())
}

/// A span's `traceparent`; `None` when it is not traced.
#[must_use]
pub fn traceparent_of(span: &Span) -> Option<String> {
    let mut carrier = IntoTraceparent(None);
    TraceContextPropagator::new().inject_context(&span.context(), &mut carrier);
    carrier.0
}

/// Whether what a `traceparent` names is recorded; judged by its flags alone.
#[must_use]
pub fn is_sampled(traceparent: &str) -> bool {
    let flags = traceparent.rsplit('-').next().and_then(|flags| u8::from_str_radix(flags, 16).ok());
    flags.is_some_and(|flags| flags & 1 == 1)
}

/// A span for what a message asks for, as a child of the context that its `traceparent` names. No
/// span, and next to no cost, when that is not recorded.
pub fn follow(traceparent: &str, make: impl FnOnce() -> Span) -> Span {
    if !is_sampled(traceparent) {
        return Span::none();
    }
    let span = make();
    adopt(&span, context_of(traceparent));
    span
}

/// The context that a `traceparent` names, for [`adopt`]; an empty one when it is malformed.
#[must_use]
pub fn context_of(traceparent: &str) -> Context {
    TraceContextPropagator::new().extract(&FromTraceparent(traceparent))
}

/// Makes `span` a child of a remote context. Must happen before the span is entered.
pub fn adopt(span: &Span, context: Context) {
    // Refused only when the span is not recorded or has started: then there is nothing to link.
    let _ = span.set_parent(context);
}

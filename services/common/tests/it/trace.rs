//! Traces that cross a call.

use opentelemetry::trace::{TraceContextExt, TracerProvider};
use opentelemetry_sdk::trace::SdkTracerProvider;
use parlor_common::server::ServerOptions;
use parlor_common::trace::{context_of, traceparent};
use parlor_proto::gateway::v1::SignInGuestRequest;
use parlor_proto::gateway::v1::auth_service_client::AuthServiceClient;
use tracing::Instrument;
use tracing_subscriber::layer::SubscriberExt;

use crate::fixture::start;

#[tokio::test]
async fn a_call_belongs_to_its_callers_trace() {
    let tracers = SdkTracerProvider::builder().build();
    let layer = tracing_opentelemetry::layer().with_tracer(tracers.tracer("test"));
    // Of this thread, which is the whole runtime.
    let _subscriber = tracing::subscriber::set_default(tracing_subscriber::registry().with(layer));
    let running = start(ServerOptions::new("porter")).await;
    let mut client = AuthServiceClient::new(running.channel());
    let (sent, answer) = async {
        let answer = client.sign_in_guest(SignInGuestRequest::default()).await.unwrap();
        (traceparent().unwrap(), answer.into_inner())
    }
    .instrument(tracing::info_span!("caller"))
    .await;
    let (caller, callee) = (context_of(&sent), context_of(&answer.access_token));
    let (caller, callee) =
        (caller.span().span_context().clone(), callee.span().span_context().clone());
    assert!(caller.is_valid());
    assert_eq!(caller.trace_id(), callee.trace_id());
    assert_ne!(caller.span_id(), callee.span_id());
}

#[test]
fn a_malformed_traceparent_names_no_context() {
    for text in ["", "00-zz-00-01", "00-00000000000000000000000000000000-0000000000000000-01"] {
        assert!(!context_of(text).has_active_span(), "{text:?}");
    }
}

#[test]
fn nothing_is_sent_when_nothing_is_traced() {
    assert_eq!(traceparent(), None);
}

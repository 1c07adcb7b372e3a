//! The token that services show each other.

use parlor_common::client::{ClientOptions, connect};
use parlor_common::server::{ServerOptions, ServiceAuth};
use parlor_common::{Code, Failure};
use parlor_proto::gateway::v1::SignInGuestRequest;
use parlor_proto::gateway::v1::auth_service_client::AuthServiceClient;
use tonic_health::pb::health_check_response::ServingStatus;

use crate::fixture::{Running, health, start};

async fn guarded() -> Running {
    let auth = ServiceAuth::Tokens(vec!["current".into(), "previous".into()]);
    start(ServerOptions::new("porter").with_auth(auth)).await
}

async fn call(running: &Running, options: &ClientOptions) -> Result<(), Failure> {
    let mut client = AuthServiceClient::new(connect(&running.url, options).unwrap());
    client.sign_in_guest(SignInGuestRequest::default()).await.map(drop).map_err(Failure::from)
}

#[tokio::test]
async fn the_current_and_the_previous_token_open_the_door() {
    let running = guarded().await;
    for token in ["current", "previous"] {
        let options = ClientOptions::default().with_token(&token.into()).unwrap();
        call(&running, &options).await.unwrap();
    }
}

#[tokio::test]
async fn no_token_or_another_one_is_refused() {
    let running = guarded().await;
    let wrong = ClientOptions::default().with_token(&"wrong".into()).unwrap();
    for options in [ClientOptions::default(), wrong] {
        let failure = call(&running, &options).await.unwrap_err();
        assert_eq!(failure.code, Code::Unauthenticated);
        assert_eq!(failure.reason, "SERVICE_TOKEN_REQUIRED");
    }
}

#[tokio::test]
async fn probes_need_no_token() {
    let running = guarded().await;
    assert_eq!(health(&running.channel(), "").await, ServingStatus::NotServing);
}

#[test]
fn a_token_that_fits_in_no_header_is_refused() {
    let long = "x".repeat(2000);
    for token in ["", "two words", "line\nend", "ü", long.as_str()] {
        assert!(ClientOptions::default().with_token(&token.into()).is_err(), "{token:?}");
    }
}

#[test]
fn a_token_is_never_printed() {
    let options = ClientOptions::default().with_token(&"current".into()).unwrap();
    assert!(!format!("{options:?}").contains("current"));
}

#[tokio::test]
async fn an_address_that_is_no_url_is_refused() {
    for url in ["", "settlement", "settlement:7002", "ftp://settlement:7002", "http://"] {
        assert!(connect(url, &ClientOptions::default()).is_err(), "{url:?}");
    }
}

//! Health, drain, reflection, panics, limits.

use parlor_common::Failure;
use parlor_common::server::{LIVENESS, ServerConfig, ServerOptions};
use parlor_proto::gateway::v1::auth_service_client::AuthServiceClient;
use parlor_proto::gateway::v1::auth_service_server::SERVICE_NAME;
use parlor_proto::gateway::v1::{RefreshRequest, SignInGuestRequest};
use tokio_util::sync::CancellationToken;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_reflection::pb::v1::ServerReflectionRequest;
use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;
use tonic_reflection::pb::v1::server_reflection_request::MessageRequest;
use tonic_reflection::pb::v1::server_reflection_response::MessageResponse;

use crate::fixture::{PATIENCE, health, health_becomes, start};

#[tokio::test]
async fn health_follows_readiness_and_names_the_service() {
    let running = start(ServerOptions::new("porter")).await;
    let channel = running.channel();
    for service in ["", SERVICE_NAME] {
        assert_eq!(health(&channel, service).await, ServingStatus::NotServing, "{service:?}");
    }
    running.readiness.set_ready();
    for service in ["", SERVICE_NAME] {
        health_becomes(&channel, service, ServingStatus::Serving).await;
    }
    running.readiness.set_not_ready();
    health_becomes(&channel, SERVICE_NAME, ServingStatus::NotServing).await;
}

#[tokio::test]
async fn a_process_is_alive_whether_or_not_it_is_ready() {
    let stop = CancellationToken::new();
    let running = start(ServerOptions::new("porter").with_stop(stop.clone())).await;
    let channel = running.channel();
    assert_eq!(health(&channel, "").await, ServingStatus::NotServing);
    assert_eq!(health(&channel, LIVENESS).await, ServingStatus::Serving);
    running.readiness.set_ready();
    running.shutdown.begin();
    health_becomes(&channel, SERVICE_NAME, ServingStatus::NotServing).await;
    assert_eq!(health(&channel, LIVENESS).await, ServingStatus::Serving);
    stop.cancel();
    running.shutdown.finished(PATIENCE).await.unwrap();
}

#[tokio::test]
async fn a_call_in_flight_is_finished_after_the_shutdown_begins() {
    let running = start(ServerOptions::new("porter")).await;
    let mut client = AuthServiceClient::new(running.channel());
    let call = tokio::spawn(async move { client.refresh(RefreshRequest::default()).await });
    running.porter.entered.notified().await;
    running.shutdown.begin();
    assert!(!running.server.is_finished());
    running.porter.release.notify_one();
    assert_eq!(call.await.unwrap().unwrap().into_inner().name, "late");
    running.shutdown.finished(PATIENCE).await.unwrap();
    running.server.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_service_with_a_stop_of_its_own_answers_while_it_drains() {
    let stop = CancellationToken::new();
    let running = start(ServerOptions::new("porter").with_stop(stop.clone())).await;
    running.readiness.set_ready();
    let channel = running.channel();
    health_becomes(&channel, "", ServingStatus::Serving).await;
    running.shutdown.begin();
    health_becomes(&channel, "", ServingStatus::NotServing).await;
    let mut client = AuthServiceClient::new(running.channel());
    client.sign_in_guest(SignInGuestRequest::default()).await.unwrap();
    stop.cancel();
    running.shutdown.finished(PATIENCE).await.unwrap();
}

#[tokio::test]
async fn reflection_lists_every_package() {
    let running = start(ServerOptions::new("porter")).await;
    let request = ServerReflectionRequest {
        host: String::new(),
        message_request: Some(MessageRequest::ListServices(String::new())),
    };
    let mut answers = ServerReflectionClient::new(running.channel())
        .server_reflection_info(tokio_stream::once(request))
        .await
        .unwrap()
        .into_inner();
    let answer = answers.message().await.unwrap().unwrap().message_response;
    let Some(MessageResponse::ListServicesResponse(list)) = answer else {
        panic!("not a list: {answer:?}");
    };
    let names: Vec<_> = list.service.into_iter().map(|service| service.name).collect();
    for name in ["parlor.gateway.v1.AuthService", "parlor.table.v1.LinkService"] {
        assert!(names.iter().any(|listed| listed == name), "{name} is not in {names:?}");
    }
}

#[tokio::test]
async fn a_call_that_panics_is_answered_and_the_server_lives_on() {
    let running = start(ServerOptions::new("porter")).await;
    let mut client = AuthServiceClient::new(running.channel());
    let request = RefreshRequest { refresh_token: "panic".to_owned() };
    let status = client.refresh(request).await.unwrap_err();
    assert_eq!(Failure::from(status), Failure::internal());
    client.sign_in_guest(SignInGuestRequest::default()).await.unwrap();
}

#[tokio::test]
async fn connections_over_the_limit_wait_for_a_place() {
    let config = ServerConfig { grpc_max_connections: 1, ..ServerConfig::default() };
    let running = start(ServerOptions::new("porter").with_config(config)).await;
    let mut first = AuthServiceClient::new(running.channel());
    first.sign_in_guest(SignInGuestRequest::default()).await.unwrap();
    let mut second = AuthServiceClient::new(running.channel());
    let call =
        tokio::spawn(async move { second.sign_in_guest(SignInGuestRequest::default()).await });
    // The first connection goes on working while the second one waits.
    for _ in 0..20 {
        first.sign_in_guest(SignInGuestRequest::default()).await.unwrap();
    }
    assert!(!call.is_finished());
    drop(first);
    tokio::time::timeout(PATIENCE, call).await.unwrap().unwrap().unwrap();
}

//! Health of one service, for `helm test`, compose and people.

use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

use crate::tool::reach::Reach;

#[derive(Debug, Args)]
pub struct Health {
    /// The service's gRPC address, such as http://127.0.0.1:7001
    #[arg(long)]
    url: String,
    /// Name by which it is asked; empty: the server as a whole, liveness: whether it answers
    #[arg(long, default_value = "")]
    service: String,
}

impl Health {
    /// Asks once, without a token: whoever may reach the port may ask.
    pub async fn execute(self, reach: &Reach) -> anyhow::Result<ExitCode> {
        let Self { url, service } = self;
        let mut client = HealthClient::new(reach.open(&url)?);
        let request = HealthCheckRequest { service: service.clone() };
        let answer = client.check(request).await;
        let status = match answer {
            Ok(answer) => answer.into_inner().status(),
            Err(error) if error.code() == tonic::Code::NotFound => ServingStatus::ServiceUnknown,
            Err(error) => return Err(error.into()),
        };
        println!("{}", json!({ "service": service, "status": status.as_str_name() }));
        let serves = status == ServingStatus::Serving;
        Ok(if serves { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

//! Logs, traces and metrics: set up once by the binary, used everywhere through `tracing` and
//! [`meter`].

use std::io::IsTerminal;
use std::time::Duration;

use opentelemetry::metrics::Meter;
use opentelemetry::trace::TracerProvider;
use opentelemetry::{KeyValue, global};
use opentelemetry_otlp::{MetricExporter, SpanExporter, WithExportConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::metrics::SdkMeterProvider;
use opentelemetry_sdk::trace::{Sampler, SdkTracerProvider};
use prometheus::Registry;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, fmt};

use crate::Error;
use crate::process::resident_bytes;

/// Boundaries of latency histograms, in seconds: from an in-memory append to a fail-over.
pub const LATENCY_S: &[f64] = &[
    0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5,
    5.0, 10.0,
];

/// Our own news, and only the troubles of the machinery that carries it.
const LOG_FILTER: &str = "info,opentelemetry=warn";

/// How long [`Guard::shutdown`] lets a collector that does not answer delay the end.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(3);

/// How log lines look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// One JSON object a line, for machines.
    Json,
}

/// What the process tells about itself, and to whom.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Telemetry")]
pub struct TelemetryConfig {
    /// Which log lines to write, in the syntax of `tracing_subscriber::EnvFilter`
    #[arg(long, env = "PARLOR_LOG_FILTER", default_value = LOG_FILTER)]
    pub log_filter: String,
    /// How log lines look; they go to stderr
    #[arg(long, env = "PARLOR_LOG_FORMAT", value_enum, default_value = "text")]
    pub log_format: LogFormat,
    /// OTLP collector for traces and metrics, gRPC, such as http://127.0.0.1:4317; empty: none
    #[arg(long, env = "PARLOR_OTLP_ENDPOINT", default_value = "")]
    pub otlp_endpoint: String,
    /// Which spans to send to the collector, in the same syntax as the log filter
    #[arg(long, env = "PARLOR_OTLP_FILTER", default_value = LOG_FILTER)]
    pub otlp_filter: String,
    /// Share of the traces that start here and are sent, 0 to 1
    #[arg(long, env = "PARLOR_OTLP_SAMPLE_RATIO", default_value_t = 0.05)]
    pub otlp_sample_ratio: f64,
}

/// Keeps telemetry going; [`Guard::shutdown`] sends what is left.
#[derive(Debug)]
#[must_use = "telemetry ends when this is dropped"]
pub struct Guard {
    registry: Registry,
    meters: SdkMeterProvider,
    tracers: Option<SdkTracerProvider>,
}

impl Guard {
    /// What `/metrics` shows.
    #[must_use]
    pub fn registry(&self) -> Registry {
        self.registry.clone()
    }

    /// Sends what is left to the collector. The last thing that a process does.
    pub async fn shutdown(self) {
        let Self { meters, tracers, .. } = self;
        // Both block until the collector has answered.
        let flush = tokio::task::spawn_blocking(move || {
            if let Some(tracers) = tracers {
                let _ = tracers.shutdown_with_timeout(FLUSH_TIMEOUT);
            }
            let _ = meters.shutdown_with_timeout(FLUSH_TIMEOUT);
        });
        if tokio::time::timeout(FLUSH_TIMEOUT, flush).await.is_err() {
            tracing::warn!("the telemetry collector did not take the last spans and metrics");
        }
    }
}

/// The meter of all of Parlor's instruments.
///
/// Names are `parlor_<service>_<what>_<unit>`; `/metrics` adds `_total` to counters, so their names
/// do not end in it. Instruments made before [`init`] record nothing.
#[must_use]
pub fn meter() -> Meter {
    global::meter("parlor")
}

/// Sets up the process-wide subscriber and meter provider. Needs a tokio runtime.
///
/// # Errors
/// When a filter is malformed, the endpoint is not a URL, or it was called before.
pub fn init(config: &TelemetryConfig, service_name: &'static str) -> Result<Guard, Error> {
    let resource = Resource::builder()
        .with_service_name(service_name)
        .with_attribute(KeyValue::new("service.namespace", "parlor"))
        .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
        .build();
    let registry = Registry::new();
    let meters = meters(config, &registry, resource.clone())?;
    let tracers = tracers(config, resource)?;

    let spans = match &tracers {
        Some(tracers) => {
            let layer = tracing_opentelemetry::layer().with_tracer(tracers.tracer("parlor"));
            Some(layer.with_filter(filter(&config.otlp_filter)?))
        }
        None => None,
    };
    tracing_subscriber::registry()
        .with(spans)
        .with(lines(config)?)
        .try_init()
        .map_err(|error| Error::Telemetry(error.to_string()))?;
    global::set_meter_provider(meters.clone());
    tell_version();
    tell_memory();
    Ok(Guard { registry, meters, tracers })
}

/// A rollout that stands still shows in two versions at a time.
fn tell_version() {
    let build = meter()
        .u64_gauge("parlor_build_info")
        .with_description("1, labelled with the version that runs")
        .build();
    build.record(1, &[KeyValue::new("version", env!("CARGO_PKG_VERSION"))]);
}

/// What the process itself holds, where the system says so.
fn tell_memory() {
    // The instrument lives as long as the provider; the handle is for others.
    let _gauge = meter()
        .u64_observable_gauge("parlor_process_resident_bytes")
        .with_description("Memory that the process holds, shared pages included")
        .with_callback(|observer| {
            if let Some(bytes) = resident_bytes(std::process::id()) {
                observer.observe(bytes, &[]);
            }
        })
        .build();
}

fn lines<S>(config: &TelemetryConfig) -> Result<Box<dyn Layer<S> + Send + Sync>, Error>
where
    S: tracing::Subscriber + for<'span> tracing_subscriber::registry::LookupSpan<'span>,
{
    let filter = filter(&config.log_filter)?;
    let colours = std::io::stderr().is_terminal();
    let lines = fmt::layer().with_writer(std::io::stderr).with_ansi(colours);
    Ok(match config.log_format {
        LogFormat::Text => lines.with_filter(filter).boxed(),
        LogFormat::Json => lines.json().flatten_event(true).with_filter(filter).boxed(),
    })
}

fn filter(directives: &str) -> Result<EnvFilter, Error> {
    EnvFilter::try_new(directives).map_err(|error| Error::Telemetry(error.to_string()))
}

fn meters(
    config: &TelemetryConfig,
    registry: &Registry,
    resource: Resource,
) -> Result<SdkMeterProvider, Error> {
    let scrape = opentelemetry_prometheus::exporter()
        .with_registry(registry.clone())
        // Our names end in their unit.
        .without_units()
        .scope_info_enabled(false)
        .build()
        .map_err(|error| Error::Telemetry(error.to_string()))?;
    let mut meters = SdkMeterProvider::builder().with_resource(resource).with_reader(scrape);
    if !config.otlp_endpoint.is_empty() {
        let push = MetricExporter::builder()
            .with_tonic()
            .with_endpoint(&config.otlp_endpoint)
            .build()
            .map_err(|error| Error::Telemetry(error.to_string()))?;
        meters = meters.with_periodic_exporter(push);
    }
    Ok(meters.build())
}

fn tracers(
    config: &TelemetryConfig,
    resource: Resource,
) -> Result<Option<SdkTracerProvider>, Error> {
    if config.otlp_endpoint.is_empty() {
        return Ok(None);
    }
    let exporter = SpanExporter::builder()
        .with_tonic()
        .with_endpoint(&config.otlp_endpoint)
        .build()
        .map_err(|error| Error::Telemetry(error.to_string()))?;
    let root = Sampler::TraceIdRatioBased(config.otlp_sample_ratio);
    let tracers = SdkTracerProvider::builder()
        .with_resource(resource)
        .with_sampler(Sampler::ParentBased(Box::new(root)))
        .with_batch_exporter(exporter)
        .build();
    Ok(Some(tracers))
}

//! Watching tables and acting at them.

use std::future::ready;

use futures_util::future::{BoxFuture, FutureExt};
use parlor_common::{Code, Failure, TableId, trace};
use parlor_proto::gateway::v1::response::Result as Reply;
use parlor_proto::gateway::v1::{ListTables, TableCommand, Unwatch, Watch};
use parlor_proto::table::v1::command::Command as Talk;
use parlor_proto::table::v1::table_service_client::TableServiceClient;
use parlor_proto::table::v1::{LinkCommand, ListTablesRequest, ListTablesResponse};
use tokio::time::timeout;

use super::super::watching::Started;
use super::{Answer, Call, Outcome, Session, Then};
use crate::{peers, reasons};

/// Tables on one page.
const PAGE_SIZE: u32 = 100;

pub(super) fn watch(
    session: &mut Session,
    request: Watch,
) -> BoxFuture<'static, (Result<Answer, Failure>, Then)> {
    let table: TableId = match request.table_id.parse() {
        Ok(table) => table,
        Err(failure) => return ready((Err(failure), Then::Nothing)).boxed(),
    };
    if !session.watches.has_place_for(&table) {
        let message = "the session watches too many tables";
        let failure = Failure::new(Code::Exhausted, reasons::TOO_MANY_TABLES, message);
        return ready((Err(failure), Then::Nothing)).boxed();
    }
    let limit = session.core.links.times().command;
    let Started { watch, outcome } = session.watches.start(table, None);
    async move {
        match timeout(limit, outcome).await {
            Ok(Ok(Ok(()))) => (Ok(Answer::done()), Then::Nothing),
            Ok(Ok(Err(failure))) => (Err(failure), Then::Abandon(table, watch)),
            Ok(Err(_)) | Err(_) => {
                let message = "the table could not be reached in time";
                let failure = Failure::new(Code::Unavailable, reasons::LINK_UNAVAILABLE, message);
                (Err(failure), Then::Abandon(table, watch))
            }
        }
    }
    .boxed()
}

pub(super) fn unwatch(
    session: &mut Session,
    request: &Unwatch,
) -> impl Future<Output = Outcome> + Send + 'static {
    let outcome = request.table_id.parse().map(|table| {
        session.unwatch(table);
        (Answer::done(), Then::Nothing)
    });
    ready(outcome)
}

pub(super) fn command(
    session: &Session,
    call: Call,
    request: TableCommand,
) -> impl Future<Output = Outcome> + Send + 'static {
    let way = request.table_id.parse().map(|table| session.watches.way_to(table));
    async move {
        let way = way?;
        let Some(command) = request.command.filter(|command| command.command.is_some()) else {
            let message = "the table command is empty or not known here";
            return Err(Failure::new(Code::Invalid, reasons::EMPTY_REQUEST, message));
        };
        if is_talk(&command) {
            call.core.registry.may_talk(&call.player)?;
        }
        let command = LinkCommand {
            table_id: way.table.to_string(),
            player_id: call.player.to_string(),
            request_id: call.id,
            command: Some(command),
            traceparent: trace::traceparent().unwrap_or_default(),
            player_name: call.name,
        };
        call.core.links.command(way, command).await?;
        Ok((Answer::done(), Then::Nothing))
    }
}

/// Whether others see it and it does not belong to the game.
const fn is_talk(command: &parlor_proto::table::v1::Command) -> bool {
    matches!(command.command, Some(Talk::Emote(_) | Talk::QuickChat(_)))
}

/// Public tables that may be watched, pod by pod: the page token names the pod and its own token.
pub(super) async fn list(call: Call, request: ListTables) -> Outcome {
    let (pod_index, page_token) = read_token(&request.page_token)?;
    let mut pods = call.core.links.locator().all().await?;
    // The same order on every page.
    pods.sort_by(|one, other| one.address.cmp(&other.address));
    let Some(pod) = pods.get(pod_index) else {
        return Ok((Answer::Result(Reply::Tables(ListTablesResponse::default())), Then::Nothing));
    };
    let request = ListTablesRequest {
        page_size: PAGE_SIZE,
        page_token,
        game: request.game,
        watchable: true,
        room_code: String::new(),
    };
    let mut client = TableServiceClient::new(pod.channel.clone());
    let mut page = match client.list_tables(request).await {
        Ok(page) => page.into_inner(),
        // One pod that is away does not hide the others.
        Err(status) if Code::from_grpc(status.code()) == Code::Unavailable => {
            tracing::warn!(pod = %pod.address, %status, "the tables of a pod are not known");
            ListTablesResponse::default()
        }
        Err(status) => return Err(peers::failure(status)),
    };
    // A private room's code is the key to it.
    page.tables.retain(|table| table.room_code.is_empty());
    page.next_page_token = if !page.next_page_token.is_empty() {
        format!("{pod_index}:{}", page.next_page_token)
    } else if pod_index + 1 < pods.len() {
        format!("{}:", pod_index + 1)
    } else {
        String::new()
    };
    Ok((Answer::Result(Reply::Tables(page)), Then::Nothing))
}

fn read_token(token: &str) -> Result<(usize, String), Failure> {
    if token.is_empty() {
        return Ok((0, String::new()));
    }
    let bad = || Failure::new(Code::Invalid, reasons::BAD_PAGE_TOKEN, "the page token is not ours");
    let (pod, inner) = token.split_once(':').ok_or_else(bad)?;
    Ok((pod.parse().map_err(|_| bad())?, inner.to_owned()))
}

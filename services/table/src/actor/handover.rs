//! How a table leaves this process: what those who wait for it are told.

use std::sync::Arc;

use tokio::sync::mpsc;

use super::fanout::{Delivery, Subscriber};
use super::{HandOver, Message, Run as _, Verdict};
use crate::actor::{Actor, Ended};
use crate::error::Error;
use crate::wire::envelope::Enveloped;

impl<G: Enveloped> Actor<G> {
    /// Makes everything durable, and waits for the verdict; `Some` when another pod has the table.
    pub(super) async fn hand_over(&mut self, wish: HandOver) -> Result<Option<Ended>, Error> {
        self.flush().await?;
        if self.is_ahead_of_its_snapshot() {
            // The heir has less to read then.
            self.snapshot().await;
        }
        if wish.released.send(self.epoch()).is_err() {
            return Ok(None);
        }
        // Without a verdict the table goes on: if another pod has claimed it after all, the next
        // append is refused.
        Ok(match wish.verdict.await {
            Ok(Verdict::Moved(owner)) => Some(Ended::Moved(Some(owner))),
            Ok(Verdict::Stay) | Err(_) => None,
        })
    }
}

/// Answers what still lies in the mailbox of a table that has moved.
pub fn turn_away(mailbox: &mut mpsc::Receiver<Message>, owner: Option<&Arc<str>>) {
    mailbox.close();
    while let Ok(message) = mailbox.try_recv() {
        match message {
            Message::Act(act) => {
                let moved = Error::TableMoved { owner: owner.cloned() };
                let _ = act.answer.send(Err(moved.into()));
            }
            Message::Subscribe(subscribe) => {
                Subscriber::of(subscribe).send(Delivery::moved(owner));
            }
            // Whoever asked sees that the answer will not come.
            _ => {}
        }
    }
}

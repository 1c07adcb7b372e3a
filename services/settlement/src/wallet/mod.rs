//! Wallets that the operator keeps outside of this ledger.
//!
//! By default a player's wallet is an account of the ledger. With an operator's own wallet the
//! ledger keeps only what is at tables: a buy-in is debited there and then held here, and what is
//! left of it is paid out there when it is released here. Two databases cannot commit together, so
//! every step is written down before it is taken, has a key of its own, and is taken again until
//! its end is known:
//!
//! ```text
//! buy-in    pending ── operator says yes ──▶ paid ── hold is in the ledger ──▶ done
//!              └────── operator says no ───▶ refused      └─ ledger says no ─▶ refused, credit
//! release   pending (written with the ledger's own entry) ── operator says yes ──▶ done
//! ```
//!
//! A step whose end is not known (no answer, an answer that makes no sense) stays as it is and is
//! asked again under the same key. So chips appear at a table only after the operator has said that
//! they were taken, and are paid out until the operator has said that they arrived.
//!
//! * [`provider`]: what an operator is asked, and what counts as an answer; [`http`]: over HTTP.
//! * [`Custody`]: the ledger with wallets outside; [`courier`]: the task that finishes what was
//!   begun.

pub(crate) mod courier;
mod custody;
pub mod http;
pub mod provider;

pub use custody::{Custody, Timing};

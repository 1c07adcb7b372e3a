//! A hand's money in the words of `parlor.rules.v1`.

use parlor_game::{HandResult, Party};
use parlor_proto::rules::v1 as pb;

/// The message of a finished hand's money.
#[must_use]
pub fn result_to(result: &HandResult) -> pb::HandResult {
    let transfers = result
        .transfers
        .iter()
        .map(|transfer| pb::Transfer {
            from: Some(party_to(transfer.from)),
            to: Some(party_to(transfer.to)),
            amount: transfer.amount.0,
            short: transfer.short.0,
            why: transfer.why.clone().into_owned(),
        })
        .collect();
    pb::HandResult { transfers }
}

fn party_to(party: Party) -> pb::Party {
    let party = match party {
        Party::Seat(seat) => pb::party::Party::Seat(u32::from(seat.0)),
        Party::House => pb::party::Party::House(true),
    };
    pb::Party { party: Some(party) }
}

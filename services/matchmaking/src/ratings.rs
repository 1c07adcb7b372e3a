//! How strong players are.

use std::time::Duration;

use async_trait::async_trait;
use futures_util::future::join_all;
use parlor_common::client::PeerChannel;
use parlor_common::{Failure, PlayerId};
use parlor_proto::settlement::v1::GetRatingRequest;
use parlor_proto::settlement::v1::history_service_client::HistoryServiceClient;
use tonic::Request;

use crate::ticket::{Member, Rating};

/// Longest wait for a rating; without it a player counts as a newcomer.
const TIMEOUT: Duration = Duration::from_millis(500);

/// Knows how strong players are.
#[async_trait]
pub trait Ratings: Send + Sync + 'static {
    /// The player's rating in a game; a newcomer's when it is not known.
    async fn rating(&self, player: PlayerId, game: &str) -> Rating;
}

/// The mean rating of a party.
pub async fn of_party(ratings: &dyn Ratings, members: &[Member], game: &str) -> Rating {
    let asked = members.iter().map(|member| ratings.rating(member.player, game));
    Rating::mean(&join_all(asked).await)
}

/// Everybody is a newcomer: without a settlement service.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unrated;

#[async_trait]
impl Ratings for Unrated {
    async fn rating(&self, _player: PlayerId, _game: &str) -> Rating {
        Rating::NEWCOMER
    }
}

/// The ratings that the settlement service keeps.
#[derive(Clone, Debug)]
pub struct SettlementRatings {
    channel: PeerChannel,
}

impl SettlementRatings {
    /// Asks the settlement service behind this channel.
    #[must_use]
    pub const fn new(channel: PeerChannel) -> Self {
        Self { channel }
    }
}

#[async_trait]
impl Ratings for SettlementRatings {
    async fn rating(&self, player: PlayerId, game: &str) -> Rating {
        let message = GetRatingRequest { player_id: player.to_string(), game: game.to_owned() };
        let mut request = Request::new(message);
        request.set_timeout(TIMEOUT);
        let mut client = HistoryServiceClient::new(self.channel.clone());
        match client.get_rating(request).await {
            Ok(answer) => in_hundredths(answer.into_inner().rating),
            Err(status) => {
                let failure = Failure::from(status);
                tracing::debug!(%failure, "a rating is not known");
                Rating::NEWCOMER
            }
        }
    }
}

/// Hundredths of a point; a newcomer's for what is no number.
fn in_hundredths(points: f64) -> Rating {
    let hundredths = (points * 100.0).round();
    if !hundredths.is_finite() {
        return Rating::NEWCOMER;
    }
    // In range after the clamp, so nothing is cut off.
    #[allow(clippy::cast_possible_truncation)]
    Rating(hundredths.clamp(f64::from(i32::MIN), f64::from(i32::MAX)) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_become_hundredths() {
        for (points, rating) in [
            (25.0, Rating::NEWCOMER),
            (31.416, Rating(3142)),
            (-1.5, Rating(-150)),
            (f64::NAN, Rating::NEWCOMER),
            (f64::INFINITY, Rating::NEWCOMER),
            (1e300, Rating(i32::MAX)),
        ] {
            assert_eq!(in_hundredths(points), rating, "{points}");
        }
    }
}

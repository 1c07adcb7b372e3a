//! A blackjack table, as the tests of the service play it.

use parlor_common::PlayerId;
use parlor_proto::rules::v1 as rules;
use parlor_proto::table::v1 as pb;

use crate::house::{House, Watch};

pub const BUY_IN: i64 = 1_000;

/// A chips table with bots on the free seats, for one player.
pub fn request(request_id: &str, player: PlayerId) -> pb::CreateTableRequest {
    let options = rules::BlackjackOptions {
        seats: Some(3),
        banker: Some(1),
        ..rules::BlackjackOptions::default()
    };
    pb::CreateTableRequest {
        request_id: request_id.to_owned(),
        settings: Some(pb::TableSettings {
            options: Some(rules::Options { game: Some(rules::options::Game::Blackjack(options)) }),
            stake_mode: pb::StakeMode::Chips.into(),
            buy_in: BUY_IN,
            fill_with_bots: true,
            always_ready: true,
            ..pb::TableSettings::default()
        }),
        reservations: vec![pb::SeatReservation {
            player_id: player.to_string(),
            name: "Tester".into(),
            seat: Some(0),
            host: true,
        }],
    }
}

pub fn view(view: &pb::TableView) -> Option<&rules::BlackjackView> {
    match view.view.as_ref()?.game.as_ref()? {
        rules::view::Game::Blackjack(view) => Some(view),
        _ => None,
    }
}

pub fn play(action: rules::blackjack_command::Action) -> pb::command::Command {
    let command = rules::BlackjackCommand { action: Some(action) };
    let game = Some(rules::command::Game::Blackjack(command));
    pb::command::Command::Play(rules::Command { game })
}

pub fn mv(mv: rules::BlackjackMove) -> pb::command::Command {
    play(rules::blackjack_command::Action::Move(mv.into()))
}

/// What a careful player does: the lowest bet, no insurance, stand.
pub fn choice(view: &rules::BlackjackView) -> Option<pb::command::Command> {
    let actions = view.actions.as_ref()?;
    if let Some(bet) = &actions.bet {
        let stake = rules::BlackjackStake { amount: Some(bet.lowest) };
        return Some(play(rules::blackjack_command::Action::Bet(stake)));
    }
    if actions.decline_insurance {
        return Some(mv(rules::BlackjackMove::DeclineInsurance));
    }
    actions.stand.then(|| mv(rules::BlackjackMove::Stand))
}

/// Plays for the player until `hands` are finished.
pub async fn play_hands(house: &House, watch: &mut Watch, player: PlayerId, hands: usize) {
    let mut number = 0;
    let ended = |watch: &Watch| {
        let ended =
            |one: &&pb::table_event::Event| matches!(one, pb::table_event::Event::HandEnded(_));
        watch.events.iter().filter(ended).count()
    };
    while ended(watch) < hands {
        if let Some(command) = view(&watch.view).and_then(choice) {
            number += 1;
            let id = format!("play-{}-{number}", watch.view.hand_no);
            // The round may have moved on since the view was made; then the next view decides.
            let _ = house.act(&watch.view.table_id, player, &id, command).await;
        }
        watch.next().await.unwrap();
    }
}

//! The table around a game.

use parlor_game::shell::{Command, Duty, Event, Freed, Input, Outcome, Phase, Stakes, Tenure};
use parlor_game::{Amount, Seat};

use crate::guess::Command::Say;
use crate::table::{Room, player, reason, settings};

const CHIPS: Stakes = Stakes::Chips { buy_in: Amount(100) };

#[test]
fn a_hand_starts_when_everybody_is_ready_and_not_before() {
    let mut room = Room::open(settings(Stakes::Points));
    room.arrive(1);
    room.sit(2).unwrap();
    room.say(1, Command::Ready(true)).unwrap();
    assert_eq!(room.table.start_at_ms, None, "one is not ready");
    room.say(2, Command::Ready(true)).unwrap();
    assert_eq!(room.table.start_at_ms, Some(room.now_ms + 3_000));
    room.say(2, Command::Ready(false)).unwrap();
    assert_eq!(room.table.start_at_ms, None, "it is called off");
    room.say(2, Command::Ready(true)).unwrap();
    room.pass_time();
    assert_eq!((room.table.phase, room.table.hands_started), (Phase::InHand, 1));
}

#[test]
fn a_finished_hand_moves_stacks_and_is_posted() {
    let mut room = Room::in_hand();
    let number = room.table.game.number.unwrap();
    room.play_hand(&[(1, number), (2, (number + 5) % 10)]);
    assert_eq!((room.stack(0), room.stack(1)), (1, -1), "points may go negative");
    let posted = room.meet_all();
    assert!(matches!(&posted[..], [Duty::PostHand { hand: 1, changes, .. }] if changes.is_empty()));
    assert!(room.table.unrevealed.is_empty(), "the seed is revealed");
    assert!(room.table.next_seed.is_some(), "and the next one is drawn");
    room.pass_time();
    assert_eq!(room.table.hands_started, 2, "ready seats go on");
}

#[test]
fn the_house_of_a_points_table_asks_the_ledger_for_nothing() {
    let mut points = settings(Stakes::Points);
    points.options.commission = Amount(2);
    let mut room = Room::ready_with(points);
    room.pass_time();
    let number = room.table.game.number.unwrap();
    room.play_hand(&[(1, number), (2, (number + 5) % 10)]);
    assert_eq!((room.stack(0), room.stack(1)), (-1, -1), "the score sheet has it");
    let posted = room.meet_all();
    let [Duty::PostHand { changes, commission, .. }] = &posted[..] else {
        panic!("one posting: {posted:?}");
    };
    assert!(changes.is_empty() && *commission == Amount::ZERO, "no money moves");
}

#[test]
fn chips_are_held_before_a_seat_plays_and_released_when_it_leaves() {
    let mut room = Room::open(settings(CHIPS));
    room.arrive(1);
    room.sit(2).unwrap();
    assert_eq!(room.table.occupant(Seat(0)).unwrap().tenure, Tenure::Funding);
    room.say(1, Command::Ready(true)).unwrap();
    room.say(2, Command::Ready(true)).unwrap();
    assert_eq!(room.table.start_at_ms, None, "no hand before the money is there");
    let held = room.meet_all();
    assert_eq!(held.len(), 2);
    assert_eq!(room.stack(0), 100);
    room.pass_time();
    let number = room.table.game.number.unwrap();
    room.play_hand(&[(1, number), (2, (number + 5) % 10)]);
    room.say(2, Command::StandUp).unwrap();
    let duties = room.meet_all();
    let [Duty::PostHand { changes, .. }, Duty::Release { hold: 2, amount }] = &duties[..] else {
        panic!("posted before released: {duties:?}");
    };
    assert_eq!(changes, &[(1, Amount(1)), (2, Amount(-1))]);
    assert_eq!(*amount, Amount(99));
    assert!(room.table.occupant(Seat(1)).is_none());
}

#[test]
fn a_refused_buy_in_frees_the_seat() {
    let mut room = Room::open(settings(CHIPS));
    room.arrive(1);
    room.sit(2).unwrap();
    let refused = Outcome::Refused("LEDGER_INSUFFICIENT_FUNDS".into());
    room.give(Input::Obligation { id: 1, outcome: Outcome::Met }).unwrap();
    let events = room.give(Input::Obligation { id: 2, outcome: refused.clone() }).unwrap();
    assert!(events.iter().any(|event| matches!(event, Event::Unfunded { seat: Seat(1), .. })));
    assert!(room.table.occupant(Seat(1)).is_none());
    assert!(room.give(Input::Obligation { id: 2, outcome: refused }).unwrap().is_empty(), "once");
}

#[test]
fn a_seat_that_times_out_twice_goes_to_auto_play_and_takes_control_back() {
    let mut room = Room::in_hand();
    room.pass_time();
    assert_eq!(room.table.occupant(Seat(0)).unwrap().timeouts, 1);
    room.pass_time();
    room.pass_time();
    room.meet_all();
    room.pass_time();
    assert_eq!(room.table.hands_started, 2);
    let events = room.pass_time();
    assert!(events.contains(&Event::TimedOut(Seat(0), false)));
    assert!(events.contains(&Event::AutoPlayed(Seat(0), true)));
    let refused = room.say(1, Command::Play(Say(3)));
    assert_eq!(reason(refused), "on_auto_play");
    room.say(1, Command::AutoPlay(false)).unwrap();
    assert_eq!(room.table.occupant(Seat(0)).unwrap().timeouts, 0);
}

#[test]
fn answering_in_time_forgives_an_earlier_time_out() {
    let mut room = Room::in_hand();
    room.pass_time();
    room.say(2, Command::Play(Say(1))).unwrap();
    room.pass_time();
    room.meet_all();
    room.pass_time();
    room.say(1, Command::Play(Say(1))).unwrap();
    assert_eq!(room.table.occupant(Seat(0)).unwrap().timeouts, 0);
}

#[test]
fn auto_play_makes_the_table_act_after_a_short_pause() {
    let mut room = Room::in_hand();
    room.say(1, Command::AutoPlay(true)).unwrap();
    let pause = room.table.clock(Seat(0)).unwrap().deadline_ms - room.now_ms;
    assert_eq!(pause, 800);
    room.pass_time();
    assert_eq!(room.table.game.said, [(Seat(0), 0)]);
}

#[test]
fn changing_to_auto_play_and_back_gains_no_time() {
    let mut room = Room::in_hand();
    let deadline = room.table.clock(Seat(0)).unwrap().deadline_ms;
    room.now_ms += 5_000;
    room.say(1, Command::AutoPlay(true)).unwrap();
    room.say(1, Command::AutoPlay(false)).unwrap();
    assert_eq!(room.table.clock(Seat(0)).unwrap().deadline_ms, deadline);
}

#[test]
fn a_time_bank_lengthens_turns_until_the_hand_has_used_it_up() {
    let mut settings = settings(Stakes::Points);
    settings.pacing.time_bank_ms = 4_000;
    let mut room = Room::ready_with(settings);
    room.pass_time();
    let left = |room: &Room, seat| room.table.occupant(Seat(seat)).unwrap().time_bank_ms;
    let clock = *room.table.clock(Seat(0)).unwrap();
    assert_eq!(clock.deadline_ms - room.now_ms, 14_000, "ten seconds and the bank");
    room.now_ms += 11_500;
    let events = room.say(1, Command::Play(Say(1))).unwrap();
    assert!(events.contains(&Event::TimeBankLeft(Seat(0), 2_500)));
    assert_eq!((left(&room, 0), left(&room, 1)), (2_500, 4_000), "each has its own");
    let events = room.pass_time();
    assert!(events.contains(&Event::TimedOut(Seat(1), false)), "not before the bank is empty");
    assert_eq!(left(&room, 1), 0);
    room.pass_time();
    room.meet_all();
    room.pass_time();
    assert_eq!(room.table.hands_started, 2);
    assert_eq!((left(&room, 0), left(&room, 1)), (4_000, 4_000), "full in each hand");
}

#[test]
fn bots_fill_free_seats_and_choose_for_themselves() {
    let mut settings = settings(Stakes::Points);
    settings.admission.fill_with_bots = true;
    settings.admission.always_ready = true;
    let mut room = Room::open(settings);
    assert_eq!(room.table.occupants().count(), 1, "not while the player is awaited");
    room.arrive(1);
    assert_eq!(room.table.occupants().count(), 3);
    let mut players: Vec<_> = room.table.occupants().map(|(_, one)| one.player).collect();
    players.sort();
    players.dedup();
    assert_eq!(players.len(), 3, "each bot is somebody of its own");
    room.pass_time();
    room.say(1, Command::Play(Say(9))).unwrap();
    room.pass_time();
    room.pass_time();
    assert_eq!(room.table.game.said, [(Seat(0), 9), (Seat(1), 5), (Seat(2), 5)]);
}

#[test]
fn a_player_who_stands_up_in_a_hand_is_played_for_until_it_is_over() {
    let mut room = Room::in_hand();
    room.say(1, Command::StandUp).unwrap();
    assert_eq!(reason(room.say(1, Command::Play(Say(1)))), "leaving");
    assert_eq!(reason(room.say(1, Command::AutoPlay(false))), "leaving");
    room.pass_time();
    room.say(2, Command::Play(Say(1))).unwrap();
    room.pass_time();
    assert!(room.table.occupant(Seat(0)).is_none());
    assert!(room.table.occupant(Seat(1)).unwrap().host, "the other is host now");
}

#[test]
fn a_player_who_does_not_arrive_loses_the_reservation() {
    let mut room = Room::open(settings(Stakes::Points));
    let events = room.pass_time();
    assert!(events.contains(&Event::Freed { seat: Seat(0), why: Freed::Expired }));
    assert_eq!(room.table.phase, Phase::Closed, "nobody else is expected");
}

#[test]
fn a_player_who_stays_away_loses_the_seat_between_hands_and_goes_to_auto_play_in_one() {
    let mut room = Room::in_hand();
    room.leave(2);
    room.say(1, Command::Play(Say(1))).unwrap();
    room.now_ms += 60_000;
    room.give(Input::Tick).unwrap();
    assert!(room.table.occupant(Seat(1)).unwrap().auto_play);
    room.arrive(2);
    assert!(!room.table.occupant(Seat(1)).unwrap().auto_play, "coming back takes control back");

    let mut room = Room::ready();
    room.leave(2);
    assert_eq!(room.table.start_at_ms, None, "no hand without the absent player");
    let events = room.pass_time();
    assert!(events.contains(&Event::Freed { seat: Seat(1), why: Freed::Away }));
}

#[test]
fn a_dissolve_vote_needs_everybody_and_silence_agrees() {
    let mut room = Room::in_hand();
    room.say(1, Command::ProposeDissolve).unwrap();
    assert_eq!(reason(room.say(2, Command::ProposeDissolve)), "vote_open");
    room.say(2, Command::VoteDissolve(false)).unwrap();
    assert_eq!(room.table.vote, None);
    assert_eq!(reason(room.say(2, Command::VoteDissolve(true))), "no_vote");
    room.say(1, Command::ProposeDissolve).unwrap();
    let events = room.say(2, Command::VoteDissolve(true)).unwrap();
    assert!(events.contains(&Event::HandVoided { number: 1 }));
    assert_eq!(room.table.phase, Phase::Closed);
    assert_eq!(room.table.occupants().count(), 0);

    let mut room = Room::ready();
    room.say(1, Command::ProposeDissolve).unwrap();
    assert_eq!(room.table.start_at_ms, None, "no hand during a vote");
    room.now_ms += 60_000;
    room.give(Input::Tick).unwrap();
    assert_eq!(room.table.phase, Phase::Closed);
}

#[test]
fn a_table_that_closes_in_a_hand_gives_every_stack_back_as_it_was() {
    let mut room = Room::open(settings(CHIPS));
    room.arrive(1);
    room.sit(2).unwrap();
    room.meet_all();
    room.say(1, Command::Ready(true)).unwrap();
    room.say(2, Command::Ready(true)).unwrap();
    room.pass_time();
    room.say(1, Command::Play(Say(1))).unwrap();
    room.give(Input::Close("closed_by_operator".into())).unwrap();
    let released = room.meet_all();
    let whole = |duty: &Duty| matches!(duty, Duty::Release { amount: Amount(100), .. });
    assert_eq!(released.iter().filter(|duty| whole(duty)).count(), 2);
    assert_eq!(reason(room.sit(3)), "table_closed");
}

#[test]
fn a_paused_table_runs_no_clock() {
    let mut room = Room::in_hand();
    assert_eq!(reason(room.say(2, Command::Pause(true))), "not_host");
    room.say(1, Command::Pause(true)).unwrap();
    assert_eq!(room.table.next_deadline(), None);
    assert_eq!(reason(room.say(1, Command::Play(Say(1)))), "table_paused");
    room.now_ms += 100_000;
    room.say(1, Command::Pause(false)).unwrap();
    assert_eq!(room.table.clock(Seat(0)).unwrap().deadline_ms, room.now_ms + 10_000);
}

#[test]
fn a_match_ends_and_the_host_may_call_a_rematch() {
    let mut settings = settings(Stakes::Points);
    settings.options.hands = 1;
    let mut room = Room::open(settings);
    room.arrive(1);
    room.sit(2).unwrap();
    room.say(1, Command::Ready(true)).unwrap();
    room.say(2, Command::Ready(true)).unwrap();
    room.pass_time();
    assert_eq!(reason(room.say(1, Command::Rematch)), "match_not_over");
    room.play_hand(&[(1, 1), (2, 2)]);
    assert_eq!(room.table.phase, Phase::MatchOver);
    assert_eq!(reason(room.say(2, Command::Rematch)), "not_host");
    room.say(1, Command::Rematch).unwrap();
    assert_eq!((room.table.phase, room.stack(0)), (Phase::Waiting, 0));
}

#[test]
fn refusals_are_stable_and_change_nothing() {
    let mut room = Room::ready();
    let sit = |seat| Command::Sit { seat: Some(Seat(seat)), buy_in: Amount(0), name: "X".into() };
    let cases = [
        (1, sit(2), "already_seated"),
        (3, sit(0), "seat_taken"),
        (3, sit(9), "bad_seat"),
        (3, Command::Ready(true), "not_seated"),
        (3, Command::Play(Say(1)), "not_seated"),
        (1, Command::Play(Say(1)), "no_hand"),
        (1, Command::Emote(0), "bad_expression"),
        (1, Command::Emote(33), "bad_expression"),
        (1, Command::ClientSeed(vec![0; 33]), "client_seed_too_long"),
        (2, Command::Kick(Seat(0)), "not_host"),
        (1, Command::Kick(Seat(2)), "seat_empty"),
        (2, Command::AddBot(None), "not_host"),
    ];
    for (number, command, expected) in cases {
        assert_eq!(reason(room.say(number, command.clone())), expected, "{command:?}");
    }
    room.sit(3).unwrap();
    assert_eq!(reason(room.sit(4)), "table_full");
    let mut room = Room::in_hand();
    assert_eq!(reason(room.say(2, Command::Play(Say(1)))), "not_your_turn");
    assert_eq!(reason(room.say(1, Command::Play(Say(10)))), "out_of_range");
    assert_eq!(reason(room.say(1, Command::Kick(Seat(1)))), "hand_running");
    room.sit(3).unwrap();
    assert_eq!(reason(room.say(3, Command::Play(Say(1)))), "not_in_hand");
}

#[test]
fn emotes_are_shown_but_not_too_fast() {
    let mut room = Room::ready();
    room.now_ms += 1_000;
    room.say(1, Command::Emote(1)).unwrap();
    assert_eq!(reason(room.say(1, Command::QuickChat(2))), "too_fast");
    room.now_ms += 1_000;
    room.say(1, Command::QuickChat(2)).unwrap();
}

#[test]
fn a_client_seed_changes_the_shuffle_of_the_next_hand_only() {
    let mut plain = Room::ready();
    let mut seeded = Room::ready();
    seeded.say(2, Command::ClientSeed(vec![1, 2, 3])).unwrap();
    plain.pass_time();
    seeded.pass_time();
    let key = |room: &Room| room.table.hand.as_ref().unwrap().entropy.clone();
    assert_ne!(key(&plain), key(&seeded));
    assert_eq!(seeded.table.unrevealed[0].clients[1], [1, 2, 3]);
    assert!(seeded.table.client_seeds.iter().all(Vec::is_empty), "it is used up");
}

#[test]
fn the_host_seats_and_removes_bots_where_they_are_allowed() {
    let mut room = Room::ready();
    room.say(1, Command::AddBot(None)).unwrap();
    assert!(room.table.occupant(Seat(2)).unwrap().bot);
    room.say(1, Command::Kick(Seat(2))).unwrap();
    assert!(room.table.occupant(Seat(2)).is_none());
    assert_eq!(room.table.seat_of(player(1)), Some(Seat(0)));
    let mut settings = settings(Stakes::Points);
    settings.admission.bots_allowed = false;
    let mut room = Room::open(settings);
    room.arrive(1);
    assert_eq!(reason(room.say(1, Command::AddBot(None))), "bots_not_allowed");
}

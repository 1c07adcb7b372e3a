use std::sync::Arc;

use parlor_common::{HoldId, PlayerId, Shutdown, TableId};
use parlor_settlement::Error;
use parlor_settlement::books::Books;
use parlor_settlement::ledger::Ledger;
use parlor_settlement::money::{Chips, Deposit, Kind, Request, Submission};
use parlor_settlement::page::PageRequest;
use parlor_settlement::store::Balance;

use crate::sandbox::{NOW_MS, Sandbox};
use crate::scene::{Table, bot_hold, deposit, hold, release, reverse};

type Place = Arc<Sandbox>;

async fn balance(books: &Books, player: PlayerId) -> (i64, i64) {
    let Balance { wallet, held } = books.balance(player).await.unwrap();
    (wallet.0, held.0)
}

async fn is_sound(books: &Books) {
    let audit = books.reconcile().await.unwrap();
    assert!(audit.sound(), "{audit:?}");
}

pub async fn money_goes_from_the_wallet_to_the_stack_and_back(books: Books, _: Place) {
    let table = Table::seat(&books, 4, 1_000).await;
    assert_eq!(balance(&books, table.players[0]).await, (0, 1_000));
    table.script(1, &[300, -100, -100, -110]).post(&books).await.unwrap();
    for (seat, left) in [1_300, 900, 900, 890].into_iter().enumerate() {
        assert_eq!(balance(&books, table.players[seat]).await, (0, left));
        let receipt = release(&books, &format!("r/{seat}"), table.holds[seat], left).await;
        assert_eq!(receipt.unwrap().balance, Chips(left));
        assert_eq!(balance(&books, table.players[seat]).await, (left, 0));
    }
    is_sound(&books).await;
}

pub async fn a_player_who_was_never_seen_has_nothing(books: Books, _: Place) {
    assert_eq!(balance(&books, PlayerId::random()).await, (0, 0));
    is_sound(&books).await;
}

pub async fn a_wallet_is_never_overdrawn(books: Books, _: Place) {
    let player = PlayerId::random();
    deposit(&books, "a", player, 100).await.unwrap();
    let refused = Err(Error::InsufficientFunds { available: Chips(100) });
    assert_eq!(deposit(&books, "b", player, -101).await, refused);
    let held = hold(&books, "c", TableId::random(), player, 101).await;
    assert_eq!(held, Err(Error::InsufficientFunds { available: Chips(100) }));
    deposit(&books, "d", player, -100).await.unwrap();
    assert_eq!(balance(&books, player).await, (0, 0));
    is_sound(&books).await;
}

pub async fn a_stack_is_never_overdrawn(books: Books, _: Place) {
    let table = Table::seat(&books, 2, 50).await;
    let refused = table.script(1, &[51, -51]).post(&books).await;
    let hold = table.holds[1].to_string();
    assert_eq!(refused, Err(Error::InsufficientStack { hold, available: Chips(50) }));
    table.script(1, &[50, -50]).post(&books).await.unwrap();
    is_sound(&books).await;
}

pub async fn the_same_key_gives_the_first_answer_and_moves_money_once(books: Books, _: Place) {
    let player = PlayerId::random();
    let first = deposit(&books, "a", player, 100).await.unwrap();
    deposit(&books, "b", player, 1).await.unwrap();
    assert_eq!(deposit(&books, "a", player, 100).await, Ok(first));
    assert_eq!(first.balance, Chips(100));
    assert_eq!(balance(&books, player).await, (101, 0));

    let table = Table::seat(&books, 2, 50).await;
    let script = table.script(1, &[10, -10]);
    let posted = script.post(&books).await.unwrap();
    assert_eq!(script.post(&books).await, Ok(posted));
    let key = format!("hold/{}/0", table.id);
    let again = hold(&books, &key, table.id, table.players[0], 50).await;
    assert_eq!(again, Ok(table.holds[0]));
    let released = release(&books, "r", table.holds[0], 60).await.unwrap();
    assert_eq!(release(&books, "r", table.holds[0], 60).await, Ok(released));
    assert_eq!(balance(&books, table.players[0]).await, (60, 0));
    is_sound(&books).await;
}

pub async fn the_same_key_with_another_body_is_a_conflict(books: Books, _: Place) {
    let player = PlayerId::random();
    deposit(&books, "a", player, 100).await.unwrap();
    let conflict = Err(Error::IdempotencyConflict);
    assert_eq!(deposit(&books, "a", player, 101).await, conflict);
    assert_eq!(deposit(&books, "a", PlayerId::random(), 100).await, conflict);
    let table = Table::seat(&books, 2, 50).await;
    table.script(1, &[10, -10]).post(&books).await.unwrap();
    assert_eq!(table.script(1, &[11, -11]).post(&books).await, conflict);
    assert_eq!(balance(&books, table.players[0]).await, (0, 60));
    is_sound(&books).await;
}

pub async fn a_key_is_shared_by_all_operations(books: Books, _: Place) {
    let player = PlayerId::random();
    deposit(&books, "a", player, 100).await.unwrap();
    let held = hold(&books, "a", TableId::random(), player, 100).await;
    assert_eq!(held, Err(Error::IdempotencyConflict));
}

pub async fn a_refused_request_leaves_no_trace(books: Books, _: Place) {
    let player = PlayerId::random();
    deposit(&books, "a", player, -5).await.unwrap_err();
    deposit(&books, "b", player, 10).await.unwrap();
    let later = deposit(&books, "a", player, -5).await.unwrap();
    assert_eq!((later.transaction, later.balance), (2, Chips(5)));
    is_sound(&books).await;
}

pub async fn a_hand_that_does_not_sum_to_zero_is_refused(books: Books, _: Place) {
    let table = Table::seat(&books, 2, 50).await;
    let mut script = table.script(1, &[10, -10]);
    script.commission = 1;
    assert_eq!(script.post(&books).await, Err(Error::Unbalanced { sum: 1 }));
    let mut script = table.script(1, &[10, -9]);
    assert_eq!(script.post(&books).await, Err(Error::BadAmount), "a negative commission");
    script.commission = 0;
    assert_eq!(script.post(&books).await, Err(Error::Unbalanced { sum: 1 }));
    is_sound(&books).await;
}

pub async fn a_hand_may_only_change_open_holds_of_its_table(books: Books, _: Place) {
    let table = Table::seat(&books, 2, 50).await;
    let other = Table::seat(&books, 2, 50).await;
    let mut script = table.script(1, &[10, -10]);
    script.plays[1].hold = Some(other.holds[1]);
    let elsewhere = Error::HoldElsewhere(other.holds[1].to_string());
    assert_eq!(script.post(&books).await, Err(elsewhere));
    let unknown = HoldId::of("unknown");
    script.plays[1].hold = Some(unknown);
    assert_eq!(script.post(&books).await, Err(Error::HoldNotFound(unknown.to_string())));
    script.plays[1].hold = script.plays[0].hold;
    assert_eq!(script.post(&books).await, Err(Error::DuplicateHold));
    release(&books, "r", table.holds[1], 50).await.unwrap();
    let closed = Err(Error::HoldClosed(table.holds[1].to_string()));
    assert_eq!(table.script(1, &[10, -10]).post(&books).await, closed);
    let again = release(&books, "r2", table.holds[1], 0).await;
    assert_eq!(again, closed);
    is_sound(&books).await;
}

pub async fn a_hand_whose_record_contradicts_its_money_is_refused(books: Books, _: Place) {
    let table = Table::seat(&books, 3, 50).await;
    // The third seat's change is in the record and not in the posting.
    let mut script = table.script(1, &[10, -10, 0]);
    script.plays[2].change = 7;
    script.plays[2].hold = None;
    let refused = script.post(&books).await;
    assert!(matches!(refused, Err(Error::BadRecord(_))), "{refused:?}");
    // Money of somebody who is not in the record.
    let mut script = table.script(1, &[10, -10, 0]);
    script.plays[1].player = PlayerId::random();
    let refused = script.post(&books).await;
    assert!(matches!(refused, Err(Error::BadRecord(_))), "{refused:?}");
    is_sound(&books).await;
}

pub async fn a_release_must_name_what_the_ledger_has(books: Books, _: Place) {
    let table = Table::seat(&books, 2, 50).await;
    table.script(1, &[10, -10]).post(&books).await.unwrap();
    let mismatch = Err(Error::StackMismatch { ledger: Chips(60) });
    assert_eq!(release(&books, "r", table.holds[0], 50).await, mismatch);
    assert_eq!(balance(&books, table.players[0]).await, (0, 60));
    release(&books, "r", table.holds[0], 60).await.unwrap();
    is_sound(&books).await;
}

pub async fn a_bot_is_staked_by_the_bank(books: Books, _: Place) {
    let mut table = Table::seat(&books, 1, 100).await;
    let bot = PlayerId::random();
    table.players.push(bot);
    table.holds.push(bot_hold(&books, "bot", table.id, bot, 100).await.unwrap());
    assert_eq!(balance(&books, bot).await, (0, 0), "a bot has no money of its own");
    let mut script = table.script(1, &[100, -100]);
    script.bots.push(bot);
    script.post(&books).await.unwrap();
    let receipt = release(&books, "r", table.holds[1], 0).await.unwrap();
    assert_eq!(receipt.balance, Chips::ZERO);
    release(&books, "s", table.holds[0], 200).await.unwrap();
    assert_eq!(balance(&books, table.players[0]).await, (200, 0));
    is_sound(&books).await;
}

pub async fn a_deposit_is_reversed_once(books: Books, _: Place) {
    let player = PlayerId::random();
    let first = deposit(&books, "a", player, 100).await.unwrap().transaction;
    assert_eq!(reverse(&books, "v", 99).await, Err(Error::TransactionNotFound(99)));
    let undone = reverse(&books, "v", first).await.unwrap();
    assert_eq!(reverse(&books, "v", first).await, Ok(undone), "the same request");
    assert_eq!(reverse(&books, "w", first).await, Err(Error::AlreadyReversed));
    assert_eq!(balance(&books, player).await, (0, 0));
    let refused = reverse(&books, "x", undone.transaction).await;
    assert_eq!(refused, Err(Error::NotReversible("reversal")));
    // Spent money cannot be taken back.
    let spent = deposit(&books, "b", player, 100).await.unwrap().transaction;
    deposit(&books, "c", player, -60).await.unwrap();
    let refused = reverse(&books, "y", spent).await;
    assert_eq!(refused, Err(Error::InsufficientFunds { available: Chips(40) }));
    is_sound(&books).await;
}

pub async fn a_hand_is_reversed_when_its_stacks_are_back(books: Books, _: Place) {
    let table = Table::seat(&books, 2, 50).await;
    let hand = table.script(1, &[20, -25]).post(&books).await.unwrap().transaction;
    assert_eq!(reverse(&books, "v", hand).await, Err(Error::StackOpen));
    release(&books, "r0", table.holds[0], 70).await.unwrap();
    release(&books, "r1", table.holds[1], 25).await.unwrap();
    reverse(&books, "v", hand).await.unwrap();
    assert_eq!(balance(&books, table.players[0]).await, (50, 0));
    assert_eq!(balance(&books, table.players[1]).await, (50, 0));
    is_sound(&books).await;
}

pub async fn holds_and_releases_are_not_reversed(books: Books, _: Place) {
    let table = Table::seat(&books, 1, 50).await;
    let released = release(&books, "r", table.holds[0], 50).await.unwrap().transaction;
    let refused = reverse(&books, "v", released - 1).await;
    assert_eq!(refused, Err(Error::NotReversible("hold")));
    assert_eq!(reverse(&books, "w", released).await, Err(Error::NotReversible("release")));
}

pub async fn a_statement_shows_every_line_of_a_wallet_in_pages(books: Books, _: Place) {
    let player = PlayerId::random();
    for number in 1..=5 {
        deposit(&books, &format!("d/{number}"), player, number).await.unwrap();
    }
    deposit(&books, "other", PlayerId::random(), 99).await.unwrap();
    deposit(&books, "w", player, -15).await.unwrap();
    let mut page = PageRequest { size: 4, token: String::new() };
    let mut lines = Vec::new();
    loop {
        let next = books.entries(player, &page).await.unwrap();
        assert!(next.rows.len() <= 4);
        lines.extend(next.rows);
        if next.next.is_empty() {
            break;
        }
        page.token = next.next;
    }
    let seen: Vec<_> = lines.iter().map(|line| (line.amount.0, line.balance.0)).collect();
    assert_eq!(seen, [(-15, 0), (5, 15), (4, 10), (3, 6), (2, 3), (1, 1)]);
    assert_eq!(lines[0].kind, Kind::Withdrawal);
    assert_eq!(lines[1].kind, Kind::Deposit);
    assert_eq!((lines[0].reference.as_str(), lines[0].time_ms), ("welcome", NOW_MS));
    let wrong = books.entries(PlayerId::random(), &page).await;
    assert_eq!(wrong.err(), Some(Error::BadPageToken), "a token is of one player's statement");
}

pub async fn open_holds_are_listed_in_pages(books: Books, _: Place) {
    let table = Table::seat(&books, 4, 50).await;
    let other = Table::seat(&books, 1, 70).await;
    table.script(1, &[10, -10, 0, 0]).post(&books).await.unwrap();
    release(&books, "r", table.holds[3], 50).await.unwrap();
    let page = PageRequest { size: 2, token: String::new() };
    let first = books.open_holds(Some(table.id), &page).await.unwrap();
    let amounts: Vec<_> = first.rows.iter().map(|hold| (hold.id, hold.amount.0)).collect();
    assert_eq!(amounts, [(table.holds[0], 60), (table.holds[1], 40)]);
    let rest = PageRequest { size: 2, token: first.next };
    let rest = books.open_holds(Some(table.id), &rest).await.unwrap();
    assert_eq!(rest.rows.len(), 1);
    assert_eq!((rest.rows[0].id, rest.next.as_str()), (table.holds[2], ""));
    let all = books.open_holds(None, &PageRequest::default()).await.unwrap();
    assert_eq!(all.rows.len(), 4);
    assert_eq!((all.rows[3].table, all.rows[3].player), (other.id, other.players[0]));
}

pub async fn one_bad_request_does_not_fail_its_neighbours(books: Books, _: Place) {
    let player = PlayerId::random();
    deposit(&books, "start", player, 10).await.unwrap();
    let amounts = [3, -1_000, 4, -2_000, 5];
    let requests = amounts.iter().enumerate().map(|(number, amount)| {
        let deposit = Deposit::new(player, Chips(*amount), "batch".parse().unwrap()).unwrap();
        let key = format!("n/{number}").parse().unwrap();
        books.submit(Submission::new(key, Request::Deposit(deposit)).unwrap())
    });
    let results = futures_util::future::join_all(requests).await;
    let fine: Vec<_> = results.iter().map(Result::is_ok).collect();
    assert_eq!(fine, [true, false, true, false, true]);
    assert_eq!(balance(&books, player).await, (22, 0));
    is_sound(&books).await;
}

pub async fn concurrent_withdrawals_take_no_more_than_there_is(books: Books, place: Place) {
    // A second process on the same database.
    let shutdown = Shutdown::new();
    let others = place.books(&shutdown).await;
    let player = PlayerId::random();
    deposit(&books, "start", player, 50).await.unwrap();
    let requests = (0..100).map(|number| {
        let books = if number % 2 == 0 { books.clone() } else { others.clone() };
        async move { deposit(&books, &format!("w/{number}"), player, -1).await }
    });
    let results = futures_util::future::join_all(requests).await;
    assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 50);
    assert_eq!(balance(&books, player).await, (0, 0));
    is_sound(&books).await;
    drop(others);
    shutdown.finished(std::time::Duration::from_secs(5)).await.unwrap();
}

pub async fn a_reopened_ledger_goes_on_where_it_was(books: Books, place: Place) {
    let table = Table::seat(&books, 2, 50).await;
    let posted = table.script(1, &[10, -10]).post(&books).await.unwrap();
    drop(books);
    let shutdown = Shutdown::new();
    let books = place.books(&shutdown).await;
    assert_eq!(table.script(1, &[10, -10]).post(&books).await, Ok(posted));
    let next = table.script(2, &[-60, 60]).post(&books).await.unwrap();
    assert_eq!(next.transaction, posted.transaction + 1);
    is_sound(&books).await;
    drop(books);
    shutdown.finished(std::time::Duration::from_secs(5)).await.unwrap();
}

pub async fn balances_near_the_limit_do_not_wrap(books: Books, _: Place) {
    let player = PlayerId::random();
    let most = Chips::MOST.0;
    let fit = i64::MAX / most;
    let deposits = (0..fit).map(|number| {
        let books = &books;
        async move { deposit(books, &format!("d/{number}"), player, most).await.unwrap() }
    });
    futures_util::future::join_all(deposits).await;
    let left = i64::MAX - fit * most;
    deposit(&books, "last", player, left).await.unwrap();
    assert_eq!(deposit(&books, "more", player, 1).await, Err(Error::BalanceOverflow));
    assert_eq!(balance(&books, player).await, (i64::MAX, 0));
    assert_eq!(deposit(&books, "beyond", player, most + 1).await, Err(Error::BadAmount));
    is_sound(&books).await;
}

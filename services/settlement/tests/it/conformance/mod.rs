//! What every database must do: one list of cases, run on each.

mod audit;
mod boards;
mod history;
mod money;
mod orphans;
mod wallet;

/// One test a case and a database.
macro_rules! on_every_database {
    ($($module:ident: $($case:ident)+;)+) => {
        mod sqlite {
            $($(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $case() {
                    let sandbox = crate::sandbox::Sandbox::sqlite().await;
                    crate::sandbox::run(sandbox, super::$module::$case).await;
                }
            )+)+
        }
        mod postgres {
            $($(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $case() {
                    let sandbox = crate::sandbox::Sandbox::postgres().await;
                    crate::sandbox::run(sandbox, super::$module::$case).await;
                }
            )+)+
        }
    };
}

on_every_database! {
    money:
        money_goes_from_the_wallet_to_the_stack_and_back
        a_player_who_was_never_seen_has_nothing
        a_wallet_is_never_overdrawn
        a_stack_is_never_overdrawn
        the_same_key_gives_the_first_answer_and_moves_money_once
        the_same_key_with_another_body_is_a_conflict
        a_key_is_shared_by_all_operations
        a_refused_request_leaves_no_trace
        a_hand_that_does_not_sum_to_zero_is_refused
        a_hand_may_only_change_open_holds_of_its_table
        a_hand_whose_record_contradicts_its_money_is_refused
        a_release_must_name_what_the_ledger_has
        a_bot_is_staked_by_the_bank
        a_deposit_is_reversed_once
        a_hand_is_reversed_when_its_stacks_are_back
        holds_and_releases_are_not_reversed
        a_statement_shows_every_line_of_a_wallet_in_pages
        open_holds_are_listed_in_pages
        one_bad_request_does_not_fail_its_neighbours
        concurrent_withdrawals_take_no_more_than_there_is
        a_reopened_ledger_goes_on_where_it_was
        balances_near_the_limit_do_not_wrap;
    audit:
        an_audit_finds_what_was_tampered_with
        an_audit_misses_no_missing_transaction
        what_was_written_cannot_be_changed
        an_audit_sees_one_moment_while_money_moves;
    history:
        a_hand_is_kept_whole
        a_points_hand_is_recorded_without_money
        a_hand_is_hidden_from_who_was_not_there
        hands_are_listed_newest_first_in_pages
        results_follow_in_the_order_of_commitment_without_gaps
        results_of_one_game_leave_the_others_out
        results_wait_for_the_next_hand
        a_cursor_beyond_the_end_is_refused
        seeds_are_revealed_when_they_match_and_stay;
    boards:
        ratings_follow_the_hands
        each_hand_is_rated_once_by_however_many_processes
        bots_are_not_rated
        a_daily_board_keeps_the_best_score_of_each_player
        a_strange_name_or_day_does_not_stop_the_boards
        boards_have_a_name_and_a_size;
    orphans:
        stacks_of_a_table_that_stays_gone_go_back
        a_table_that_comes_back_or_may_be_there_is_left_alone;
    wallet:
        a_buy_in_comes_from_the_operator_and_goes_back
        a_refused_buy_in_may_be_asked_for_again
        chips_appear_only_after_a_clear_yes
        a_buy_in_that_was_taken_without_a_word_is_found
        a_payout_is_owed_until_it_is_taken
        a_buy_in_that_the_ledger_refuses_is_given_back
        an_operator_that_answers_twice_moves_money_once
        a_refusal_that_holds_the_token_is_not_passed_on
        an_operator_in_every_mood_loses_and_doubles_nothing;
}

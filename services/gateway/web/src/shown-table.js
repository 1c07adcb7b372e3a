// @ts-check
/** A table as the page shows it, made from what the server says of it. */

/**
 * @typedef {import('./client/protocol').TableView} TableView
 * @typedef {import('./client/protocol').TableEvent} TableEvent
 * @typedef {import('./client/protocol').SeatView} SeatView
 */

/**
 * The parts that are always needed are always there.
 * @typedef {TableView & {tableId: string, game: string, seats: SeatView[],
 *   spectating: boolean}} ShownTable
 */

/**
 * A table that closes sends everybody away; its last result is shown with those who sat there.
 * @param {string} tableId @param {TableView} view @param {ShownTable|null} before
 * @returns {ShownTable}
 */
export function shownTable(tableId, view, before) {
  const last = view.phase === 'PHASE_CLOSED' ? before : null;
  const ownSeat = last?.ownSeat ?? view.ownSeat;
  const seats = last?.seats ?? view.seats ?? [];
  const { game = '' } = view;
  return { ...view, tableId, game, seats, ownSeat, spectating: ownSeat === undefined };
}

/**
 * The last update of a match may come without a view: its events tell how a round ended.
 * @param {ShownTable} table @param {TableEvent[]} events
 */
export function settle(table, events) {
  for (const { play } of events) {
    const last = play?.blackjack?.settled?.settlement;
    if (!last) continue;
    table.view = { blackjack: { ...table.view?.blackjack, phase: 'BLACKJACK_PHASE_IDLE', last } };
  }
}

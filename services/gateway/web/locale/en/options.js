// @ts-check
import { spread } from '../options.js';

/** Words of the rooms screen and of every option. @type {Record<string, string>} */
export const optionsEn = {
  'rooms.game': 'Game',
  'rooms.table': 'Table',
  'rooms.rules': 'Rules',
  'rooms.more': 'All options',
  'rooms.less': 'Fewer options',
  'rooms.seconds': 'seconds',
  'rooms.busy': 'Leave your table first.',
  ...spread('table', {
    stakeMode: [
      'Stakes',
      'Chips come from your wallet; points are a score sheet that may go negative.',
      { CHIPS: 'Chips', POINTS: 'Points' },
    ],
    buyIn: ['Buy-in', 'Chips that everybody brings to the table; nobody can lose more.'],
    seats: ['Seats', 'How many can play.'],
    botsAllowed: ['Bots', 'The host may give free seats to bots.'],
    spectatorsAllowed: ['Spectators', 'Players without a seat may watch the table.'],
    fillWithBots: [
      'Bots at once',
      'Bots take every free seat at once: for practice, as friends then find none.',
    ],
    botPace: ['Pace of bots', 'How long bots think.', { NORMAL: 'normal', FAST: 'fast', SLOW: 'slow' }],
    timeBankMs: [
      'Time bank',
      'Time that everybody may think longer in a hand, all turns together; 0: none.',
    ],
    alwaysReady: ['No waiting', 'The next hand starts without asking who is ready.'],
    handsLimit: ['Most hands', 'The table closes after so many hands; 0: no limit.'],
  }),
  ...spread('mahjong', {
    preset: [
      'Rule set',
      'What options that are left as they are follow.',
      { STANDARD: 'standard', NANOSERVER_COMPAT: 'as nanoserver plays' },
    ],
    players: [
      'Players',
      'Four with 108 tiles and a void suit, or three with 72 tiles of two suits.',
    ],
    rounds: ['Hands', 'Hands of a match.'],
    base: ['Base', 'What a hand of no fan is worth; each fan doubles it.'],
    maxFan: ['Most fan', 'More fan than these do not count.'],
    zimo: [
      'Self-drawn wins',
      'What drawing the winning tile oneself earns.',
      { DI: 'one base more', FAN: 'one fan more', NONE: 'nothing more' },
    ],
    huanSanZhang: [
      'Exchange three',
      'Before the void suit, everybody passes three tiles of one suit on.',
    ],
    dianpaoPinghu: [
      'Plain wins on discards',
      'Three players only: a hand without fan may win on a discard.',
    ],
    pengpengTwoFan: ['All pungs count two', 'A hand of pungs counts two fan instead of one.'],
    jiangdui: ['2-5-8 hands', 'Pungs or pairs of 2, 5 and 8 alone count.'],
    yaojiu: ['Terminals everywhere', 'A hand with a 1 or 9 in every set counts.'],
    menqing: ['Concealed hand', 'A hand without claimed tiles counts.'],
    zhongzhang: ['No terminals', 'A hand without 1 and 9 counts.'],
    jiaxin5: ['Middle five', 'Winning with a 5 between 4 and 6 counts.'],
    kaErTiao: ['Middle two of bamboos', 'Winning with the 2 of bamboos between 1 and 3 counts.'],
    yiTiaoLong: ['Straight', '1 to 9 of one suit counts.'],
    haidiPao: ['Last discard', 'Winning on the last discard counts.'],
    tianDiHu: [
      'Heavenly and earthly hands',
      'Wins on the very first tile.',
      { OFF: 'nothing special', ADD: 'add fan', CAP: 'count the most fan' },
    ],
    fanStacking: [
      'Adding hand types',
      'Which hand types count together.',
      { STANDARD: 'all that no other implies', NANOSERVER: 'all', MAX_ONLY: 'the largest alone' },
    ],
    jiaxin5Mode: [
      'Middle five is',
      'When winning with a 5 counts.',
      { ARRANGEABLE: 'any arrangement', SINGLE_WAIT: 'the only wait' },
    ],
    menqingAllowsAnkong: [
      'Concealed kong stays concealed',
      'A concealed kong keeps the hand concealed.',
    ],
    dianGangHua: [
      'Win after a fed kong',
      'Who pays for a win on the replacement of a direct kong.',
      { DIANPAO: 'who fed the kong', ZIMO: 'everybody' },
    ],
    callTransfer: [
      'Kong money handed on',
      'Who discards a winning tile right after a kong hands its money to the winner.',
      {
        LAST_KONG: 'of the last kong',
        CHAIN: 'of kongs in a row',
        ALL: 'of all kongs',
        OFF: 'never',
      },
    ],
    callTransferMulti: [
      'Several winners',
      'How handed-on kong money is shared.',
      { SPLIT: 'split', FULL_EACH: 'in full to each' },
    ],
    delayedAddedKong: [
      'Late added kong',
      'Adding a tile to a pung that was not just drawn.',
      { PAY: 'is paid', NO_PAY: 'is not paid', FORBID: 'is forbidden' },
    ],
    guoShouHu: [
      'After passing a win',
      'Until the next draw, a passed win locks …',
      {
        SAME_TILE: 'wins of no more fan on that tile',
        ANY_TILE: 'wins of no more fan on any tile',
        OFF: 'nothing',
      },
    ],
    forceDiscardVoid: [
      'Void suit first',
      'Tiles of the void suit must be discarded before others.',
    ],
    huaZhu: [
      'Holding the void suit at the end',
      'What it costs when the wall is empty.',
      { NOT_TING: 'as if not ready', PENALTY: 'a penalty' },
    ],
    refundScope: [
      'Giving kong money back',
      'A seat that is not ready at the end gives it back …',
      { CHA_JIAO: 'when the wall is empty', ANY_END: 'at any end' },
    ],
    deadWaitIsTing: [
      'Dead waits are ready',
      'Waiting for a tile of which one holds all four counts as ready.',
    ],
    multiWinDealer: [
      'Dealer after several wins',
      'Who discards a tile that several win on deals next.',
      { ANY: 'whenever', FIRST: 'as first wins only' },
    ],
    drawDealer: [
      'Dealer after no win',
      'Who deals after a hand that nobody won.',
      { STAY: 'the same', NEXT: 'the next' },
    ],
    exchangeMs: ['Time to exchange', 'Then the three lowest tiles of the smallest suit go.'],
    voidMs: ['Time for the void suit', 'Then it is the smallest suit.'],
    discardMs: ['Time for a turn', 'Then the drawn tile is discarded.'],
    claimMs: ['Time to claim', 'Then the offer is declined.'],
    claimPauseMinMs: [
      'Shortest pause after a discard',
      'In milliseconds. The pause is there for every discard, so that it tells nothing.',
    ],
    claimPauseMaxMs: ['Longest pause after a discard', 'In milliseconds.'],
  }),
  ...spread('blackjack', {
    rounds: ['Rounds', 'Rounds of a match; 0: a table without end.'],
    minBet: ['Lowest bet', 'Nobody can bet less.'],
    maxBet: ['Highest bet', 'Nobody can bet more.'],
    betStep: ['Step', 'Bets are multiples of this; an even step makes every payment exact.'],
    bankerMode: [
      'Bank',
      'One player keeps the bank and plays against all others.',
      { FIXED: 'always the host', ROTATE: 'goes round' },
    ],
    decks: ['Decks', 'Decks of 52 cards in the shoe.'],
    banker: ['First banker', 'The seat that keeps the bank, or keeps it first; the host has seat 1.'],
    bankerRounds: ['Rounds of a banker', 'How long a banker keeps a bank that goes round.'],
    minBankerStack: [
      'Smallest bank',
      'Chips that one needs to keep the bank; 0: what covers the lowest bets.',
    ],
    naturalPayout: ['Blackjack pays', 'What a natural wins for its bet.'],
    softHit17: ['Banker hits soft 17', 'The banker draws to 17 with an ace that counts 11.'],
    doubleAfterSplit: ['Double after a split', 'A hand from a split may be doubled.'],
    dealerPeek: ['Banker peeks', 'The banker looks for a blackjack before anyone plays.'],
    insurance: ['Insurance', 'Offered when the banker shows an ace; needs the peek.'],
    maxSplitHands: ['Hands by splitting', 'Hands that splitting may make; 1 forbids splits.'],
    splitRule: ['A pair is', 'What may be split.', { VALUE: 'equal points', RANK: 'equal rank' }],
    resplitAces: ['Split aces again', 'Two aces from a split may be split again.'],
    surrender: [
      'Surrender',
      'Giving a hand up for half the bet.',
      {
        BY_PEEK: 'late with a peek, else early',
        LATE: 'late',
        EARLY: 'early (needs no peek)',
        OFF: 'not allowed',
      },
    ],
    originalBetsOnly: [
      'Original bets only',
      "Without a peek, a banker's blackjack takes the first bet alone.",
    ],
    autoStand21: ['21 stands', 'A hand of 21 stands by itself.'],
    playerCardsPublic: ['Open cards', "Everybody sees the players' cards."],
    shuffle: [
      'Shuffle',
      'When the whole shoe is shuffled.',
      {
        BY_DECKS: 'one deck: every round, else cut card',
        EVERY_ROUND: 'every round',
        CUT_CARD: 'at the cut card',
      },
    ],
    penetrationPercent: ['Cut card', 'How far down it lies, in percent of the shoe.'],
    commissionFlat: ['Fee', 'What every seat pays to the house each round.'],
    commissionWinBps: [
      'House share',
      'Of what a seat wins in a round, in hundredths of a percent.',
    ],
    betMs: ['Time to bet', 'Then the seat sits out.'],
    decisionMs: ['Time for a hand', 'Then it stands.'],
    insuranceMs: ['Time for insurance', 'Then it is declined.'],
  }),
  ...spread('balatro', {
    deck: ['Deck', 'The deck to start with, and what it changes.', { none: 'Plain, 52 cards' }],
    stake: ['Difficulty', 'Each stake adds to those before it.'],
    daily: [
      'Daily challenge',
      'Its name in small letters, digits and hyphens: one run. Empty: any number of runs.',
    ],
    profile: [
      'Rule set',
      'Classic: 4 hands, $4. Short: 5 hands, no money, lower targets, a deck of its own.',
      { classic: 'classic', seed: 'short' },
    ],
  }),
};

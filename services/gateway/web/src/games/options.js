// @ts-check
/**
 * The options of each game, as data: the form of the rooms screen is made from them. Labels and
 * explanations are words of the locale: `opt.GAME.KEY` and `opt.GAME.KEY.about`; the choices of an
 * enum are `opt.GAME.KEY.CHOICE`.
 */

/**
 * @typedef {object} Option
 * @property {string} key field of the game's options in proto3 JSON
 * @property {'number'|'amount'|'choice'|'count'|'switch'|'seconds'|'payout'|'seat'|'id'
 *   |'text'} kind `number` is typed, `amount` is a number that travels as a string, `choice` is a
 *   name of an enum, `count` is one of some numbers, `seconds` travel as milliseconds, `seat`
 *   counts from 1 on the page, `id` is one of some ids, `text` is typed
 * @property {any} value the rule's default, as the form shows it
 * @property {number} [min]
 * @property {number} [max]
 * @property {any[]} [choices]
 * @property {string} [prefix] of the enum's names
 * @property {boolean} [basic] shown without asking for more
 * @property {string} [pattern] of a text
 * @property {string} [names] kind of names of the roguelike that its ids have
 */

/**
 * @param {string} key
 * @param {any} value
 * @param {number} min
 * @param {number} max
 * @param {object} [more]
 * @returns {Option}
 */
const number = (key, value, min, max, more = {}) => ({
  key,
  kind: 'number',
  value,
  min,
  max,
  ...more,
});
/**
 * @param {string} key
 * @param {any} value
 * @param {number} min
 * @param {number} max
 * @param {object} [more]
 * @returns {Option}
 */
const amount = (key, value, min, max, more = {}) => ({
  key,
  kind: 'amount',
  value,
  min,
  max,
  ...more,
});
/**
 * @param {string} key
 * @param {number} value
 * @param {number[]} choices
 * @param {object} [more]
 * @returns {Option}
 */
const count = (key, value, choices, more = {}) => ({ key, kind: 'count', value, choices, ...more });
/** @param {string} key @param {boolean} value @param {object} [more] @returns {Option} */
const toggle = (key, value, more = {}) => ({ key, kind: 'switch', value, ...more });
/** @param {string} key @param {number} value @param {number} max @returns {Option} */
const seconds = (key, value, max) => ({ key, kind: 'seconds', value, min: 2, max });
/**
 * @param {string} key
 * @param {string} prefix
 * @param {string[]} choices the default first
 * @param {object} [more]
 * @returns {Option}
 */
const choice = (key, prefix, choices, more = {}) => ({
  key,
  kind: 'choice',
  value: choices[0],
  prefix,
  choices,
  ...more,
});

const BASIC = { basic: true };
const LARGE = 1_000_000;

/**
 * @param {string} key @param {string[]} choices the default first, '' for none
 * @param {object} [more]
 * @returns {Option}
 */
const id = (key, choices, more = {}) => ({ key, kind: 'id', value: choices[0], choices, ...more });
const DECKS = ['red', 'blue', 'yellow', 'green', 'black', 'magic', 'nebula', 'ghost', 'abandoned',
  'checkered', 'zodiac', 'painted', 'anaglyph', 'plasma', 'erratic'];
const STAKES = ['white', 'red', 'green', 'black', 'blue', 'purple', 'orange', 'gold'];

/** @type {Option[]} */
const MAHJONG = [
  choice('preset', 'MAHJONG_PRESET', ['STANDARD', 'NANOSERVER_COMPAT']),
  count('players', 4, [4, 3], BASIC),
  count('rounds', 8, [1, 4, 8, 16], BASIC),
  amount('base', 1, 1, LARGE, BASIC),
  count('maxFan', 3, [3, 4, 5], BASIC),
  choice('zimo', 'MAHJONG_ZIMO', ['DI', 'FAN', 'NONE'], BASIC),
  toggle('huanSanZhang', false, BASIC),
  toggle('dianpaoPinghu', false),
  toggle('pengpengTwoFan', false),
  toggle('jiangdui', true),
  toggle('yaojiu', true),
  toggle('menqing', true),
  toggle('zhongzhang', true),
  toggle('jiaxin5', true),
  toggle('kaErTiao', false),
  toggle('yiTiaoLong', false),
  toggle('haidiPao', false),
  choice('tianDiHu', 'MAHJONG_TIAN_DI_HU', ['OFF', 'ADD', 'CAP']),
  choice('fanStacking', 'MAHJONG_FAN_STACKING', ['STANDARD', 'NANOSERVER', 'MAX_ONLY']),
  choice('jiaxin5Mode', 'MAHJONG_JIAXIN5_MODE', ['ARRANGEABLE', 'SINGLE_WAIT']),
  toggle('menqingAllowsAnkong', false),
  choice('dianGangHua', 'MAHJONG_DIAN_GANG_HUA', ['DIANPAO', 'ZIMO']),
  choice('callTransfer', 'MAHJONG_CALL_TRANSFER', ['LAST_KONG', 'CHAIN', 'ALL', 'OFF']),
  choice('callTransferMulti', 'MAHJONG_CALL_TRANSFER_MULTI', ['SPLIT', 'FULL_EACH']),
  choice('delayedAddedKong', 'MAHJONG_DELAYED_ADDED_KONG', ['PAY', 'NO_PAY', 'FORBID']),
  choice('guoShouHu', 'MAHJONG_GUO_SHOU_HU', ['SAME_TILE', 'ANY_TILE', 'OFF']),
  toggle('forceDiscardVoid', false),
  choice('huaZhu', 'MAHJONG_HUA_ZHU', ['NOT_TING', 'PENALTY']),
  choice('refundScope', 'MAHJONG_REFUND_SCOPE', ['CHA_JIAO', 'ANY_END']),
  toggle('deadWaitIsTing', false),
  choice('multiWinDealer', 'MAHJONG_MULTI_WIN_DEALER', ['ANY', 'FIRST']),
  choice('drawDealer', 'MAHJONG_DRAW_DEALER', ['STAY', 'NEXT']),
  seconds('exchangeMs', 20, 120),
  seconds('voidMs', 15, 120),
  seconds('discardMs', 15, 120),
  seconds('claimMs', 8, 60),
  number('claimPauseMinMs', 300, 0, 10_000),
  number('claimPauseMaxMs', 900, 0, 10_000),
];

/** @type {Option[]} */
const BLACKJACK = [
  number('rounds', 0, 0, 1000, BASIC),
  amount('minBet', 10, 1, LARGE, BASIC),
  amount('maxBet', 100, 1, LARGE, BASIC),
  amount('betStep', 1, 1, LARGE, BASIC),
  choice('bankerMode', 'BLACKJACK_BANKER_MODE', ['FIXED', 'ROTATE'], BASIC),
  count('decks', 1, [1, 2, 4, 6, 8], BASIC),
  { key: 'banker', kind: 'seat', value: 1, min: 1, max: 8 },
  number('bankerRounds', 1, 1, 100),
  amount('minBankerStack', 0, 0, LARGE * 100),
  { key: 'naturalPayout', kind: 'payout', value: '3:2', choices: ['3:2', '6:5', '1:1', '2:1'] },
  toggle('softHit17', false),
  toggle('doubleAfterSplit', true),
  toggle('dealerPeek', true),
  toggle('insurance', true),
  number('maxSplitHands', 4, 1, 8),
  choice('splitRule', 'BLACKJACK_SPLIT_RULE', ['VALUE', 'RANK']),
  toggle('resplitAces', false),
  choice('surrender', 'BLACKJACK_SURRENDER', ['BY_PEEK', 'LATE', 'EARLY', 'OFF']),
  toggle('originalBetsOnly', false),
  toggle('autoStand21', true),
  toggle('playerCardsPublic', true),
  choice('shuffle', 'BLACKJACK_SHUFFLE', ['BY_DECKS', 'EVERY_ROUND', 'CUT_CARD']),
  number('penetrationPercent', 75, 10, 95),
  amount('commissionFlat', 0, 0, LARGE),
  number('commissionWinBps', 0, 0, 10000),
  seconds('betMs', 20, 120),
  seconds('decisionMs', 20, 120),
  seconds('insuranceMs', 15, 120),
];

/** @type {Option[]} */
const BALATRO = [
  id('deck', ['', ...DECKS], { names: 'decks', ...BASIC }),
  id('stake', STAKES, { names: 'stakes', ...BASIC }),
  { key: 'daily', kind: 'text', value: '', max: 40, pattern: '[a-z0-9\\-]{0,40}', ...BASIC },
  id('profile', ['classic', 'seed']),
];

/**
 * The games of which a room can be opened: their options, fewest and most seats (one number of
 * seats follows from the rules), and whether chips can be at stake.
 * @type {Record<string, {options: Option[], seats: [number, number], chips: boolean}>}
 */
export const ROOM_GAMES = {
  mahjong: { options: MAHJONG, seats: [3, 4], chips: true },
  blackjack: { options: BLACKJACK, seats: [2, 8], chips: true },
  balatro: { options: BALATRO, seats: [1, 1], chips: false },
};

/** A value of the form as it travels. @param {Option} option @param {any} value */
function travelling(option, value) {
  switch (option.kind) {
    case 'switch':
      return Boolean(value);
    case 'choice':
      return `${option.prefix}_${value}`;
    case 'amount':
      return String(Math.trunc(Number(value)));
    case 'seconds':
      return Math.round(Number(value) * 1000);
    case 'seat':
      return Number(value) - 1;
    case 'id':
    case 'text':
      return String(value);
    case 'payout': {
      const [numerator, denominator] = String(value).split(':').map(Number);
      return { numerator, denominator };
    }
    default:
      return Number(value);
  }
}

/**
 * The game's options in proto3 JSON; what is as by default is left to the rules, or to the preset.
 * @param {string} game
 * @param {Record<string, any>} values by key
 * @returns {Record<string, any>}
 */
export function optionsOf(game, values) {
  const chosen = ROOM_GAMES[game].options.filter(
    ({ key, value }) => values[key] !== undefined && String(values[key]) !== String(value),
  );
  return Object.fromEntries(
    chosen.map((option) => [option.key, travelling(option, values[option.key])]),
  );
}

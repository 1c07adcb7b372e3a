// @ts-check
/** How each game is played, in short. */

export const rulesEn = {
  'rules.open': 'How to play',
  'rules.of': 'How to play {game}',
  'rules.blackjack.1': 'Come closer to 21 than the banker, without going over.',
  'rules.blackjack.2': 'Number cards count as they say, J, Q and K count 10, an ace counts 1 or 11.',
  'rules.blackjack.3': 'One of the players keeps the bank: pays the winners, takes from the losers.',
  'rules.blackjack.4': 'Put down your bet. You get two cards; the banker shows one.',
  'rules.blackjack.5': 'Hit: one more card. Stand: no more. Double: twice the bet for one last card. '
    + 'Split: two equal cards become two hands.',
  'rules.blackjack.6': 'An ace with a ten-card is a blackjack: it beats any other 21 and pays extra.',
  'rules.blackjack.7': 'Insurance is a side bet that the banker has a blackjack.',
  'rules.mahjong.1': '108 tiles: characters, dots and bamboos from 1 to 9, four of each.',
  'rules.mahjong.2': 'First you may swap three tiles of one suit; then name the suit that you give '
    + 'up. Nobody wins with a tile of it.',
  'rules.mahjong.3': 'In your turn you draw a tile and discard one: tap it, then tap it again.',
  'rules.mahjong.4': 'Four sets and a pair win. A set is three alike, or three in a row of one suit. '
    + 'Seven pairs win too.',
  'rules.mahjong.5': 'Somebody’s discard can be taken: Pung makes three alike, Kong four alike and '
    + 'is paid at once, Win ends it for you.',
  'rules.mahjong.6': 'After a win the others go on, until three have won or the wall is empty.',
  'rules.mahjong.7': 'At an empty wall, whoever is not one tile from winning pays whoever is.',
  'rules.balatro.1': 'Beat the blinds: each wants a score that your hands must reach.',
  'rules.balatro.2': 'Choose up to five cards. Play scores them as a poker hand; Discard draws others.',
  'rules.balatro.3': 'The score is chips × mult. Better hands begin with more of both.',
  'rules.balatro.4': 'A beaten blind pays money. Spend it in the shop, or save it for interest.',
  'rules.balatro.5': 'Jokers change the score, from left to right. Planets raise a hand’s level, '
    + 'tarots change your cards.',
  'rules.balatro.6': 'Every third blind is a boss with a rule of its own. The first two can be '
    + 'skipped for a tag.',
  'rules.balatro.7': 'Beat the boss of ante 8 to win the run.',
};

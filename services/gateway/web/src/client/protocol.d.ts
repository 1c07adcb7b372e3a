/**
 * The client protocol in proto3 JSON, written by deploy/test/types/protocol.mjs from proto/. Do not
 * edit: `deploy/test.sh types` compares it with the .proto files.
 *
 * Every field may be absent; an absent field has its default value (0, "", false, an empty list).
 * 64-bit numbers are decimal strings, bytes are base64. A client ignores fields, events and enum
 * values that it does not know.
 */

// parlor/gateway/v1/auth.proto

export interface SignInResponse {
  playerId?: string;
  name?: string;
  /** For Hello. */
  accessToken?: string;
  accessExpiresMs?: string;
  refreshToken?: string;
  refreshExpiresMs?: string;
}

// parlor/rules/v1/balatro_items.proto

export type BalatroBlind =
  | 'BALATRO_BLIND_UNSPECIFIED'
  | 'BALATRO_BLIND_SMALL'
  | 'BALATRO_BLIND_BIG'
  | 'BALATRO_BLIND_BOSS';

/** A playing card. */
export interface BalatroCard {
  /** Names the card from one shuffle to the next. It tells nothing about a face-down card. */
  id?: number;
  /** Rank and suit, as "10H"; empty for a face-down card. A Stone card has none in play. */
  card?: string;
  /**
   * "bonus", "mult", "wild", "glass", "steel", "stone", "gold", "lucky"; empty: none [5.2].
   */
  enhancement?: string;
  /** "foil", "holo", "poly"; empty: none. */
  edition?: string;
  /** "gold", "red", "blue", "purple"; empty: none. */
  seal?: string;
  /** Chips gained for good. */
  permanentChips?: number;
  /** Does nothing now. */
  debuffed?: boolean;
  faceDown?: boolean;
  playedThisAnte?: boolean;
}

/** A joker. Face down it has an item number and nothing else. */
export interface BalatroJoker {
  /** Names the joker in the run; the row gets new numbers when it is hidden. */
  item?: number;
  /** Joker id; empty when it is face down. */
  joker?: string;
  /** "common", "uncommon", "rare", "legendary". */
  rarity?: string;
  /** "foil", "holo", "poly", "negative"; empty: none. */
  edition?: string;
  /** Can be neither sold nor destroyed. */
  eternal?: boolean;
  /** Rounds until it is debuffed for good, 0 when it is; absent: not perishable. */
  perishable?: number;
  /** Costs $3 at each round end. */
  rental?: boolean;
  /**
   * What its own value means: "mult", "x", "chips", "hands_since", "uses", "money",
   * "hand_size", "rounds"; empty: it has none.
   */
  valueOf?: string;
  /** Its own value, a decimal such as "1.75". */
  value?: string;
  /** Hand type that it lists; empty: none. */
  listedHand?: string;
  /** Countdown of those that count down; 0 for others. */
  countdown?: number;
  /** Dollars that its sell value has gained. */
  sellBonus?: string;
  faceDown?: boolean;
}

/** A joker of the row. */
export interface BalatroJokerView {
  joker?: BalatroJoker;
  /** Does nothing now. */
  debuffed?: boolean;
  /** Dollars that it sells for; 0 when it is face down. */
  sell?: string;
  /** What its main effect gives now, conditions aside; absent when that is no number. */
  shown?: BalatroShown;
  /** The receiver may try to sell it. */
  sellable?: boolean;
}

/** What a step or a joker gives. */
export type BalatroGain =
  | 'BALATRO_GAIN_UNSPECIFIED'
  | 'BALATRO_GAIN_BASE'
  | 'BALATRO_GAIN_CHIPS'
  | 'BALATRO_GAIN_MULT'
  | 'BALATRO_GAIN_TIMES_MULT'
  | 'BALATRO_GAIN_MONEY'
  | 'BALATRO_GAIN_LEVEL'
  | 'BALATRO_GAIN_GROW'
  | 'BALATRO_GAIN_AGAIN'
  | 'BALATRO_GAIN_BALANCE'
  | 'BALATRO_GAIN_BLOCKED'
  | 'BALATRO_GAIN_CREATE'
  | 'BALATRO_GAIN_DESTROY';

/** A number on a joker. */
export interface BalatroShown {
  gain?: BalatroGain;
  /** A decimal such as "1.75". */
  value?: string;
}

/** A consumable. */
export interface BalatroConsumable {
  /** Names it in the run. */
  item?: number;
  /** Consumable id. */
  consumable?: string;
  /** "tarot", "planet", "spectral". */
  kind?: string;
  /** Brings its own slot. */
  negative?: boolean;
  /** Fewest and most held cards that it is used on. */
  targetsMin?: number;
  targetsMax?: number;
}

/** A consumable that is owned. */
export interface BalatroConsumableView {
  consumable?: BalatroConsumable;
  /** Dollars that it sells for. */
  sell?: string;
  /** The receiver may use it now, on cards that fit. */
  usable?: boolean;
}

/** A tag. */
export interface BalatroTag {
  /** Tag id. */
  tag?: string;
  /** Hand type that it levels up; empty for other tags. */
  hand?: string;
}

/** What a round singles out [2.1]. */
export interface BalatroMarks {
  /** Rank, as "10". */
  mailRank?: string;
  /** Suit letters. */
  castleSuit?: string;
  ancientSuit?: string;
  /** Plain card. */
  idol?: string;
}

/** Something on offer. */
export interface BalatroWare {
  joker?: BalatroJoker;
  consumable?: BalatroConsumable;
  card?: BalatroCard;
}

/** An open shop [10]. In events prices and `buyable` are absent; the view has them. */
export interface BalatroShop {
  cards?: BalatroOffer[];
  vouchers?: BalatroVoucherOffer[];
  packs?: BalatroPackOffer[];
  /** Dollars of the next reroll. */
  rerollCost?: string;
}

/** A card slot of a shop. */
export interface BalatroOffer {
  item?: number;
  ware?: BalatroWare;
  /** Dollars. */
  price?: string;
  /** Money and room allow it. */
  buyable?: boolean;
}

export interface BalatroOffers {
  cards?: BalatroOffer[];
}

export interface BalatroVoucherOffer {
  item?: number;
  /** Voucher id. */
  voucher?: string;
  price?: string;
  buyable?: boolean;
}

export interface BalatroPackOffer {
  item?: number;
  /** Pack id. */
  pack?: string;
  price?: string;
  buyable?: boolean;
}

/** An open pack [10]. */
export interface BalatroPack {
  /** Pack id. */
  pack?: string;
  /** What is left in it. */
  choices?: BalatroChoice[];
  /** How many may still be taken. */
  picksLeft?: number;
}

/** A card of an open pack. */
export interface BalatroChoice {
  item?: number;
  ware?: BalatroWare;
  /** In the view: the receiver may take it, on cards that fit. */
  pickable?: boolean;
}

/** What a beaten blind pays, in dollars [9]. */
export interface BalatroPayout {
  reward?: string;
  hands?: string;
  discards?: string;
  jokers?: string;
  tags?: string;
  interest?: string;
  total?: string;
}

/** How a run stands, or how it ended. */
export interface BalatroSummary {
  /** Ante 8 was beaten. */
  won?: boolean;
  /** The player gave up. */
  gaveUp?: boolean;
  ante?: number;
  /** Rounds begun and rounds won. */
  roundNo?: number;
  roundsWon?: number;
  blindsSkipped?: number;
  handsPlayed?: number;
  /** Best score of one play. */
  bestHand?: string;
  /** Hand type that was played most. */
  favouriteHand?: string;
  money?: string;
  /** Id of the daily challenge; empty: none. */
  daily?: string;
}

// parlor/rules/v1/balatro_event.proto

/** An event that says everything by its name. */
export type BalatroNothing = Record<string, never>;

export interface BalatroCardList {
  cards?: BalatroCard[];
}

export interface BalatroRunStarted {
  seat?: number;
  money?: string;
  /** The whole deck, in no order. */
  cards?: BalatroCard[];
  /** Vouchers of the deck. */
  vouchers?: string[];
  consumables?: BalatroConsumable[];
}

export interface BalatroAnteStarted {
  ante?: number;
  /** Boss id. */
  boss?: string;
  /** Tags for skipping the small and the big blind. */
  smallTag?: BalatroTag;
  bigTag?: BalatroTag;
}

export interface BalatroBlindSelected {
  target?: string;
  hands?: number;
  discards?: number;
  /** The run's most played type. */
  fearedHand?: string;
}

export interface BalatroRoundChanged {
  handsLeft?: number;
  discardsLeft?: number;
  /** Cards that the round adds to the hand size. */
  handSize?: number;
}

export interface BalatroCardForced {
  /** Absent: none any more. */
  card?: number;
}

export interface BalatroJokerDisabled {
  /** Item number; absent: none any more. */
  joker?: number;
}

/** The jokers are turned face down and shuffled. */
export interface BalatroJokersHidden {
  /** Item numbers of the row now, left to right. */
  items?: number[];
}

/** The boss has lost its ability; everything is face up. */
export interface BalatroBossDisabled {
  /** Score to reach now. */
  target?: string;
  hand?: BalatroCard[];
  jokers?: BalatroJoker[];
}

/** Who is behind a step of a score. */
export interface BalatroStepSource {
  /** The played type. */
  hand?: BalatroNothing;
  boss?: BalatroNothing;
  /** A played or held card, by id. */
  card?: number;
  /** The joker at this place of the row, from 0, as it was when the cards were played. */
  joker?: number;
  /** A held planet. */
  planet?: BalatroNothing;
  /** The starting deck. */
  deck?: BalatroNothing;
}

/** One step of the pipeline [5]. */
export interface BalatroStep {
  source?: BalatroStepSource;
  /** Card that it happens on, when that is not the source. */
  onCard?: number;
  gain?: BalatroGain;
  /** By how much; 0 where the kind says it all. */
  value?: number;
  /** Running values after the step. */
  chips?: number;
  mult?: number;
}

/** A scored play. Show the steps, then the score, then what has changed. */
export interface BalatroScored {
  /** Type of the play, and its record now. */
  hand?: string;
  level?: number;
  playedRun?: number;
  playedRound?: number;
  /** Played cards as they are now, in played order, with their debuffs. */
  cards?: BalatroCard[];
  /** Ids of those that were in the scoring set. */
  scoring?: number[];
  /** The boss let nothing score. */
  blocked?: boolean;
  /** Final values. */
  chips?: number;
  mult?: number;
  score?: string;
  /** Round score now. */
  total?: string;
  /** Dollars earned by the play, lost when below 0. */
  money?: string;
  steps?: BalatroStep[];
  /** Jokers that have changed, as they are now. */
  jokers?: BalatroJoker[];
  /** Item numbers of jokers that are used up. */
  jokersGone?: number[];
  /** Ids of played cards that are destroyed. */
  destroyed?: number[];
  /** Copies that joined the hand. */
  added?: BalatroCard[];
}

export interface BalatroCardsDiscarded {
  /** Face up. */
  cards?: BalatroCard[];
  /** By the boss: it cost no discard. */
  byBoss?: boolean;
}

export interface BalatroCardsAdded {
  cards?: BalatroCard[];
  /** Into the hand; otherwise into the deck. */
  toHand?: boolean;
}

export interface BalatroHandLevelled {
  hand?: string;
  level?: number;
  /** Chips and mult at the level. */
  chips?: string;
  mult?: string;
}

export interface BalatroMoneyChanged {
  /** Dollars earned, spent when below 0. */
  by?: string;
  /** Dollars now. */
  money?: string;
  /**
   * "payout", "purchase", "sale", "reroll", "boss_reroll", "joker", "rental", "card", "tag",
   * "consumable".
   */
  cause?: string;
  /** Joker (item number) or card (id) behind it. */
  item?: number;
  /** Tag or consumable behind it, by id. */
  id?: string;
}

export interface BalatroRemoved {
  item?: number;
  /** "sold", "destroyed", "used_up". */
  why?: string;
}

export interface BalatroRoundWon {
  /** What cashing out will pay. */
  payout?: BalatroPayout;
  /** A joker has saved the round: the target was not reached, the blind pays nothing. */
  saved?: boolean;
}

export interface BalatroShopRestocked {
  cards?: BalatroOffer[];
  /** The reroll was a free one. */
  free?: boolean;
}

// parlor/rules/v1/balatro.proto

/** Room options. */
export interface BalatroOptions {
  /** "classic" (default) or "seed" [1, 18]. */
  profile?: string;
  /**
   * Starting deck id; absent or empty: 52 cards without an effect [13]. Not with profile
   * "seed".
   */
  deck?: string;
  /** Stake id, "white" by default [13]. */
  stake?: string;
  /**
   * The day of a daily challenge, YYYY-MM-DD in UTC, or "today" when a table is opened. Every
   * table of a day deals the same run, and sees one.
   */
  daily?: string;
}

/** What the player asks for. `BalatroView.may` and the items say what will be accepted. */
export interface BalatroCommand {
  /** Everything that needs nothing else. */
  action?: BalatroAction;
  /** Plays one to five held cards; they score in this order [2.2]. */
  play?: BalatroCards;
  /** Discards one to five held cards [2.3]. */
  discard?: BalatroCards;
  /** The whole hand in a new order; changes what scores first among held cards. */
  reorderHand?: BalatroCards;
  /** The whole joker row in a new order, left to right. */
  reorderJokers?: BalatroItems;
  /** Uses a consumable on held cards [11]. */
  use?: BalatroUse;
  /** Sells the joker or consumable with this item number. */
  sell?: number;
  /** Buys the shop card with this item number. */
  buy?: number;
  /** Buys the voucher with this item number. */
  redeem?: number;
  /** Buys and opens the pack with this item number. */
  openPack?: number;
  /** Takes a card of the open pack; a consumable is used at once on the targets. */
  pick?: BalatroUse;
}

/** A command without parameters. */
export type BalatroAction =
  | 'BALATRO_ACTION_UNSPECIFIED'
  | 'BALATRO_ACTION_SELECT_BLIND'
  | 'BALATRO_ACTION_SKIP_BLIND'
  | 'BALATRO_ACTION_REROLL_BOSS'
  | 'BALATRO_ACTION_CASH_OUT'
  | 'BALATRO_ACTION_REROLL'
  | 'BALATRO_ACTION_LEAVE_SHOP'
  | 'BALATRO_ACTION_SKIP_PACK'
  | 'BALATRO_ACTION_CONTINUE'
  | 'BALATRO_ACTION_FINISH'
  | 'BALATRO_ACTION_GIVE_UP';

/** Held cards by id. */
export interface BalatroCards {
  cards?: number[];
}

/** Items by number. */
export interface BalatroItems {
  items?: number[];
}

/**
 * A consumable and the held cards that it is used on, in the order in which they were selected.
 */
export interface BalatroUse {
  item?: number;
  targets?: number[];
}

/**
 * What happened, as far as the receiver may know. The events of one command come in the order
 * in which a client shows them.
 */
export interface BalatroEvent {
  runStarted?: BalatroRunStarted;
  anteStarted?: BalatroAnteStarted;
  /** The ante has this boss now. */
  bossRerolled?: string;
  blindSelected?: BalatroBlindSelected;
  blindSkipped?: BalatroNothing;
  marksDrawn?: BalatroMarks;
  roundChanged?: BalatroRoundChanged;
  /** The full deck was shuffled; all cards have new ids. */
  shuffled?: BalatroNothing;
  /** Cards came to the hand; face-down ones without a face. */
  drawn?: BalatroCardList;
  cardForced?: BalatroCardForced;
  jokerDisabled?: BalatroJokerDisabled;
  jokersHidden?: BalatroJokersHidden;
  bossDisabled?: BalatroBossDisabled;
  /** Cards left the hand for the table, face up, in scoring order. */
  cardsPlayed?: BalatroCardList;
  /** The cards on the table have scored, with every step of the score. */
  scored?: BalatroScored;
  cardsDiscarded?: BalatroCardsDiscarded;
  cardsAdded?: BalatroCardsAdded;
  /** Held cards as they are now; face-down ones without a face. */
  cardsChanged?: BalatroCardList;
  /** Held cards that are gone for good. */
  cardsDestroyed?: BalatroCards;
  handLevelled?: BalatroHandLevelled;
  moneyChanged?: BalatroMoneyChanged;
  /** A joker came to the right end of the row. */
  jokerGained?: BalatroJoker;
  /** A joker as it is now. */
  jokerChanged?: BalatroJoker;
  jokerRemoved?: BalatroRemoved;
  consumableGained?: BalatroConsumable;
  /** A consumable as it is now. */
  consumableChanged?: BalatroConsumable;
  consumableRemoved?: BalatroRemoved;
  /** A consumable takes effect, by its id. */
  consumableUsed?: string;
  tagGained?: BalatroTag;
  /** A tag takes effect and is gone, by its id. */
  tagUsed?: string;
  /** The hand size has changed for good by so many cards. */
  handSizeChanged?: number;
  /** A kind of joker is extinct for the rest of the run. */
  kindExtinct?: BalatroNothing;
  roundWon?: BalatroRoundWon;
  cashedOut?: BalatroNothing;
  shopOpened?: BalatroShop;
  shopRestocked?: BalatroShopRestocked;
  offersAdded?: BalatroOffers;
  /** Something of the shop was bought, by its item number. */
  offerTaken?: number;
  /** A voucher takes effect, by its id. */
  voucherRedeemed?: string;
  packOpened?: BalatroPack;
  /** A card of the pack was taken, by its item number. */
  packPicked?: number;
  /** The pack is closed; its hand of cards is back in the deck. */
  packClosed?: BalatroNothing;
  shopLeft?: BalatroNothing;
  /** Ante 8 is beaten. */
  runWon?: BalatroNothing;
  endlessChosen?: BalatroNothing;
  handReordered?: BalatroCards;
  jokersReordered?: BalatroItems;
  runEnded?: BalatroSummary;
}

/** Where a run is. */
export type BalatroPhase =
  | 'BALATRO_PHASE_UNSPECIFIED'
  | 'BALATRO_PHASE_BLIND_SELECT'
  | 'BALATRO_PHASE_PLAYING'
  | 'BALATRO_PHASE_ROUND_WON'
  | 'BALATRO_PHASE_SHOP'
  | 'BALATRO_PHASE_WON'
  | 'BALATRO_PHASE_OVER';

/**
 * The table as its receiver may see it. A spectator sees what the player sees, and may do
 * nothing.
 */
export interface BalatroView {
  /** Runs that were started at the table. */
  runs?: number;
  /** The run in progress or the last one; absent before the first. */
  run?: BalatroRun;
}

export interface BalatroRun {
  /** The player's seat. */
  seat?: number;
  /** All present; `deck` empty for the plain one. */
  options?: BalatroOptions;
  phase?: BalatroPhase;
  /** Ante 8 was beaten. */
  won?: boolean;
  /** May go below 1 by vouchers. */
  ante?: number;
  /** The blind that is played or comes next. */
  blind?: BalatroBlind;
  /** Rounds begun; 0 before the first. */
  roundNo?: number;
  /** The small, the big and the boss blind of the ante. */
  blinds?: BalatroBlindView[];
  money?: string;
  /** Present in phase PLAYING. */
  round?: BalatroRound;
  marks?: BalatroMarks;
  /** The hand in the player's order. Also present while a pack with a hand is open. */
  hand?: BalatroCard[];
  /** Cards that are drawn up to. */
  handSize?: number;
  deck?: BalatroDeck;
  /** The twelve hand types, the strongest first. */
  hands?: BalatroHandLine[];
  /** The joker row, left to right. */
  jokers?: BalatroJokerView[];
  /** With those that negative jokers bring. */
  jokerSlots?: number;
  consumables?: BalatroConsumableView[];
  /** With those that negative consumables bring. */
  consumableSlots?: number;
  /** Ids of the vouchers owned. */
  vouchers?: string[];
  tags?: BalatroTag[];
  /** Present in phase ROUND_WON. */
  payout?: BalatroPayout;
  /** Present in phase SHOP. */
  shop?: BalatroShop;
  /** Present while a pack is open. */
  pack?: BalatroPack;
  /** Id of the last tarot or planet that can be copied; empty when there is none. */
  lastUsed?: string;
  /** How the run stands, or how it ended. */
  summary?: BalatroSummary;
  may?: BalatroMay;
}

export type BalatroBlindStatus =
  | 'BALATRO_BLIND_STATUS_UNSPECIFIED'
  | 'BALATRO_BLIND_STATUS_DONE'
  | 'BALATRO_BLIND_STATUS_CURRENT'
  | 'BALATRO_BLIND_STATUS_LATER';

/** One of the three blinds of the ante. */
export interface BalatroBlindView {
  blind?: BalatroBlind;
  /** Boss id, for the boss blind. */
  boss?: string;
  /** Score to reach. */
  target?: string;
  /** Dollars for beating it. */
  reward?: number;
  /** Tag for skipping it; absent for the boss blind. */
  tag?: BalatroTag;
  status?: BalatroBlindStatus;
}

/** The round that is played. */
export interface BalatroRound {
  target?: string;
  score?: string;
  handsLeft?: number;
  discardsLeft?: number;
  handsPlayed?: number;
  discardsUsed?: number;
  /** The boss has lost its ability. */
  bossDisabled?: boolean;
  /** Type of the first play; empty before it. */
  lockedHand?: string;
  /** The run's most played type when the round began. */
  fearedHand?: string;
  /** Card that every selection must hold. */
  forcedCard?: number;
}

/** What is known of the deck. */
export interface BalatroDeck {
  /** Cards of the full deck. */
  full?: number;
  /** Cards of the draw pile. */
  drawPile?: number;
  /** Cards that are not seen (in the draw pile, or face down in hand), by plain card. */
  unseen?: BalatroCardCount[];
  /** Stone cards that are not seen. */
  unseenStones?: number;
}

export interface BalatroCardCount {
  card?: string;
  count?: number;
}

/** A hand type. */
export interface BalatroHandLine {
  hand?: string;
  level?: number;
  /** Chips and mult at the level. */
  chips?: string;
  mult?: string;
  /** Times played in the run, and in the round. */
  playedRun?: number;
  playedRound?: number;
  /** False: secret until it is played once. */
  visible?: boolean;
}

/** What the receiver may do now, beside what the items say. */
export interface BalatroMay {
  selectBlind?: boolean;
  skipBlind?: boolean;
  rerollBoss?: boolean;
  play?: boolean;
  discard?: boolean;
  reorderHand?: boolean;
  reorderJokers?: boolean;
  cashOut?: boolean;
  reroll?: boolean;
  leaveShop?: boolean;
  skipPack?: boolean;
  /** Continue or finish, after the win. */
  continueOrFinish?: boolean;
  giveUp?: boolean;
}

// parlor/rules/v1/blackjack_options.proto

/**
 * The settings of a table (1). An absent field takes the default. In a view all are present.
 */
export interface BlackjackOptions {
  /** Seats, the banker's included: 2 to 8. Default 4. */
  seats?: number;
  /** Rounds after which the match is over; 0 (default): a table without end. */
  rounds?: number;
  /** Lowest bet. Default 10. */
  minBet?: string;
  /** Highest bet. Default 100. */
  maxBet?: string;
  /**
   * A bet must be a multiple of this. Default 1; an even step makes every payment exact (4).
   */
  betStep?: string;
  /** What a natural pays. Default 3:2. */
  naturalPayout?: BlackjackPayout;
  /** Whether the banker hits a soft 17. Default false. */
  softHit17?: boolean;
  /** Whether a hand from a split may double. Default true. */
  doubleAfterSplit?: boolean;
  /** Whether the banker looks for a natural before anyone plays (2.4). Default true. */
  dealerPeek?: boolean;
  /** Whether insurance is offered; only with dealer_peek (2.3). Default true. */
  insurance?: boolean;
  /** Most hands of a seat after splitting, 1 to 8; 1 forbids splits. Default 4. */
  maxSplitHands?: number;
  /** What makes a pair. Default by value. */
  splitRule?: BlackjackSplitRule;
  /** Whether two aces from a split may be split again. Default false. */
  resplitAces?: boolean;
  /** Whether and how a seat may surrender. Default: late with a peek, early without. */
  surrender?: BlackjackSurrender;
  /**
   * Whether a banker's natural takes only the original bet; only without a peek (6.3). Default
   * false.
   */
  originalBetsOnly?: boolean;
  /** Whether a total of 21 stands by itself. Default true. */
  autoStand21?: boolean;
  /** Whether everybody sees the players' cards. Default true. */
  playerCardsPublic?: boolean;
  /** What every seat in a round pays to the house, the banker included (6.2). Default 0. */
  commissionFlat?: string;
  /**
   * The house's share of a positive round net in hundredths of a percent, 0 to 10000. Default
   * 0.
   */
  commissionWinBps?: number;
  /** Decks in the shoe, 1 to 8 (8). Default 1. */
  decks?: number;
  /** How far down the cut card lies, in percent of the shoe. Default 75. */
  penetrationPercent?: number;
  /**
   * When the whole shoe is shuffled. Default: one deck before every round, more at the cut
   * card.
   */
  shuffle?: BlackjackShuffle;
  /** How the banker is chosen (7). Default fixed. */
  bankerMode?: BlackjackBankerMode;
  /** The banker of a fixed table and the first of a rotating one. Default seat 0. */
  banker?: number;
  /** Rounds that a banker of a rotating table keeps the bank. Default 1. */
  bankerRounds?: number;
  /** Smallest stack that may keep the bank. Default 0: what covers the lowest bets. */
  minBankerStack?: string;
  /** Time to bet, in milliseconds; then the seat sits out (9). Default 20000. */
  betMs?: number;
  /** Time to decide on a hand; then it stands. Default 20000. */
  decisionMs?: number;
  /** Time to decide on insurance; then it is declined. Default 15000. */
  insuranceMs?: number;
}

/** A natural wins floor(numerator * bet / denominator). */
export interface BlackjackPayout {
  /** 1 to 100. */
  numerator?: number;
  /** 1 to 100. */
  denominator?: number;
}

/** What makes a pair. */
export type BlackjackSplitRule =
  | 'BLACKJACK_SPLIT_RULE_UNSPECIFIED'
  | 'BLACKJACK_SPLIT_RULE_VALUE'
  | 'BLACKJACK_SPLIT_RULE_RANK';

/** Whether and how a seat may surrender. */
export type BlackjackSurrender =
  | 'BLACKJACK_SURRENDER_UNSPECIFIED'
  | 'BLACKJACK_SURRENDER_BY_PEEK'
  | 'BLACKJACK_SURRENDER_LATE'
  | 'BLACKJACK_SURRENDER_EARLY'
  | 'BLACKJACK_SURRENDER_OFF';

/** When the whole shoe is shuffled. */
export type BlackjackShuffle =
  | 'BLACKJACK_SHUFFLE_UNSPECIFIED'
  | 'BLACKJACK_SHUFFLE_BY_DECKS'
  | 'BLACKJACK_SHUFFLE_EVERY_ROUND'
  | 'BLACKJACK_SHUFFLE_CUT_CARD';

/** How the banker is chosen. */
export type BlackjackBankerMode =
  | 'BLACKJACK_BANKER_MODE_UNSPECIFIED'
  | 'BLACKJACK_BANKER_MODE_FIXED'
  | 'BLACKJACK_BANKER_MODE_ROTATE';

// parlor/rules/v1/blackjack_settlement.proto

/**
 * What a round was worth to everybody, all cards open (3, 6). The deltas of seats and banker
 * and `house` sum to zero.
 */
export interface BlackjackSettlement {
  /** The round's number. */
  round?: number;
  /** The seats that bet, in the order of play. */
  seats?: BlackjackSeatSettlement[];
  banker?: BlackjackBankerSettlement;
  /** Commission of the round. */
  house?: string;
  /** Cards that the round drew. */
  cardsUsed?: number;
}

/** One seat's part of a settlement. */
export interface BlackjackSeatSettlement {
  seat?: number;
  /** The first bet. */
  bet?: string;
  hands?: BlackjackHandSettlement[];
  /** Absent when the seat took no insurance. */
  insurance?: BlackjackInsuranceSettlement;
  /** What hands and insurance won or lost together. */
  net?: string;
  /** What goes to the house. */
  commission?: string;
  /** `net` less `commission`. */
  delta?: string;
  /** The stack after the round; absent in points mode. */
  stack?: string;
}

/** One hand's part of a settlement. */
export interface BlackjackHandSettlement {
  cards?: string[];
  total?: number;
  stake?: string;
  doubled?: boolean;
  outcome?: BlackjackOutcome;
  /** What the seat won or lost with it. */
  delta?: string;
}

/** What insurance won (twice its stake) or lost. */
export interface BlackjackInsuranceSettlement {
  stake?: string;
  delta?: string;
}

/** The banker's part of a settlement. */
export interface BlackjackBankerSettlement {
  seat?: number;
  /** Up card, hole card, and what was drawn. */
  cards?: string[];
  total?: number;
  natural?: boolean;
  /** Cards drawn after the first two. */
  drew?: number;
  /** Whether the banker had to draw and found no card (8). */
  short?: boolean;
  /** What the banker won or lost to all seats together. */
  net?: string;
  /** What goes to the house. */
  commission?: string;
  /** `net` less `commission`. */
  delta?: string;
  /** The stack after the round; absent in points mode. */
  stack?: string;
}

/** How a hand was settled (3). */
export type BlackjackOutcome =
  | 'BLACKJACK_OUTCOME_UNSPECIFIED'
  | 'BLACKJACK_OUTCOME_WIN'
  | 'BLACKJACK_OUTCOME_LOSE'
  | 'BLACKJACK_OUTCOME_BUST'
  | 'BLACKJACK_OUTCOME_LOSE_BANKER_NATURAL'
  | 'BLACKJACK_OUTCOME_PUSH'
  | 'BLACKJACK_OUTCOME_SURRENDER'
  | 'BLACKJACK_OUTCOME_NATURAL'
  | 'BLACKJACK_OUTCOME_EVEN_MONEY';

// parlor/rules/v1/result.proto

/** One side of a transfer. */
export interface Party {
  /** A seat's stack. */
  seat?: number;
  /** The house, which receives commission. */
  house?: boolean;
}

/** One payment of a hand. */
export interface Transfer {
  from?: Party;
  to?: Party;
  /** Minor units that moved; never negative. */
  amount?: string;
  /** Minor units that were owed beyond the payer's stack and did not move. */
  short?: string;
  /** Stable name of the reason, such as "hu_zimo" or "commission". */
  why?: string;
}

/** The money of one finished hand, in the order in which it moved. It sums to zero. */
export interface HandResult {
  transfers?: Transfer[];
}

// parlor/rules/v1/blackjack.proto

/** What a seat asks for. `BlackjackView.actions` says what will be accepted. */
export interface BlackjackCommand {
  /** Bets on the round. */
  bet?: BlackjackStake;
  /** Insures against a banker's natural. */
  insurance?: BlackjackStake;
  /** Everything that needs no amount. */
  move?: BlackjackMove;
}

/** An amount to put at risk. */
export interface BlackjackStake {
  /** Absent is refused as `bad_amount`. */
  amount?: string;
}

/** A command without an amount. */
export type BlackjackMove =
  | 'BLACKJACK_MOVE_UNSPECIFIED'
  | 'BLACKJACK_MOVE_SIT_OUT'
  | 'BLACKJACK_MOVE_DECLINE_INSURANCE'
  | 'BLACKJACK_MOVE_EVEN_MONEY'
  | 'BLACKJACK_MOVE_HIT'
  | 'BLACKJACK_MOVE_STAND'
  | 'BLACKJACK_MOVE_DOUBLE'
  | 'BLACKJACK_MOVE_SPLIT'
  | 'BLACKJACK_MOVE_SURRENDER'
  | 'BLACKJACK_MOVE_LEAVE';

/** The table as its receiver may see it. */
export interface BlackjackView {
  /** The settings, all present. */
  options?: BlackjackOptions;
  /** Counts the rounds from 1; 0 before the first. */
  round?: number;
  /** How far the round is. */
  phase?: BlackjackPhase;
  /** The banker; absent between rounds. */
  banker?: BlackjackBanker;
  /**
   * The other seats in the order of play: clockwise from the banker's left. Empty between
   * rounds.
   */
  seats?: BlackjackSeat[];
  /** The hand that is to act; present only while playing. */
  turn?: BlackjackTurn;
  /** The receiver's seat; absent for a spectator. */
  you?: number;
  /** What the receiver may do now; absent when it has nothing to decide. */
  actions?: BlackjackActions;
  /** The shoe. */
  shoe?: BlackjackShoe;
  /** The last round that was settled, until the next one is; absent before the first. */
  last?: BlackjackSettlement;
}

/** How far a round is (2). */
export type BlackjackPhase =
  | 'BLACKJACK_PHASE_UNSPECIFIED'
  | 'BLACKJACK_PHASE_IDLE'
  | 'BLACKJACK_PHASE_BETTING'
  | 'BLACKJACK_PHASE_INSURANCE'
  | 'BLACKJACK_PHASE_PLAYING'
  | 'BLACKJACK_PHASE_BANKER_TURN';

/** What a hand counts. */
export interface BlackjackTotal {
  /** The best total: aces are lowered from 11 to 1 while the hand is above 21. */
  points?: number;
  /** Whether an ace still counts 11. */
  soft?: boolean;
}

/** The seat that keeps the bank. It has no decisions (2.6). */
export interface BlackjackBanker {
  seat?: number;
  /** The stack when the round began; absent in points mode. */
  stack?: string;
  /** Whether the occupant left during the round. */
  left?: boolean;
  /** The visible cards, the up card first. Empty before the deal. */
  cards?: string[];
  /** Cards that lie face down: 1 from the deal until the hole card is turned. */
  faceDown?: number;
  /** What the visible cards count; absent before the deal. */
  total?: BlackjackTotal;
}

/** A seat that plays against the banker. */
export interface BlackjackSeat {
  seat?: number;
  /** The stack when the round began; absent in points mode. */
  stack?: string;
  /** What of it is at risk now: bets and insurance. */
  atRisk?: string;
  /** Whether the occupant left: the seat declines and stands by itself. */
  left?: boolean;
  /** The bet; absent while undecided and when sitting out. */
  bet?: string;
  /** Whether the seat sits this round out. */
  sitsOut?: boolean;
  /** What the seat decided about insurance. */
  insuranceChoice?: BlackjackInsuranceChoice;
  /** The insurance; absent without one. */
  insurance?: string;
  /** The hands; empty before the deal. */
  hands?: BlackjackHand[];
}

/** What a seat decided about insurance. */
export type BlackjackInsuranceChoice =
  | 'BLACKJACK_INSURANCE_CHOICE_UNSPECIFIED'
  | 'BLACKJACK_INSURANCE_CHOICE_NONE'
  | 'BLACKJACK_INSURANCE_CHOICE_DECLINED'
  | 'BLACKJACK_INSURANCE_CHOICE_INSURED'
  | 'BLACKJACK_INSURANCE_CHOICE_EVEN_MONEY';

/** A hand of a player. */
export interface BlackjackHand {
  /**
   * The cards in the order in which they came; empty when they lie face down for the receiver.
   */
  cards?: string[];
  /** Cards that lie face down for the receiver. */
  faceDown?: number;
  /** What the cards count; absent when they lie face down. */
  total?: BlackjackTotal;
  /** Whether the hand is known to be a natural. */
  natural?: boolean;
  /** What is at risk. */
  stake?: string;
  /** Whether the hand was doubled. */
  doubled?: boolean;
  /** What became of the hand so far. */
  status?: BlackjackHandStatus;
}

/** What became of a hand. */
export type BlackjackHandStatus =
  | 'BLACKJACK_HAND_STATUS_UNSPECIFIED'
  | 'BLACKJACK_HAND_STATUS_OPEN'
  | 'BLACKJACK_HAND_STATUS_STOOD'
  | 'BLACKJACK_HAND_STATUS_BUST'
  | 'BLACKJACK_HAND_STATUS_SURRENDERED'
  | 'BLACKJACK_HAND_STATUS_EVEN_MONEY';

/** The hand that is to act. */
export interface BlackjackTurn {
  seat?: number;
  /** Which of the seat's hands. */
  hand?: number;
}

/**
 * What the receiver may do now. Every amount has been checked against its stack and the
 * banker's.
 */
export interface BlackjackActions {
  /** Bets that will be accepted; absent when none will. */
  bet?: BlackjackBetBounds;
  sitOut?: boolean;
  /**
   * The highest insurance that will be accepted, the lowest being 1; absent when none will.
   */
  highestInsurance?: string;
  declineInsurance?: boolean;
  /** What even money would win; absent when not allowed. */
  evenMoneyWins?: string;
  hit?: boolean;
  stand?: boolean;
  /** What doubling would add to the stake; absent when not allowed. */
  doubleAdds?: string;
  /** What splitting would add to the stakes; absent when not allowed. */
  splitAdds?: string;
  /** What surrender would lose; absent when not allowed. */
  surrenderLoses?: string;
}

/** Multiples of `step` from `lowest` to `highest`. */
export interface BlackjackBetBounds {
  lowest?: string;
  highest?: string;
  step?: string;
}

/** What everybody may know about the shoe. */
export interface BlackjackShoe {
  /** Cards of the whole shoe. */
  size?: number;
  /** Cards left in the stock. */
  stock?: number;
  /** Discards in the tray. */
  tray?: number;
  /** Whether the next round begins with a shuffle of the whole shoe; said between rounds. */
  shuffleNext?: boolean;
}

/** Something that happened, as far as its receiver may know. */
export interface BlackjackEvent {
  /** A round began: bets are open. */
  roundOpened?: BlackjackRoundOpened;
  /** Cards were shuffled and became the stock. */
  shuffled?: BlackjackShuffled;
  /** A seat bet. */
  betPlaced?: BlackjackSeatAmount;
  /** This seat does not bet on this round. */
  satOut?: number;
  /** This seat's occupant left; it declines and stands by itself. */
  seatLeft?: number;
  /** Everybody has two cards. */
  dealt?: BlackjackDealt;
  /** The banker shows an ace: everybody who bet may insure. */
  insuranceOffered?: BlackjackInsuranceOffered;
  /** A seat insured. */
  insuranceTaken?: BlackjackSeatAmount;
  /** This seat took even money. */
  evenMoneyTaken?: number;
  /** This seat took no insurance. */
  insuranceDeclined?: number;
  /** The hole card was looked at before anyone played. */
  bankerPeeked?: BlackjackPeeked;
  /** It is this hand's turn. */
  turnStarted?: BlackjackTurn;
  /** A hand took a card. */
  hit?: BlackjackCardTaken;
  /** A hand is done: the seat stood, or the hand needed no decision. */
  stood?: BlackjackTurn;
  /** A hand was doubled and took its one card. */
  doubled?: BlackjackCardTaken;
  /** A hand became two. */
  split?: BlackjackSplit;
  /** A hand was given up. */
  surrendered?: BlackjackTurn;
  /** The banker's hole card was turned: this one. */
  holeRevealed?: string;
  /** The banker took this card. */
  bankerDrew?: string;
  /** The round was paid. It is over. */
  settled?: BlackjackSettled;
  /** Nobody bet. The round is over. */
  voided?: BlackjackVoided;
}

/** A round began. */
export interface BlackjackRoundOpened {
  /** Counts from 1. */
  round?: number;
  /** Who keeps the bank of this round. */
  banker?: number;
  /** Who is at the table, the banker included, by seat. */
  entrants?: BlackjackEntrant[];
}

/** Somebody at the table when a round begins. */
export interface BlackjackEntrant {
  seat?: number;
  /** Absent in points mode. */
  stack?: string;
}

/** Cards were shuffled. */
export interface BlackjackShuffled {
  /**
   * 0 for the whole shoe before a round; otherwise the number of the reshuffle of the tray
   * within the round, from 1 (8).
   */
  trayReshuffle?: number;
  /** Cards in the new stock. */
  count?: number;
  /** The stock from the top; only for the audit and a replay. */
  stock?: string[];
}

/** A seat and an amount. */
export interface BlackjackSeatAmount {
  seat?: number;
  amount?: string;
}

/** Everybody has two cards (2.2). */
export interface BlackjackDealt {
  /** In the order of play. */
  hands?: BlackjackDealtHand[];
  /** The banker's up card. */
  up?: string;
  /** The banker's hole card; only for the audit and a replay. */
  hole?: string;
}

/** The first two cards of a seat. */
export interface BlackjackDealtHand {
  seat?: number;
  /** Empty when they lie face down for the receiver. */
  cards?: string[];
}

/** Insurance is open. */
export type BlackjackInsuranceOffered = Record<string, never>;

/** The hole card was looked at (2.4). */
export interface BlackjackPeeked {
  /**
   * Whether it makes a natural: then the round is settled at once, otherwise insurance is lost.
   */
  natural?: boolean;
}

/** A hand took a card. */
export interface BlackjackCardTaken {
  seat?: number;
  /** Which of the seat's hands. */
  hand?: number;
  /** Absent when it lies face down for the receiver. */
  card?: string;
  /** What became of the hand. */
  status?: BlackjackHandStatus;
  /** The stake now, when the hand was doubled. */
  stake?: string;
}

/** A hand became two (2.5): its second card went to a new hand right after it. */
export interface BlackjackSplit {
  seat?: number;
  /** Which of the seat's hands; the new one has the next number. */
  hand?: number;
  /** The stake of each of the two. */
  stake?: string;
  /**
   * The new card of the hand and that of the new hand; empty when face down for the receiver.
   */
  cards?: string[];
}

/** A round was paid. */
export interface BlackjackSettled {
  settlement?: BlackjackSettlement;
  /** What moved between the stacks. */
  result?: HandResult;
  /** Whether the next round begins with a shuffle of the whole shoe. */
  shuffleNext?: boolean;
}

/** Nobody bet. */
export interface BlackjackVoided {
  /** Whether the next round begins with a shuffle of the whole shoe. */
  shuffleNext?: boolean;
}

// parlor/rules/v1/echo.proto

export interface EchoOptions {
  /** Turns of a hand, 1 to 1000; 100 by default. */
  turns?: number;
  /** Clock of a turn in milliseconds, 1 to 3600000; 30000 by default. */
  turnMs?: number;
}

/** Says something on the own turn. */
export interface EchoCommand {
  /** Number of the turn, counted from 0 over all hands: a stale one is refused. */
  number?: string;
  /** At most 256 bytes. */
  words?: string;
}

export interface EchoEvent {
  opened?: EchoOpened;
  said?: EchoSaid;
  ended?: EchoEnded;
}

/** A hand begins; its seats take turns in this order. */
export interface EchoOpened {
  seats?: number[];
}

export interface EchoSaid {
  seat?: number;
  number?: string;
  words?: string;
}

export interface EchoEnded {
  result?: HandResult;
}

export interface EchoView {
  /** Number of the next turn. */
  number?: string;
  /** Whose turn it is; absent between hands. */
  turn?: number;
}

// parlor/rules/v1/mahjong_options.proto

/**
 * The settings of a room (8). An absent field takes the preset's default. In a view all are
 * present.
 */
export interface MahjongOptions {
  /** What absent fields follow. Default standard. */
  preset?: MahjongPreset;
  /** 4 (108 tiles, 定缺) or 3 (72 tiles). Default 4. */
  players?: number;
  /** 底分, at least 1. Default 1. */
  base?: string;
  /** 封顶: 3, 4 or 5. Default 3. */
  maxFan?: number;
  /** Hands of a match: 1, 4, 8 or 16. Default 8. */
  rounds?: number;
  /** 自摸加底 or 自摸加番 (9.2). Default di. */
  zimo?: MahjongZimo;
  /** 点炮可平胡 (11.2): three players only. Default false. */
  dianpaoPinghu?: boolean;
  /** 对对胡 counts two fan. Default false. */
  pengpengTwoFan?: boolean;
  /** 将对 and 将七对 count. Default true. */
  jiangdui?: boolean;
  /** 全幺九 counts. Default true. */
  yaojiu?: boolean;
  /** 门清 counts. Default true. In nanoserver_compat one switch with zhongzhang. */
  menqing?: boolean;
  /** 中张 counts. Default true. */
  zhongzhang?: boolean;
  /** 夹心五 counts. Default true. */
  jiaxin5?: boolean;
  /** Which hand types count together (7.4). Default standard. */
  fanStacking?: MahjongFanStacking;
  /** A concealed kong keeps 门清. Default false. */
  menqingAllowsAnkong?: boolean;
  /** When 夹心五 counts (7.2). Default arrangeable. */
  jiaxin5Mode?: MahjongJiaxin5Mode;
  /** Who pays for 点杠花 (9.3). Default dianpao. */
  dianGangHua?: MahjongDianGangHua;
  /** 海底炮 counts. Default false. */
  haidiPao?: boolean;
  /** 呼叫转移 (9.6). Default last_kong. */
  callTransfer?: MahjongCallTransfer;
  /** 呼叫转移 with several winners (9.6). Default split. */
  callTransferMulti?: MahjongCallTransferMulti;
  /** An added kong of a tile that was not just drawn (4.2). Default pay. */
  delayedAddedKong?: MahjongDelayedAddedKong;
  /** 过手胡 (3.8). Default same_tile. */
  guoShouHu?: MahjongGuoShouHu;
  /** A seat that holds void tiles may discard nothing else (2.6). Default false. */
  forceDiscardVoid?: boolean;
  /** 花猪 (9.8). Default not_ting. */
  huaZhu?: MahjongHuaZhu;
  /** 退税 (9.7). Default cha_jiao. */
  refundScope?: MahjongRefundScope;
  /** Waiting for a tile of which one holds all four counts as ready (6.5). Default false. */
  deadWaitIsTing?: boolean;
  /** Whether several winners on a tile make its discarder the dealer (10.2). Default any. */
  multiWinDealer?: MahjongMultiWinDealer;
  /** Who deals after a hand without a win (10.3). Default stay. */
  drawDealer?: MahjongDrawDealer;
  /** 换三张 is played (1.7). Default false. */
  huanSanZhang?: boolean;
  /** 天胡 and 地胡 (7.3). Default off. */
  tianDiHu?: MahjongTianDiHu;
  /** 卡二条 counts. Default false. */
  kaErTiao?: boolean;
  /** 一条龙 counts. Default false. */
  yiTiaoLong?: boolean;
  /**
   * Time to choose three tiles, in milliseconds; then the lowest three of the smallest suit go
   * (1.7). Default 20000.
   */
  exchangeMs?: number;
  /** Time to choose the void suit; then it is the smallest one (1.8). Default 15000. */
  voidMs?: number;
  /** Time to act on one's turn; then the drawn tile is discarded. Default 15000. */
  discardMs?: number;
  /** Time to answer an offer; then it is declined (3.5). Default 8000. */
  claimMs?: number;
  /**
   * Shortest and longest pause after every discard and added kong, whether or not anybody was
   * offered anything, so that a pause tells nothing. Default 300 and 900.
   */
  claimPauseMinMs?: number;
  claimPauseMaxMs?: number;
}

export type MahjongPreset =
  | 'MAHJONG_PRESET_UNSPECIFIED'
  | 'MAHJONG_PRESET_STANDARD'
  | 'MAHJONG_PRESET_NANOSERVER_COMPAT';

export type MahjongZimo =
  | 'MAHJONG_ZIMO_UNSPECIFIED'
  | 'MAHJONG_ZIMO_DI'
  | 'MAHJONG_ZIMO_FAN'
  | 'MAHJONG_ZIMO_NONE';

export type MahjongFanStacking =
  | 'MAHJONG_FAN_STACKING_UNSPECIFIED'
  | 'MAHJONG_FAN_STACKING_STANDARD'
  | 'MAHJONG_FAN_STACKING_NANOSERVER'
  | 'MAHJONG_FAN_STACKING_MAX_ONLY';

export type MahjongJiaxin5Mode =
  | 'MAHJONG_JIAXIN5_MODE_UNSPECIFIED'
  | 'MAHJONG_JIAXIN5_MODE_ARRANGEABLE'
  | 'MAHJONG_JIAXIN5_MODE_SINGLE_WAIT';

export type MahjongDianGangHua =
  | 'MAHJONG_DIAN_GANG_HUA_UNSPECIFIED'
  | 'MAHJONG_DIAN_GANG_HUA_DIANPAO'
  | 'MAHJONG_DIAN_GANG_HUA_ZIMO';

export type MahjongCallTransfer =
  | 'MAHJONG_CALL_TRANSFER_UNSPECIFIED'
  | 'MAHJONG_CALL_TRANSFER_LAST_KONG'
  | 'MAHJONG_CALL_TRANSFER_CHAIN'
  | 'MAHJONG_CALL_TRANSFER_ALL'
  | 'MAHJONG_CALL_TRANSFER_OFF';

export type MahjongCallTransferMulti =
  | 'MAHJONG_CALL_TRANSFER_MULTI_UNSPECIFIED'
  | 'MAHJONG_CALL_TRANSFER_MULTI_SPLIT'
  | 'MAHJONG_CALL_TRANSFER_MULTI_FULL_EACH';

export type MahjongDelayedAddedKong =
  | 'MAHJONG_DELAYED_ADDED_KONG_UNSPECIFIED'
  | 'MAHJONG_DELAYED_ADDED_KONG_PAY'
  | 'MAHJONG_DELAYED_ADDED_KONG_NO_PAY'
  | 'MAHJONG_DELAYED_ADDED_KONG_FORBID';

export type MahjongGuoShouHu =
  | 'MAHJONG_GUO_SHOU_HU_UNSPECIFIED'
  | 'MAHJONG_GUO_SHOU_HU_SAME_TILE'
  | 'MAHJONG_GUO_SHOU_HU_ANY_TILE'
  | 'MAHJONG_GUO_SHOU_HU_OFF';

export type MahjongHuaZhu =
  | 'MAHJONG_HUA_ZHU_UNSPECIFIED'
  | 'MAHJONG_HUA_ZHU_NOT_TING'
  | 'MAHJONG_HUA_ZHU_PENALTY';

export type MahjongRefundScope =
  | 'MAHJONG_REFUND_SCOPE_UNSPECIFIED'
  | 'MAHJONG_REFUND_SCOPE_CHA_JIAO'
  | 'MAHJONG_REFUND_SCOPE_ANY_END';

export type MahjongMultiWinDealer =
  | 'MAHJONG_MULTI_WIN_DEALER_UNSPECIFIED'
  | 'MAHJONG_MULTI_WIN_DEALER_ANY'
  | 'MAHJONG_MULTI_WIN_DEALER_FIRST';

export type MahjongDrawDealer =
  | 'MAHJONG_DRAW_DEALER_UNSPECIFIED'
  | 'MAHJONG_DRAW_DEALER_STAY'
  | 'MAHJONG_DRAW_DEALER_NEXT';

export type MahjongTianDiHu =
  | 'MAHJONG_TIAN_DI_HU_UNSPECIFIED'
  | 'MAHJONG_TIAN_DI_HU_OFF'
  | 'MAHJONG_TIAN_DI_HU_ADD'
  | 'MAHJONG_TIAN_DI_HU_CAP';

// parlor/rules/v1/mahjong_words.proto

export type MahjongSuit =
  | 'MAHJONG_SUIT_UNSPECIFIED'
  | 'MAHJONG_SUIT_CHARACTERS'
  | 'MAHJONG_SUIT_DOTS'
  | 'MAHJONG_SUIT_BAMBOOS';

export type MahjongMeldKind =
  | 'MAHJONG_MELD_KIND_UNSPECIFIED'
  | 'MAHJONG_MELD_KIND_PUNG'
  | 'MAHJONG_MELD_KIND_DIRECT_KONG'
  | 'MAHJONG_MELD_KIND_ADDED_KONG'
  | 'MAHJONG_MELD_KIND_CONCEALED_KONG';

/** A pung or a kong. */
export interface MahjongMeld {
  kind?: MahjongMeldKind;
  tile?: string;
  /** Whose discard was claimed for it; absent for a concealed kong. */
  from?: number;
}

/** What a seat can do with a tile, besides declining it. */
export interface MahjongOffer {
  seat?: number;
  /** It can win; with this raw fan. */
  winRawFan?: number;
  kong?: boolean;
  pung?: boolean;
}

export type MahjongSource =
  | 'MAHJONG_SOURCE_UNSPECIFIED'
  | 'MAHJONG_SOURCE_SELF_DRAW'
  | 'MAHJONG_SOURCE_KONG_DRAW'
  | 'MAHJONG_SOURCE_DIRECT_KONG_DRAW'
  | 'MAHJONG_SOURCE_DISCARD'
  | 'MAHJONG_SOURCE_DISCARD_AFTER_KONG'
  | 'MAHJONG_SOURCE_ROBBED_KONG';

/** One line of a breakdown. */
export interface MahjongFan {
  /** Id of the rules, such as "gen". */
  id?: string;
  fan?: number;
}

/** What a winning hand is worth (7). */
export interface MahjongScore {
  /** The hand's display name as an id, such as "qingdui" (7.5). */
  pattern?: string;
  /** "pinghu", "duiduihu" or "qidui". */
  form?: string;
  /** The parts of `raw_fan`. */
  breakdown?: MahjongFan[];
  /** Not capped. */
  rawFan?: number;
}

/** One payment, as it happens. */
export interface MahjongPayment {
  from?: number;
  to?: number;
  amount?: string;
  /** Owed beyond the payer's stack; always 0 in points mode. */
  short?: string;
  /**
   * "hu_zimo", "hu_discard", "hu_rob_kong", "hu_dian_gang_hua", "added_kong", "concealed_kong",
   * "direct_kong", "call_transfer", "kong_refund", "hua_zhu" or "cha_jiao".
   */
  why?: string;
}

export type MahjongTurnStart =
  | 'MAHJONG_TURN_START_UNSPECIFIED'
  | 'MAHJONG_TURN_START_DEALT'
  | 'MAHJONG_TURN_START_DRAW'
  | 'MAHJONG_TURN_START_REPLACEMENT'
  | 'MAHJONG_TURN_START_PUNG';

export type MahjongEnding =
  | 'MAHJONG_ENDING_UNSPECIFIED'
  | 'MAHJONG_ENDING_LAST_STANDING'
  | 'MAHJONG_ENDING_WALL_EMPTY';

/** How a seat stands at the end of a hand. */
export interface MahjongStanding {
  /** It has won. */
  won?: boolean;
  /** 有叫: the largest raw fan over its waits. */
  readyRawFan?: number;
  /** 无叫. */
  notReady?: boolean;
  /** 花猪: it holds tiles of its void suit. */
  holdsVoid?: boolean;
}

/** The score sheet of a match. */
export interface MahjongSheet {
  /** By seat. */
  seats?: MahjongSeatSheet[];
  /** What each finished hand changed. */
  hands?: MahjongHandLine[];
  /** 大赢家: the seats with the highest total; empty before the first hand. */
  bigWinners?: number[];
  /** 炮王: the seats that paid most for wins that they alone paid for. */
  mostPaid?: number[];
}

export interface MahjongSeatSheet {
  total?: string;
  /** 自摸. */
  selfDraws?: number;
  /** 接炮: wins on discards and robbed kongs. */
  claimedWins?: number;
  /** 点炮: wins that the seat alone paid for. */
  fedWins?: number;
  /** What those cost, 呼叫转移 apart. */
  fedAmount?: string;
  /** 暗杠. */
  concealedKongs?: number;
  /** 直杠 and 巴杠. */
  exposedKongs?: number;
  /** The largest win, capped; absent before the first. */
  bestFan?: number;
}

export interface MahjongHandLine {
  /** By seat. */
  nets?: string[];
}

// parlor/rules/v1/mahjong_event.proto

/** What happened, as far as the receiver may know. */
export interface MahjongEvent {
  dealt?: MahjongDealt;
  exchangeChosen?: MahjongExchangeChosen;
  exchanged?: MahjongExchanged;
  voidChosen?: MahjongVoidChosen;
  voidsRevealed?: MahjongVoidsRevealed;
  drew?: MahjongDrew;
  discarded?: MahjongDiscarded;
  kongDeclared?: MahjongKongDeclared;
  answered?: MahjongAnswered;
  /** The auditor's alone. */
  pauseElapsed?: MahjongPauseElapsed;
  pungMade?: MahjongPungMade;
  kongMade?: MahjongKongMade;
  kongRobbed?: MahjongKongRobbed;
  won?: MahjongWon;
  paid?: MahjongPaid;
  handEnded?: MahjongHandEnded;
  matchEnded?: MahjongMatchEnded;
}

/** A hand begins (1.4). Next come the exchange, the void suits, or the dealer's turn. */
export interface MahjongDealt {
  /** Number of the hand in the match, from 1. */
  hand?: number;
  dealer?: number;
  /** The receiver's tiles, sorted. */
  own?: string[];
  /**
   * The whole shuffled wall, for the auditor: in turn order from the dealer each seat has the
   * next thirteen tiles, the dealer the one after those as well.
   */
  wall?: string[];
  /** What each seat can lose; empty in points mode. */
  stacks?: string[];
}

/** A seat has chosen three tiles. */
export interface MahjongExchangeChosen {
  seat?: number;
  /** Its own alone. */
  tiles?: string[];
}

/** The chosen tiles move (1.7). */
export interface MahjongExchanged {
  /** 1 to 6. */
  die?: number;
  /** How many seats onward in turn order. */
  shift?: number;
  /** What the receiver gave and got. */
  gifts?: MahjongGift[];
}

export interface MahjongGift {
  from?: number;
  to?: number;
  tiles?: string[];
}

/** A seat has chosen its void suit. */
export interface MahjongVoidChosen {
  seat?: number;
  /** Present for its own seat alone. */
  suit?: MahjongSuit;
}

/** All void suits, by seat. */
export interface MahjongVoidsRevealed {
  suits?: MahjongSuit[];
}

/** A seat draws and is on turn. A claim window that was open is closed. */
export interface MahjongDrew {
  seat?: number;
  /** Its own alone. */
  tile?: string;
  start?: MahjongTurnStart;
  /** Who fed the direct kong that is being replaced. */
  feeder?: number;
}

/**
 * A seat discards, and a claim window opens: for everybody, whoever is offered something (3).
 */
export interface MahjongDiscarded {
  seat?: number;
  tile?: string;
  /** What the receiver is offered, if anything; the auditor sees all offers. */
  offers?: MahjongOffer[];
}

/** A seat declares an added kong, and a window for robbing it opens (4.5). */
export interface MahjongKongDeclared {
  seat?: number;
  tile?: string;
  /** What the receiver is offered, if anything; the auditor sees all offers. */
  offers?: MahjongOffer[];
}

export type MahjongAnswer =
  | 'MAHJONG_ANSWER_UNSPECIFIED'
  | 'MAHJONG_ANSWER_WIN'
  | 'MAHJONG_ANSWER_KONG'
  | 'MAHJONG_ANSWER_PUNG'
  | 'MAHJONG_ANSWER_PASS';

/** The receiver's own answer is noted. What comes of it is seen when the window closes. */
export interface MahjongAnswered {
  seat?: number;
  answer?: MahjongAnswer;
}

export type MahjongPauseElapsed = Record<string, never>;

/** 碰. The seat must discard; it has not drawn. */
export interface MahjongPungMade {
  seat?: number;
  tile?: string;
  from?: number;
}

/** A kong takes effect; the replacement draw follows. */
export interface MahjongKongMade {
  seat?: number;
  tile?: string;
  kind?: MahjongMeldKind;
  /** Who discarded the tile of the direct kong, or of the pung of an added one. */
  from?: number;
}

/** 抢杠: the declared kong does not exist; the tile lies among the declarer's discards. */
export interface MahjongKongRobbed {
  seat?: number;
  tile?: string;
}

/** A seat wins. Its tiles stay hidden until the hand is over. */
export interface MahjongWon {
  seat?: number;
  tile?: string;
  /** Whose discard or added kong it was; absent for a self-drawn tile. */
  from?: number;
  source?: MahjongSource;
  score?: MahjongScore;
}

/** Money has moved. */
export interface MahjongPaid {
  payments?: MahjongPayment[];
}

/** The hand is over and all tiles are shown. */
export interface MahjongHandEnded {
  ending?: MahjongEnding;
  /** By seat. */
  hands?: MahjongRevealed[];
  nextDealer?: number;
  /** All payments of the hand in order. */
  result?: HandResult;
}

export interface MahjongRevealed {
  /** Sorted. */
  tiles?: string[];
  standing?: MahjongStanding;
}

/** The match is over. */
export interface MahjongMatchEnded {
  sheet?: MahjongSheet;
}

// parlor/rules/v1/mahjong.proto

/** What a seat asks for. `MahjongOwn.actions` lists what it may do now. */
export interface MahjongCommand {
  /** Gives three tiles of one suit away (1.7). */
  exchange?: MahjongExchange;
  /** Declares the void suit (1.8). */
  chooseVoid?: MahjongChooseVoid;
  /** Discards on the own turn. */
  discard?: MahjongTile;
  /** 暗杠 (4.1). */
  concealedKong?: MahjongTile;
  /** 巴杠 (4.2). */
  addedKong?: MahjongTile;
  /** 胡: with the drawn tile on the own turn, or with the offered tile. */
  win?: MahjongWin;
  /** 直杠: claims the offered discard (4.3). */
  kong?: MahjongKong;
  /** 碰: claims the offered discard. */
  pung?: MahjongPung;
  /** 过: declines an offer. */
  pass?: MahjongPass;
  /** The table's own step when the pause of a claim window is over; refused from a seat. */
  closeWindow?: MahjongCloseWindow;
}

export interface MahjongTile {
  tile?: string;
}

export interface MahjongExchange {
  /** Three tiles of one suit. */
  tiles?: string[];
}

export interface MahjongChooseVoid {
  suit?: MahjongSuit;
}

export type MahjongWin = Record<string, never>;

export type MahjongKong = Record<string, never>;

export type MahjongPung = Record<string, never>;

export type MahjongPass = Record<string, never>;

export type MahjongCloseWindow = Record<string, never>;

export type MahjongStage =
  | 'MAHJONG_STAGE_UNSPECIFIED'
  | 'MAHJONG_STAGE_IDLE'
  | 'MAHJONG_STAGE_EXCHANGE'
  | 'MAHJONG_STAGE_VOID'
  | 'MAHJONG_STAGE_TURN'
  | 'MAHJONG_STAGE_DISCARD'
  | 'MAHJONG_STAGE_ADDED_KONG'
  | 'MAHJONG_STAGE_OVER';

/** What the receiver may know now. */
export interface MahjongView {
  options?: MahjongOptions;
  /** Number of the hand in the match, from 1; 0 before the first. */
  hand?: number;
  stage?: MahjongStage;
  dealer?: number;
  /** Whose turn it is, in stage TURN. */
  turn?: number;
  /** The tile on offer, in the stages DISCARD and ADDED_KONG. */
  offered?: MahjongTableTile;
  /** Tiles left in the wall. */
  wallLeft?: number;
  /** By seat; empty before the first hand. */
  seats?: MahjongSeat[];
  /** The receiver's own secrets; absent for spectators. */
  own?: MahjongOwn;
  /** The hand's payments so far, in order. */
  payments?: MahjongPayment[];
  /** Present once the hand is over. */
  ending?: MahjongEnding;
  nextDealer?: number;
  /** The finished hands of the match. */
  sheet?: MahjongSheet;
  matchOver?: boolean;
  /** The rest of the wall: the auditor's alone. */
  wall?: string[];
}

export interface MahjongTableTile {
  seat?: number;
  tile?: string;
}

/** One seat as everybody sees it. */
export interface MahjongSeat {
  seat?: number;
  /** How many concealed tiles it holds. */
  concealed?: number;
  /** Its concealed tiles, sorted; once the hand is over. */
  tiles?: string[];
  melds?: MahjongMeld[];
  /** In order, without those claimed for melds. */
  discards?: string[];
  /** Once revealed. */
  void?: MahjongSuit;
  /** Whether it has chosen, in the stages EXCHANGE and VOID. */
  hasChosen?: boolean;
  /** Present once it has won. */
  win?: MahjongSeatWin;
  /** What it has gained in this hand so far. */
  net?: string;
  /** Present once the hand is over. */
  standing?: MahjongStanding;
}

export interface MahjongSeatWin {
  /** 1 for the first winner of the hand, and so on. */
  place?: number;
  tile?: string;
  from?: number;
  source?: MahjongSource;
  score?: MahjongScore;
  /** Capped. */
  fan?: number;
}

/** What a seat knows of itself alone. */
export interface MahjongOwn {
  seat?: number;
  /** Concealed tiles, sorted; on the own turn without the drawn one. */
  tiles?: string[];
  /** The tile just drawn, on the own turn. */
  drawn?: string;
  /** What it gives away, from its choice until the exchange. */
  gift?: string[];
  /** The void suit, from its choice on. */
  void?: MahjongSuit;
  /** What it is offered, until it has answered. */
  offer?: MahjongOffer;
  /** What it has answered, until the window closes. */
  answer?: MahjongAnswer;
  /** Wins passed since its last draw, which may be locked (3.8). */
  passed?: MahjongPassed[];
  /** What it may do now. The lists of tiles that it may exchange hold every choice. */
  actions?: MahjongCommand[];
  hints?: MahjongHints;
}

export interface MahjongPassed {
  tile?: string;
  rawFan?: number;
}

/** 听牌提示, from the seat's own view alone. */
export interface MahjongHints {
  /** The suit to give up, in stage VOID. */
  void?: MahjongSuit;
  /** What the hand waits for, while it is not the seat's turn. */
  waits?: MahjongWait[];
  /** On the own turn: every discard that leaves the hand ready. */
  discards?: MahjongReadyDiscard[];
}

export interface MahjongWait {
  tile?: string;
  /** What a plain discard win would be worth, capped. */
  fan?: number;
  /** Not capped. */
  rawFan?: number;
  /** Copies that the seat cannot see. */
  remaining?: number;
}

export interface MahjongReadyDiscard {
  discard?: string;
  waits?: MahjongWait[];
}

// parlor/rules/v1/rules.proto

/** Options of one game. An absent field of a game's options takes the rule's default. */
export interface GameOptions {
  blackjack?: BlackjackOptions;
  mahjong?: MahjongOptions;
  balatro?: BalatroOptions;
  echo?: EchoOptions;
}

/** A move in one game. */
export interface GameCommand {
  blackjack?: BlackjackCommand;
  mahjong?: MahjongCommand;
  balatro?: BalatroCommand;
  echo?: EchoCommand;
}

/** An event of one game, as far as its receiver may know it. */
export interface GameEvent {
  blackjack?: BlackjackEvent;
  mahjong?: MahjongEvent;
  balatro?: BalatroEvent;
  echo?: EchoEvent;
}

/** The state of one game, as far as its receiver may know it. */
export interface GameView {
  blackjack?: BlackjackView;
  mahjong?: MahjongView;
  balatro?: BalatroView;
  echo?: EchoView;
}

// parlor/table/v1/commands.proto

/** One command to a table. The player comes from the session, never from the message. */
export interface Command {
  /** A move of the game. */
  play?: GameCommand;
  sit?: Sit;
  ready?: Ready;
  standUp?: StandUp;
  sitOut?: SitOut;
  autoPlay?: AutoPlay;
  clientSeed?: ClientSeed;
  emote?: Emote;
  quickChat?: QuickChat;
  addBot?: AddBot;
  kick?: Kick;
  proposeDissolve?: ProposeDissolve;
  voteDissolve?: VoteDissolve;
  pause?: Pause;
  rematch?: Rematch;
}

/**
 * Takes a seat, or the seat that is reserved for the player. At a chips table the buy-in is
 * held in the player's wallet first; the seat is taken when the hold is confirmed.
 */
export interface Sit {
  /** Absent: the reserved seat, or else the first free one. */
  seat?: number;
  /** Minor units to bring; 0: the table's usual buy-in. Ignored in points mode. */
  buyIn?: string;
}

/** Says that the occupant is ready for the next hand, or no longer. */
export interface Ready {
  ready?: boolean;
}

/**
 * Gives the seat up: at once between hands, otherwise when the hand is over. Until then the
 * rule's defaults are played in the seat's name.
 */
export type StandUp = Record<string, never>;

/** Keeps the seat without being dealt in, or comes back. */
export interface SitOut {
  sittingOut?: boolean;
}

/** Lets the table play the rule's defaults for the seat (托管), or takes control back. */
export interface AutoPlay {
  enabled?: boolean;
}

/**
 * Adds up to 32 bytes of the player's own to the next shuffle. Accepted until the hand starts.
 */
export interface ClientSeed {
  seed?: string;
}

/** Shows a picture to everybody at the table. */
export interface Emote {
  /** 1 to 32. */
  emote?: number;
}

/** Says one of the prepared sentences. */
export interface QuickChat {
  /** 1 to 32. */
  sentence?: number;
}

/** Seats a bot. Host only, at tables that allow bots. */
export interface AddBot {
  /** Absent: the first free seat. */
  seat?: number;
}

/** Removes a bot or, between hands, a player. Host only. */
export interface Kick {
  seat?: number;
}

/** Asks everybody to end the table now. */
export type ProposeDissolve = Record<string, never>;

/** Answers the open dissolve vote. */
export interface VoteDissolve {
  agree?: boolean;
}

/** Stops the clocks, or starts them again. Host only, at tables that allow it. */
export interface Pause {
  paused?: boolean;
}

/** Starts a new match with the same players after the last one has ended. Host only. */
export type Rematch = Record<string, never>;

// parlor/table/v1/view.proto

/** Where a table is in its life. */
export type Phase =
  | 'PHASE_UNSPECIFIED'
  | 'PHASE_WAITING'
  | 'PHASE_IN_HAND'
  | 'PHASE_MATCH_OVER'
  | 'PHASE_CLOSED';

/** How money is counted at a table. */
export type StakeMode =
  | 'STAKE_MODE_UNSPECIFIED'
  | 'STAKE_MODE_CHIPS'
  | 'STAKE_MODE_POINTS';

/** Who occupies a seat. */
export type Occupant =
  | 'OCCUPANT_UNSPECIFIED'
  | 'OCCUPANT_EMPTY'
  | 'OCCUPANT_RESERVED'
  | 'OCCUPANT_PLAYER'
  | 'OCCUPANT_BOT';

/** One seat. */
export interface SeatView {
  seat?: number;
  occupant?: Occupant;
  /** Present for a reserved seat, a player or a bot. */
  playerId?: string;
  name?: string;
  /** Minor units in front of the seat; in points mode the score, which may be negative. */
  stack?: string;
  ready?: boolean;
  connected?: boolean;
  sittingOut?: boolean;
  /** The table plays the rule's defaults for the seat. */
  autoPlay?: boolean;
  /** The occupant leaves when the hand is over. */
  leaving?: boolean;
  host?: boolean;
  /** Milliseconds that are left of the hand's time bank; full again when a hand starts. */
  timeBankMs?: number;
}

/** A running clock. Clocks of decisions that the viewer may not know of are absent. */
export interface Clock {
  seat?: number;
  /**
   * Milliseconds since the Unix epoch on the server's clock; compare with `time_ms` of the same
   * message rather than with the device's clock.
   */
  deadlineMs?: string;
  /** The last part of the time until the deadline that comes from the seat's time bank. */
  timeBankMs?: number;
}

/** An open vote to end the table. */
export interface DissolveVote {
  proposedBy?: number;
  agreed?: number[];
  deadlineMs?: string;
}

/** The public half of the coming (or running) shuffle. */
export interface FairState {
  /** SHA-256("parlor/commit/v1" || server seed), 32 bytes. */
  commitment?: string;
  /** Seats that have added a seed of their own to the hand. */
  seeded?: number[];
}

/** Everything that one viewer may know of a table. */
export interface TableView {
  tableId?: string;
  /** The game's id, such as "blackjack". */
  game?: string;
  options?: GameOptions;
  phase?: Phase;
  paused?: boolean;
  stakeMode?: StakeMode;
  /** Usual buy-in in minor units; 0 in points mode. */
  buyIn?: string;
  seats?: SeatView[];
  /** The viewer's seat; absent for a spectator. */
  ownSeat?: number;
  /** Number of the hand that runs or ran last; 0 before the first. */
  handNo?: string;
  clocks?: Clock[];
  vote?: DissolveVote;
  fair?: FairState;
  /** The game itself; absent before the first hand. */
  view?: GameView;
  /** Code of the private room, for its occupants; empty at a public table. */
  roomCode?: string;
  /** Spectators at the table now. */
  spectators?: number;
  /** The table allows bots that the host adds. */
  botsAllowed?: boolean;
  /** The game's id of the last finished hand, for history; empty before that. */
  lastHandId?: string;
}

/** One thing that happened at a table, as far as its receiver may know it. */
export interface TableEvent {
  seatChanged?: SeatChanged;
  handStarted?: HandStarted;
  /** An event of the game. */
  play?: GameEvent;
  handEnded?: HandEnded;
  seedCommitted?: SeedCommitted;
  seedRevealed?: SeedRevealed;
  emote?: EmoteShown;
  quickChat?: QuickChatSaid;
  vote?: VoteChanged;
  paused?: Paused;
  matchEnded?: MatchEnded;
  closed?: TableClosed;
  /** The clocks that the receiver may know of, all of them, whenever one changes. */
  clocks?: ClocksChanged;
  /** The hand's money is in the ledger. */
  handPosted?: HandPosted;
  /** A time-out was answered with the rule's default. */
  timedOut?: TimedOut;
  seatRefused?: SeatRefused;
}

/** A seat has changed in any way; its whole new state. */
export interface SeatChanged {
  seat?: SeatView;
}

/** A buy-in was refused, so the seat is free again. */
export interface SeatRefused {
  seat?: number;
  playerId?: string;
  /** Stable reason, such as LEDGER_INSUFFICIENT_FUNDS. */
  reason?: string;
}

export interface HandStarted {
  handNo?: string;
  /** Seats that are dealt in. */
  seats?: number[];
  handId?: string;
}

export interface HandEnded {
  handNo?: string;
  handId?: string;
  result?: HandResult;
}

export interface HandPosted {
  handNo?: string;
}

export interface SeedCommitted {
  /** SHA-256("parlor/commit/v1" || server seed) of the coming hand, 32 bytes. */
  commitment?: string;
}

/** The seeds of a finished hand: all that is needed to shuffle again. */
export interface SeedRevealed {
  handNo?: string;
  serverSeed?: string;
  /** By seat, empty where a seat gave none; in the order in which they enter the key. */
  clientSeeds?: string[];
}

export interface EmoteShown {
  seat?: number;
  emote?: number;
}

export interface QuickChatSaid {
  seat?: number;
  sentence?: number;
}

export interface VoteChanged {
  /** Absent when the vote has closed without agreement. */
  vote?: DissolveVote;
}

export interface Paused {
  paused?: boolean;
}

export interface MatchEnded {
  /** Final scores by seat: stack minus all buy-ins, or points. */
  scores?: SeatScore[];
}

export interface SeatScore {
  seat?: number;
  playerId?: string;
  score?: string;
}

export interface TableClosed {
  /** Stable reason: dissolved, match_over, idle, abandoned, closed_by_operator. */
  reason?: string;
}

export interface ClocksChanged {
  clocks?: Clock[];
}

export interface TimedOut {
  seat?: number;
}

/** What happened at one table in one step, for one viewer. */
export interface TableUpdate {
  tableId?: string;
  /**
   * Counts the updates that this viewer gets of this table: each is one more than the last.
   * Steps that the viewer may not know of are not counted.
   */
  seq?: string;
  /** The server's clock, milliseconds since the Unix epoch. */
  timeMs?: string;
  events?: TableEvent[];
  /** The viewer's whole view after the step; present when the session asked for views. */
  view?: TableView;
}

/**
 * A fresh start for a viewer that has no (usable) position: forget what was known of the table.
 */
export interface TableResync {
  tableId?: string;
  /** The next update is `seq + 1`. */
  seq?: string;
  timeMs?: string;
  view?: TableView;
}

// parlor/table/v1/table.proto

export interface TableSettings {
  options?: GameOptions;
  stakeMode?: StakeMode;
  /** Minor units; must be positive in chips mode. */
  buyIn?: string;
  /** Seats at the table; 0: as many as the rules allow. */
  seats?: number;
  /**
   * Free seats are given to bots when the reservations have been taken up or have expired.
   */
  fillWithBots?: boolean;
  /** The host may seat bots. */
  botsAllowed?: boolean;
  /** Occupants are ready without saying so, hand after hand. */
  alwaysReady?: boolean;
  /** Shown to occupants; empty at a public table. */
  roomCode?: string;
  /** Milliseconds a bot waits before it acts, drawn between the two; 0 and 0: at once. */
  botDelayMinMs?: number;
  botDelayMaxMs?: number;
  /** Others may watch. */
  spectatorsAllowed?: boolean;
  /** The table closes after so many hands; 0: no limit but the match's own. */
  handsLimit?: number;
  /**
   * Milliseconds that each seat may think longer in a hand than its clocks allow, all its turns
   * together; 0: none, at most 600000. Secret offers, such as a claim, do not draw on it.
   */
  timeBankMs?: number;
}

export interface ListTablesResponse {
  tables?: TableSummary[];
  nextPageToken?: string;
}

export interface TableSummary {
  tableId?: string;
  game?: string;
  phase?: Phase;
  handNo?: string;
  seats?: number;
  players?: number;
  bots?: number;
  spectators?: number;
  /** Entries in the table's log. */
  seq?: string;
  /** Empty at a public table. */
  roomCode?: string;
  /** Others may watch. */
  watchable?: boolean;
}

// parlor/matchmaking/v1/matchmaking.proto

export interface ListQueuesResponse {
  queues?: Queue[];
}

export interface Queue {
  /** Stable name, such as "blackjack-quick". */
  queueId?: string;
  game?: string;
  settings?: TableSettings;
  /** Players that a match needs before bots fill in. */
  players?: number;
  /** Bots take the free seats after so many milliseconds; 0: never. */
  botFillAfterMs?: number;
  /** Tickets that wait now. */
  waiting?: number;
  /** How long players have to say that they are ready for a match; 0: they are not asked. */
  readyCheckMs?: number;
}

export interface Member {
  playerId?: string;
  name?: string;
}

export interface EnqueueResponse {
  ticketId?: string;
}

export interface TicketUpdate {
  ticketId?: string;
  waiting?: TicketWaiting;
  matched?: TicketMatched;
  closed?: TicketClosed;
  readyCheck?: TicketReadyCheck;
}

/** A match was found, and all its players are asked whether they are ready. */
export interface TicketReadyCheck {
  /** When the time to answer is up, milliseconds since the Unix epoch. */
  deadlineMs?: string;
  /** Players of the match who are asked. */
  players?: number;
  /** Those who have said that they are ready. */
  ready?: number;
  /** Whether the player who watches is one of them. */
  selfReady?: boolean;
}

export interface TicketWaiting {
  /** Tickets of the queue, this one included. */
  waiting?: number;
  /** Milliseconds that tickets of this queue waited lately; 0: not known. */
  estimateMs?: number;
}

export interface TicketMatched {
  tableId?: string;
  seat?: number;
}

export interface TicketClosed {
  /** cancelled, expired, failed, not_ready. */
  reason?: string;
}

// parlor/matchmaking/v1/club.proto

export type ClubRole =
  | 'CLUB_ROLE_UNSPECIFIED'
  | 'CLUB_ROLE_OWNER'
  | 'CLUB_ROLE_MANAGER'
  | 'CLUB_ROLE_MEMBER';

export interface Club {
  clubId?: string;
  name?: string;
  /** What the viewer is. */
  ownRole?: ClubRole;
  /** Owner first, then managers, then members, each in the order of joining. */
  members?: ClubMember[];
  /** Players who ask to be let in; empty for mere members. */
  joinRequests?: Member[];
  /** Empty for mere members. */
  inviteCode?: string;
  /** Rooms that are open. */
  rooms?: ClubRoom[];
  /** Room cards that are free. */
  cards?: string;
  /** Cards that are set aside for rooms whose first hand has not begun. */
  cardsHeld?: string;
  /** What rooms cost; empty: nothing. */
  prices?: CardPrice[];
}

export interface ClubMember {
  playerId?: string;
  name?: string;
  role?: ClubRole;
  joinedMs?: string;
}

export interface ClubRoom {
  roomCode?: string;
  /** Empty while the table is being created. */
  tableId?: string;
  host?: Member;
  game?: string;
  /** Cards that it costs. */
  price?: string;
  /** The first hand has begun, so that the cards are spent. */
  charged?: boolean;
  createdMs?: string;
}

/** A room of at most so many hands costs so many cards. */
export interface CardPrice {
  /** 0: of any length. */
  hands?: number;
  cards?: string;
}

export interface ClubSummary {
  clubId?: string;
  name?: string;
  ownRole?: ClubRole;
  members?: number;
  rooms?: number;
  cards?: string;
  /** Players who ask to be let in; 0 for mere members. */
  joinRequests?: number;
}

export interface ListClubsResponse {
  clubs?: ClubSummary[];
}

export interface ClubChange {
  /** Lets in a player who asks; the owner and managers. */
  admitPlayerId?: string;
  /** Turns away a player who asks; the owner and managers. */
  refusePlayerId?: string;
  /** The owner only. Making another the owner makes the caller a manager. */
  setRole?: SetClubRole;
  /**
   * Of a lower role than the caller's, or the caller, who leaves. The owner may leave as the
   * last; the club is then no more.
   */
  removePlayerId?: string;
  /** The old invite code is void; the owner and managers. */
  renewInvite?: RenewInvite;
  /** The owner only. 1 to 32 characters. */
  rename?: string;
}

export interface SetClubRole {
  playerId?: string;
  role?: ClubRole;
}

export type RenewInvite = Record<string, never>;

export interface ListCardEntriesResponse {
  /** Newest first, at most 50. */
  entries?: CardEntry[];
}

export interface CardEntry {
  /** From 1, without gaps. */
  number?: string;
  /** Negative when cards were spent. */
  cards?: string;
  /** All cards of the club after it, free and held. */
  balance?: string;
  timeMs?: string;
  /** The room for which they were spent; empty for a grant. */
  tableId?: string;
  /** The operator's words about a grant. */
  note?: string;
  /** Who opened the room for which they were spent; absent for a grant. */
  host?: Member;
  /** The room's game; empty for a grant. */
  game?: string;
}

// parlor/matchmaking/v1/party.proto

export interface PartyView {
  partyId?: string;
  /** The leader first, then in the order of joining. */
  members?: Member[];
  /** 8 letters and digits. */
  inviteCode?: string;
  /** When the invite code lapses, milliseconds since the Unix epoch. */
  inviteUntilMs?: string;
  /** Most members. */
  largest?: number;
  /** The live ticket of the party; empty: it waits in no queue. */
  ticketId?: string;
  /** The queue of that ticket. */
  queueId?: string;
}

export interface PartyUpdate {
  partyId?: string;
  /** The whole party, as it is now. */
  party?: PartyView;
  /** The player is in the party no more; nothing follows. */
  left?: PartyLeft;
}

export interface PartyLeft {
  /**
   * Stable: left: by the player's own request; removed: the leader sent the player away;
   * absent: the player was not connected for too long; gone: the party is no more.
   */
  reason?: string;
}

// parlor/settlement/v1/ledger.proto

export interface HandSeat {
  seat?: number;
  playerId?: string;
  name?: string;
  bot?: boolean;
  /** Minor units or points. */
  stackBefore?: string;
  change?: string;
}

export interface HandFairness {
  commitment?: string;
  /**
   * Empty while the seed may not be revealed: a daily challenge, and a shoe that goes on;
   * GetHand shows that of a shoe afterwards.
   */
  serverSeed?: string;
  /** By seat, in the order in which they enter the key. */
  clientSeeds?: string[];
  /**
   * 16 bytes, as they enter the key. All zero in a daily challenge, which every table deals
   * alike: 1 stands for the number of the hand then, and there are no client seeds.
   */
  tableId?: string;
}

export interface RunOutcome {
  won?: boolean;
  ante?: number;
  round?: number;
  /** Best single score, decimal. */
  bestScore?: string;
  /**
   * The daily challenge, at most 40 bytes; empty for an ordinary run. Only a day, YYYY-MM-DD,
   * has a leaderboard.
   */
  daily?: string;
}

// parlor/settlement/v1/history.proto

export interface ListHandsResponse {
  hands?: HandSummary[];
  nextPageToken?: string;
}

export interface HandSummary {
  handId?: string;
  tableId?: string;
  handNo?: string;
  game?: string;
  endedMs?: string;
  seats?: HandSeat[];
  /** chips or points. */
  stakeMode?: string;
  /** Where the roguelike's run ended; absent in other games. */
  run?: RunOutcome;
}

export interface GetLeaderboardResponse {
  rows?: LeaderboardRow[];
}

export interface LeaderboardRow {
  /** 1 is best; equal scores share a rank. */
  rank?: number;
  playerId?: string;
  name?: string;
  /** Decimal. */
  score?: string;
}

// parlor/gateway/v1/session.proto

export interface ClientFrame {
  hello?: Hello;
  request?: Request;
  ping?: Ping;
}

export interface ServerFrame {
  welcome?: Welcome;
  response?: Response;
  /** Something happened at a table that the session watches. */
  update?: TableUpdate;
  /** The session starts afresh with a table. */
  resync?: TableResync;
  /** What happens to the player's ticket. */
  ticket?: TicketUpdate;
  pong?: Pong;
  /** The gateway is going away: connect again after the pause, to any gateway. */
  goAway?: GoAway;
  /**
   * Not the answer to a request. The connection is closed after it, except for the first few
   * MALFORMED_FRAME.
   */
  error?: Failure;
  /** The session watches a table no longer. */
  tableLeft?: TableLeft;
  /** What happens to the player's party. */
  party?: PartyUpdate;
}

export interface Hello {
  /** From `AuthService`. */
  accessToken?: string;
  /** Name and version of the client, at most 64 characters; for telemetry only. */
  client?: string;
  /** Send the whole view of a table with each of its updates. */
  withViews?: boolean;
  /** Where the client's knowledge of tables ends: the missing updates follow, or a resync. */
  resume?: ResumePoint[];
  /** Up to 32 bytes that enter the shuffles of the tables at which the player sits. */
  clientSeed?: string;
}

export interface ResumePoint {
  tableId?: string;
  /** `seq` of the last update or resync that was received. */
  seq?: string;
}

export interface Welcome {
  playerId?: string;
  name?: string;
  /** Number of this connection among the player's: a later one replaces an earlier one. */
  sessionEpoch?: string;
  /** The server's clock, milliseconds since the Unix epoch. */
  timeMs?: string;
  /**
   * A client that has sent nothing for so long pings; one that is not heard for twice as long
   * is disconnected.
   */
  heartbeatMs?: number;
  /** The table at which the player still has a seat; it is watched already. Empty: none. */
  tableId?: string;
  /** The live ticket of the player; it is watched already. Empty: none. */
  ticketId?: string;
  /** Wallet in minor units; absent while the ledger is away. */
  balance?: string;
  /** Largest frame that the server accepts, in bytes. */
  maxFrameBytes?: number;
  /** The player's party; it is watched already. Empty: none. */
  partyId?: string;
}

/**
 * A request; every request gets exactly one response with its id. A client that has lost the
 * connection repeats the request with the same id: it is not carried out twice.
 */
export interface Request {
  /** 1 to 64 visible ASCII characters, unique among the player's requests for ever. */
  id?: string;
  listQueues?: ListQueues;
  enqueue?: Enqueue;
  cancelTicket?: CancelTicket;
  createRoom?: CreateRoom;
  joinRoom?: JoinRoom;
  /** Watches a table: as its occupant, or as a spectator. */
  watch?: Watch;
  unwatch?: Unwatch;
  table?: TableCommand;
  getProfile?: GetProfile;
  listHands?: ListHands;
  getHand?: GetHand;
  listTables?: ListTables;
  getLeaderboard?: GetLeaderboard;
  answerReadyCheck?: AnswerReadyCheck;
  club?: ClubCommand;
  party?: PartyCommand;
}

export type ListQueues = Record<string, never>;

export interface Enqueue {
  queueId?: string;
}

export type CancelTicket = Record<string, never>;

/** Whether the player is ready for the match that was found; see TicketReadyCheck. */
export interface AnswerReadyCheck {
  ready?: boolean;
}

export interface CreateRoom {
  settings?: TableSettings;
  /** A club of the player, whose room it becomes; empty: nobody's. */
  clubId?: string;
}

/** What a player does with clubs; see ClubService. */
export interface ClubCommand {
  create?: CreateClub;
  list?: ListClubs;
  /** The club with this id. */
  getClubId?: string;
  /** Joins at once. */
  joinByInviteCode?: string;
  /** Asks to be let in to the club with this id. */
  askToJoinClubId?: string;
  change?: ChangeClub;
  listCardEntries?: ListCardEntries;
}

export interface CreateClub {
  name?: string;
}

export type ListClubs = Record<string, never>;

export interface ChangeClub {
  clubId?: string;
  change?: ClubChange;
}

export interface ListCardEntries {
  clubId?: string;
  before?: string;
}

/** What a player does with parties; see PartyService. */
export interface PartyCommand {
  create?: CreateParty;
  joinByInviteCode?: string;
  leave?: LeaveParty;
  /** The leader only: sends the member with this id away. */
  removePlayerId?: string;
  /** The leader only. */
  renewInvite?: RenewPartyInvite;
  /** The leader only: puts all members into the queue with this id. */
  enqueueQueueId?: string;
}

export type CreateParty = Record<string, never>;

export type LeaveParty = Record<string, never>;

export type RenewPartyInvite = Record<string, never>;

export interface JoinRoom {
  roomCode?: string;
}

export interface Watch {
  tableId?: string;
}

export interface Unwatch {
  tableId?: string;
}

export interface TableCommand {
  tableId?: string;
  command?: Command;
}

export type GetProfile = Record<string, never>;

export interface ListHands {
  game?: string;
  pageSize?: number;
  pageToken?: string;
}

export interface GetHand {
  handId?: string;
}

export interface ListTables {
  game?: string;
  pageToken?: string;
}

export interface GetLeaderboard {
  board?: string;
}

export interface Response {
  id?: string;
  error?: Failure;
  /** The request was carried out and has no more to say. */
  done?: Done;
  queues?: ListQueuesResponse;
  enqueued?: EnqueueResponse;
  /** A room was created or joined; its table is watched from now on. */
  room?: RoomJoined;
  profile?: Profile;
  hands?: ListHandsResponse;
  hand?: HandReplay;
  tables?: ListTablesResponse;
  leaderboard?: GetLeaderboardResponse;
  /** After every change of a club of which the player is still a member. */
  club?: Club;
  clubs?: ListClubsResponse;
  cardEntries?: ListCardEntriesResponse;
  /** After every change of the player's party; it is watched from now on. */
  party?: PartyView;
}

export type Done = Record<string, never>;

export interface RoomJoined {
  tableId?: string;
  roomCode?: string;
}

export interface Profile {
  playerId?: string;
  name?: string;
  balance?: string;
  held?: string;
}

/** A finished hand with its events, and all that is needed to check its shuffle. */
export interface HandReplay {
  summary?: HandSummary;
  fairness?: HandFairness;
  /**
   * Empty while the server seed is secret, as with a shoe that goes on: the events would tell
   * its coming cards.
   */
  steps?: ReplayStep[];
}

export interface ReplayStep {
  timeMs?: string;
  events?: TableEvent[];
}

export interface Ping {
  /** Returned as it is. */
  nonce?: string;
}

export interface Pong {
  nonce?: string;
  timeMs?: string;
}

export interface GoAway {
  /** Stable: draining, replaced, idle, kicked. */
  reason?: string;
  /** Wait so long before connecting again. */
  reconnectAfterMs?: number;
}

export interface TableLeft {
  tableId?: string;
  /**
   * Stable: table_closed: it exists no longer; left: the player has left the table, or the
   * client has asked to watch it no longer; not_allowed: the table does not show itself to the
   * player; unavailable: no table pod could be reached for long; watch it again later.
   */
  reason?: string;
}

export interface Failure {
  /**
   * Few and stable: invalid_argument, unauthenticated, permission_denied, not_found,
   * failed_precondition, aborted, resource_exhausted, unavailable, internal.
   */
  code?: string;
  /** Stable, such as BLACKJACK_NOT_YOUR_TURN. */
  reason?: string;
  /** For a developer to read, in English. */
  message?: string;
  /** Whether the same request may succeed later. */
  retryable?: boolean;
  /** Numbers that help, such as largest_bet or retry_after_ms. */
  metadata?: Record<string, string>;
}

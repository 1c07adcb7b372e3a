-- Money, hands and what is derived from them. The same tables as in ../postgres; identifiers are
-- text so that an accountant can read them, times are milliseconds since the Unix epoch.

-- The end of the journal: one row, and whoever writes holds it.
CREATE TABLE journal_head (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    seq     INTEGER NOT NULL,
    time_ms INTEGER NOT NULL,
    link    BLOB NOT NULL CHECK (length(link) = 32)
) STRICT;
INSERT INTO journal_head VALUES (1, 0, 0, zeroblob(32));

CREATE TABLE accounts (
    account TEXT PRIMARY KEY,
    balance INTEGER NOT NULL,
    CHECK (balance >= 0 OR account IN ('external', 'bots'))
) STRICT, WITHOUT ROWID;

-- The journal. A key is used once, and a transaction is reversed once.
CREATE TABLE transactions (
    seq             INTEGER PRIMARY KEY,
    kind            TEXT NOT NULL CHECK (
        kind IN ('deposit', 'withdrawal', 'hold', 'hand', 'release', 'reversal')),
    idempotency_key TEXT NOT NULL UNIQUE,
    body            BLOB NOT NULL CHECK (length(body) = 32),
    time_ms         INTEGER NOT NULL,
    reference       TEXT NOT NULL,
    record          BLOB CHECK (length(record) = 32),
    balance         INTEGER NOT NULL,
    reverses        INTEGER REFERENCES transactions (seq),
    link            BLOB NOT NULL CHECK (length(link) = 32)
) STRICT;

CREATE UNIQUE INDEX transactions_reversed ON transactions (reverses)
    WHERE reverses IS NOT NULL;

CREATE TABLE postings (
    account TEXT NOT NULL,
    seq     INTEGER NOT NULL,
    amount  INTEGER NOT NULL CHECK (amount <> 0),
    balance INTEGER NOT NULL,
    PRIMARY KEY (account, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX postings_by_transaction ON postings (seq);

CREATE TABLE holds (
    hold_id    TEXT PRIMARY KEY,
    table_id   TEXT NOT NULL,
    player_id  TEXT NOT NULL,
    staked     TEXT NOT NULL CHECK (staked IN ('player', 'bot', 'operator')),
    opened_seq INTEGER NOT NULL,
    opened_ms  INTEGER NOT NULL,
    closed_seq INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX open_holds ON holds (opened_seq) WHERE closed_seq IS NULL;
CREATE INDEX open_holds_by_player ON holds (player_id) WHERE closed_seq IS NULL;

-- What an operator's own wallet is asked to do for a hold, until it is done.
CREATE TABLE transfers (
    hold_id    TEXT NOT NULL,
    -- debit: the buy-in. settle: what is left of it. credit: gives a debit back.
    kind       TEXT NOT NULL CHECK (kind IN ('debit', 'settle', 'credit')),
    -- A refused debit may be asked for again, under a new number.
    generation INTEGER NOT NULL,
    hold_key   TEXT NOT NULL,
    table_id   TEXT NOT NULL,
    player_id  TEXT NOT NULL,
    amount     INTEGER NOT NULL CHECK (amount >= 0),
    state      TEXT NOT NULL CHECK (state IN ('pending', 'paid', 'done', 'refused')),
    -- The operator's own number of it, or why it is not done.
    outcome    TEXT NOT NULL,
    attempts   INTEGER NOT NULL,
    -- Nobody works on it before this time.
    due_ms     INTEGER NOT NULL,
    created_ms INTEGER NOT NULL,
    PRIMARY KEY (hold_id, kind, generation)
) STRICT, WITHOUT ROWID;
CREATE INDEX transfers_due ON transfers (due_ms) WHERE state IN ('pending', 'paid');

-- Hands; the journal has their identifiers as keys. The large column is last, so that lists do not
-- read it.
CREATE TABLE hands (
    seq        INTEGER PRIMARY KEY,
    game       TEXT NOT NULL,
    ended_ms   INTEGER NOT NULL,
    commission INTEGER NOT NULL,
    summary    BLOB NOT NULL,
    record     BLOB NOT NULL
) STRICT;

CREATE TABLE hand_players (
    player_id TEXT NOT NULL,
    seq       INTEGER NOT NULL,
    game      TEXT NOT NULL,
    PRIMARY KEY (player_id, seq)
) STRICT, WITHOUT ROWID;

-- What was written stays as it is.
CREATE TRIGGER transactions_stay BEFORE UPDATE ON transactions
BEGIN SELECT RAISE(ABORT, 'the journal does not change'); END;
CREATE TRIGGER transactions_remain BEFORE DELETE ON transactions
BEGIN SELECT RAISE(ABORT, 'the journal does not change'); END;
CREATE TRIGGER postings_stay BEFORE UPDATE ON postings
BEGIN SELECT RAISE(ABORT, 'the journal does not change'); END;
CREATE TRIGGER postings_remain BEFORE DELETE ON postings
BEGIN SELECT RAISE(ABORT, 'the journal does not change'); END;
CREATE TRIGGER hands_stay BEFORE UPDATE ON hands
BEGIN SELECT RAISE(ABORT, 'hands do not change'); END;
CREATE TRIGGER hands_remain BEFORE DELETE ON hands
BEGIN SELECT RAISE(ABORT, 'hands do not change'); END;

-- How far the derived tables below have read the journal.
CREATE TABLE projections (
    name   TEXT PRIMARY KEY,
    cursor INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO projections VALUES ('boards', 0);

CREATE TABLE ratings (
    game      TEXT NOT NULL,
    player_id TEXT NOT NULL,
    name      TEXT NOT NULL,
    mean      REAL NOT NULL,
    deviation REAL NOT NULL,
    hands     INTEGER NOT NULL,
    -- What the board is ordered by: a rating that is surely not too high.
    standing  REAL NOT NULL,
    PRIMARY KEY (game, player_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX ratings_board ON ratings (game, standing DESC, player_id);

CREATE TABLE daily_scores (
    game      TEXT NOT NULL,
    day       TEXT NOT NULL,
    player_id TEXT NOT NULL,
    name      TEXT NOT NULL,
    score     TEXT NOT NULL,
    -- Sorts as text the way the scores sort as numbers.
    standing  TEXT NOT NULL,
    PRIMARY KEY (game, day, player_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX daily_board ON daily_scores (game, day, standing DESC, player_id);

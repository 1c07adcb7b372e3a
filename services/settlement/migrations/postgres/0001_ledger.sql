-- Money, hands and what is derived from them. The same tables as in ../sqlite; identifiers are
-- text so that an accountant can read them, times are milliseconds since the Unix epoch.

-- The end of the journal: one row, and whoever writes holds it.
CREATE TABLE journal_head (
    id      SMALLINT PRIMARY KEY CHECK (id = 1),
    seq     BIGINT NOT NULL,
    time_ms BIGINT NOT NULL,
    link    BYTEA NOT NULL CHECK (length(link) = 32)
);
INSERT INTO journal_head VALUES (1, 0, 0, decode(repeat('00', 32), 'hex'));

CREATE TABLE accounts (
    account TEXT COLLATE "C" PRIMARY KEY,
    balance BIGINT NOT NULL,
    CHECK (balance >= 0 OR account IN ('external', 'bots'))
) WITH (fillfactor = 70);

-- The journal. A key is used once, and a transaction is reversed once.
CREATE TABLE transactions (
    seq             BIGINT PRIMARY KEY,
    kind            TEXT COLLATE "C" NOT NULL CHECK (
        kind IN ('deposit', 'withdrawal', 'hold', 'hand', 'release', 'reversal')),
    idempotency_key TEXT COLLATE "C" NOT NULL UNIQUE,
    body            BYTEA NOT NULL CHECK (length(body) = 32),
    time_ms         BIGINT NOT NULL,
    reference       TEXT COLLATE "C" NOT NULL,
    record          BYTEA CHECK (length(record) = 32),
    balance         BIGINT NOT NULL,
    reverses        BIGINT REFERENCES transactions (seq),
    link            BYTEA NOT NULL CHECK (length(link) = 32)
);

CREATE UNIQUE INDEX transactions_reversed ON transactions (reverses)
    WHERE reverses IS NOT NULL;

CREATE TABLE postings (
    account TEXT COLLATE "C" NOT NULL,
    seq     BIGINT NOT NULL,
    amount  BIGINT NOT NULL CHECK (amount <> 0),
    balance BIGINT NOT NULL,
    PRIMARY KEY (account, seq)
);
-- Lines are written in the order of their transactions, so the smallest index there is will do.
CREATE INDEX postings_by_transaction ON postings
    USING brin (seq) WITH (pages_per_range = 16, autosummarize = on);

CREATE TABLE holds (
    hold_id    TEXT COLLATE "C" PRIMARY KEY,
    table_id   TEXT COLLATE "C" NOT NULL,
    player_id  TEXT COLLATE "C" NOT NULL,
    staked     TEXT COLLATE "C" NOT NULL CHECK (staked IN ('player', 'bot', 'operator')),
    opened_seq BIGINT NOT NULL,
    opened_ms  BIGINT NOT NULL,
    closed_seq BIGINT
);
CREATE INDEX open_holds ON holds (opened_seq) WHERE closed_seq IS NULL;
CREATE INDEX open_holds_by_player ON holds (player_id) WHERE closed_seq IS NULL;

-- What an operator's own wallet is asked to do for a hold, until it is done.
CREATE TABLE transfers (
    hold_id    TEXT COLLATE "C" NOT NULL,
    -- debit: the buy-in. settle: what is left of it. credit: gives a debit back.
    kind       TEXT COLLATE "C" NOT NULL CHECK (kind IN ('debit', 'settle', 'credit')),
    -- A refused debit may be asked for again, under a new number.
    generation BIGINT NOT NULL,
    hold_key   TEXT COLLATE "C" NOT NULL,
    table_id   TEXT COLLATE "C" NOT NULL,
    player_id  TEXT COLLATE "C" NOT NULL,
    amount     BIGINT NOT NULL CHECK (amount >= 0),
    state      TEXT COLLATE "C" NOT NULL CHECK (state IN ('pending', 'paid', 'done', 'refused')),
    -- The operator's own number of it, or why it is not done.
    outcome    TEXT COLLATE "C" NOT NULL,
    attempts   BIGINT NOT NULL,
    -- Nobody works on it before this time.
    due_ms     BIGINT NOT NULL,
    created_ms BIGINT NOT NULL,
    PRIMARY KEY (hold_id, kind, generation)
);
CREATE INDEX transfers_due ON transfers (due_ms) WHERE state IN ('pending', 'paid');

-- Hands; the journal has their identifiers as keys. The large column is last, so that lists do not
-- read it.
CREATE TABLE hands (
    seq        BIGINT PRIMARY KEY,
    game       TEXT COLLATE "C" NOT NULL,
    ended_ms   BIGINT NOT NULL,
    commission BIGINT NOT NULL,
    summary    BYTEA NOT NULL,
    record     BYTEA NOT NULL
);

CREATE TABLE hand_players (
    player_id TEXT COLLATE "C" NOT NULL,
    seq       BIGINT NOT NULL,
    game      TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (player_id, seq)
);

-- What was written stays as it is.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% does not change', TG_TABLE_NAME;
END $$;
CREATE TRIGGER transactions_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON transactions
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER postings_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON postings
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER hands_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON hands
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The lines of a transaction arrive in one statement and sum to zero.
CREATE FUNCTION refuse_unbalanced() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM fresh GROUP BY seq HAVING SUM(amount) <> 0) THEN
        RAISE EXCEPTION 'a transaction does not sum to zero';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER postings_balance AFTER INSERT ON postings
    REFERENCING NEW TABLE AS fresh
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_unbalanced();

-- How far the derived tables below have read the journal.
CREATE TABLE projections (
    name   TEXT COLLATE "C" PRIMARY KEY,
    cursor BIGINT NOT NULL
);
INSERT INTO projections VALUES ('boards', 0);

CREATE TABLE ratings (
    game      TEXT COLLATE "C" NOT NULL,
    player_id TEXT COLLATE "C" NOT NULL,
    name      TEXT COLLATE "C" NOT NULL,
    mean      DOUBLE PRECISION NOT NULL,
    deviation DOUBLE PRECISION NOT NULL,
    hands     BIGINT NOT NULL,
    -- What the board is ordered by: a rating that is surely not too high.
    standing  DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (game, player_id)
);
CREATE INDEX ratings_board ON ratings (game, standing DESC, player_id);

CREATE TABLE daily_scores (
    game      TEXT COLLATE "C" NOT NULL,
    day       TEXT COLLATE "C" NOT NULL,
    player_id TEXT COLLATE "C" NOT NULL,
    name      TEXT COLLATE "C" NOT NULL,
    score     TEXT COLLATE "C" NOT NULL,
    -- Sorts as text the way the scores sort as numbers.
    standing  TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (game, day, player_id)
);
CREATE INDEX daily_board ON daily_scores (game, day, standing DESC, player_id);

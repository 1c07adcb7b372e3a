-- What each check of the whole ledger has found, for accountants and alerts.
CREATE TABLE audits (
    finished_ms     BIGINT PRIMARY KEY,
    accounts        BIGINT NOT NULL,
    entries         BIGINT NOT NULL,
    sum             TEXT NOT NULL,
    mismatches      BIGINT NOT NULL,
    overdrawn       BIGINT NOT NULL,
    broken_links    BIGINT NOT NULL,
    unbalanced      BIGINT NOT NULL,
    damaged_records BIGINT NOT NULL
);

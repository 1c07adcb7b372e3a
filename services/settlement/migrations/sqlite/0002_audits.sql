-- What each check of the whole ledger has found, for accountants and alerts.
CREATE TABLE audits (
    finished_ms     INTEGER PRIMARY KEY,
    accounts        INTEGER NOT NULL,
    entries         INTEGER NOT NULL,
    sum             TEXT NOT NULL,
    mismatches      INTEGER NOT NULL,
    overdrawn       INTEGER NOT NULL,
    broken_links    INTEGER NOT NULL,
    unbalanced      INTEGER NOT NULL,
    damaged_records INTEGER NOT NULL
) STRICT;

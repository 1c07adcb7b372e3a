-- Server seeds of hands that were posted while their seeds were secret.
CREATE TABLE revealed_seeds (
    hand_id     TEXT PRIMARY KEY,
    server_seed BLOB NOT NULL CHECK (length(server_seed) = 32)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER revealed_seeds_stay BEFORE UPDATE ON revealed_seeds
BEGIN SELECT RAISE(ABORT, 'revealed seeds do not change'); END;
CREATE TRIGGER revealed_seeds_remain BEFORE DELETE ON revealed_seeds
BEGIN SELECT RAISE(ABORT, 'revealed seeds do not change'); END;

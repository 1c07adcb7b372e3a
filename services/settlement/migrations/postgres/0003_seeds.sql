-- Server seeds of hands that were posted while their seeds were secret.
CREATE TABLE revealed_seeds (
    hand_id     TEXT COLLATE "C" PRIMARY KEY,
    server_seed BYTEA NOT NULL CHECK (length(server_seed) = 32)
);
CREATE TRIGGER revealed_seeds_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON revealed_seeds
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

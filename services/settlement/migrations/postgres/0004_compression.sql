-- Records of hands are most of the bytes. LZ4 takes a fraction of the time of PostgreSQL's own
-- method, for about the same size; a server that was built without it keeps its own.
DO $$
BEGIN
    ALTER TABLE hands ALTER COLUMN record SET COMPRESSION lz4;
EXCEPTION
    WHEN feature_not_supported OR invalid_parameter_value THEN
        RAISE NOTICE 'this server has no LZ4; records of hands are compressed with pglz';
END $$;

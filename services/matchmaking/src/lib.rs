//! parlor-matchmaking

//! parlor-settlement

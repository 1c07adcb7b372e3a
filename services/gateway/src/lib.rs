//! parlor-gateway

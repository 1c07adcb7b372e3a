//! parlor-common

//! The parlor binary.
fn main() {}

//! Tests of the table service from outside.
#![allow(missing_docs)]

mod stores;

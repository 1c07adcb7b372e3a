//! The wire contracts of Parlor, generated from `parlor/**/*.proto`.
//!
//! One module a package; the comments of the `.proto` files come through as documentation.
// Generated code documents what the `.proto` files document.
#![allow(missing_docs, clippy::large_enum_variant, clippy::doc_markdown)]

/// `parlor.rules.v1`: options, commands, events and views of the games.
pub mod rules {
    /// Version 1.
    pub mod v1 {
        tonic::include_proto!("parlor.rules.v1");
    }
}

/// The serialized `FileDescriptorSet` of every package, for reflection and for JSON.
pub const DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/parlor_descriptor.bin"));

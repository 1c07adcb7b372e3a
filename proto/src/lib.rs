//! The wire contracts of Parlor, generated from `parlor/**/*.proto`.
//!
//! One module a package; the comments of the `.proto` files come through as documentation.
// Generated code documents what the `.proto` files document.
#![allow(missing_docs, unused_qualifications, clippy::large_enum_variant, clippy::doc_markdown)]

/// `parlor.rules.v1`: options, commands, events and views of the games.
pub mod rules {
    /// Version 1.
    pub mod v1 {
        tonic::include_proto!("parlor.rules.v1");
    }
}

/// `parlor.table.v1`: the table service, its commands and views.
pub mod table {
    /// Version 1.
    pub mod v1 {
        tonic::include_proto!("parlor.table.v1");
    }
}

/// `parlor.settlement.v1`: the ledger and the history.
pub mod settlement {
    /// Version 1.
    pub mod v1 {
        tonic::include_proto!("parlor.settlement.v1");
    }
}

/// `parlor.matchmaking.v1`: queues and rooms.
pub mod matchmaking {
    /// Version 1.
    pub mod v1 {
        tonic::include_proto!("parlor.matchmaking.v1");
    }
}

/// `parlor.gateway.v1`: the client protocol.
pub mod gateway {
    /// Version 1.
    pub mod v1 {
        tonic::include_proto!("parlor.gateway.v1");
    }
}

/// The serialized `FileDescriptorSet` of every package, for reflection and for JSON.
pub const DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/parlor_descriptor.bin"));

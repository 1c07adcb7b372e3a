//! Protocol messages as proto3 JSON.

use anyhow::Context;
use parlor_proto::DESCRIPTORS;
use prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage, MessageDescriptor, SerializeOptions};
use serde_json::Value;

/// Knows every message of the protocols.
#[derive(Clone, Debug)]
pub struct Messages(DescriptorPool);

impl Messages {
    /// From the descriptors that are compiled in.
    pub fn new() -> anyhow::Result<Self> {
        DescriptorPool::decode(DESCRIPTORS).map(Self).context("the descriptors are damaged")
    }

    /// A serialized message of this full name, as JSON. Fields with their default value are
    /// written too.
    pub fn read(&self, name: &str, bytes: &[u8]) -> anyhow::Result<Value> {
        let message = DynamicMessage::decode(self.named(name)?, bytes)
            .with_context(|| format!("the bytes are no {name}"))?;
        let options = SerializeOptions::new().skip_default_fields(false);
        Ok(message.serialize_with_options(serde_json::value::Serializer, &options)?)
    }

    /// The message of this full name that the JSON text describes.
    pub fn parse<M: Message + Default>(&self, name: &str, text: &str) -> anyhow::Result<M> {
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let message = DynamicMessage::deserialize(self.named(name)?, &mut deserializer)?;
        deserializer.end()?;
        Ok(message.transcode_to()?)
    }

    fn named(&self, name: &str) -> anyhow::Result<MessageDescriptor> {
        self.0.get_message_by_name(name).with_context(|| format!("there is no message {name}"))
    }
}

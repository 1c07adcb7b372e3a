//! Labels of random streams.

use alloc::string::String;

/// Bytes for which there is room from the start; longer labels take more.
const ROOM: usize = 48;

/// A stream's label: words and numbers with slashes between them, such as `shop/3/reroll/1`.
///
/// Every draw has one, so it is put together without the machinery of `format!`.
pub struct Label(String);

impl Label {
    /// A label that begins with a word.
    pub fn new(word: &str) -> Self {
        let mut text = String::with_capacity(ROOM);
        text.push_str(word);
        Self(text)
    }

    /// The label with another word.
    pub fn word(mut self, word: &str) -> Self {
        self.0.push('/');
        self.0.push_str(word);
        self
    }

    /// The label with a number.
    pub fn number(mut self, number: u32) -> Self {
        self.0.push('/');
        push_decimal(&mut self.0, number);
        self
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn push_decimal(text: &mut String, number: u32) {
    if number >= 10 {
        push_decimal(text, number / 10);
    }
    text.push(char::from(b'0' + (number % 10) as u8));
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    #[test]
    fn a_label_is_its_parts_with_slashes_between_them() {
        for number in [0, 7, 10, 99, 100, 4_000_000_007, u32::MAX] {
            let label = Label::new("shop").number(number).word("reroll").number(1);
            assert_eq!(label.as_str(), format!("shop/{number}/reroll/1"));
        }
    }
}

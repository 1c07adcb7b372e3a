//! Names that other players see.

use parlor_common::PlayerId;

/// Longest name in characters.
pub const MAX_NAME_CHARS: usize = 24;

/// The name that a player gets who asked for `wanted`: without control and invisible characters,
/// with single spaces, cut to 24 characters. One is made up when nothing is left.
#[must_use]
pub fn clean(wanted: &str, player: &PlayerId) -> String {
    let mut name = String::new();
    let mut chars = 0;
    for word in wanted.split_whitespace() {
        let visible: String = word.chars().filter(|&character| is_visible(character)).collect();
        if visible.is_empty() {
            continue;
        }
        if !name.is_empty() {
            name.push(' ');
            chars += 1;
        }
        for character in visible.chars().take(MAX_NAME_CHARS.saturating_sub(chars)) {
            name.push(character);
            chars += 1;
        }
        if chars >= MAX_NAME_CHARS {
            break;
        }
    }
    let name = name.trim_end();
    if name.is_empty() { invented(player) } else { name.to_owned() }
}

fn invented(player: &PlayerId) -> String {
    let [.., high, low] = *player.as_bytes();
    format!("Guest {:04}", u16::from_be_bytes([high, low]) % 10_000)
}

/// Controls, and what turns text around, joins or hides it: one name must not look like another,
/// nor reach over its line.
fn is_visible(character: char) -> bool {
    let hidden = matches!(
        character,
        '\u{00ad}' | '\u{034f}' | '\u{061c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e000}'..='\u{f8ff}'
            | '\u{e0000}'..='\u{e0fff}' | '\u{f0000}'..='\u{10ffff}'
    );
    !hidden && !character.is_control()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cleaned() {
        let player = PlayerId::from_bytes([0; 16]);
        for (wanted, name) in [
            ("Ada", "Ada"),
            ("  Ada \t Lovelace\n", "Ada Lovelace"),
            ("小明", "小明"),
            ("evil\u{202e}live", "evillive"),
            ("a\u{200b}b\u{0}c", "abc"),
            ("", "Guest 0000"),
            ("\u{200b} \u{7}", "Guest 0000"),
            ("abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrstuvwx"),
            ("abcdefghijklmnopqrstuvw xyz", "abcdefghijklmnopqrstuvw"),
        ] {
            assert_eq!(clean(wanted, &player), name, "{wanted:?}");
        }
    }

    #[test]
    fn a_name_is_never_longer_than_allowed() {
        let player = PlayerId::from_bytes([0; 16]);
        for length in 0..60 {
            let name = clean(&"é ".repeat(length), &player);
            assert!(name.chars().count() <= MAX_NAME_CHARS, "{name}");
        }
    }
}

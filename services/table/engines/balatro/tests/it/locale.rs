//! Players see names of our own, in every language of the web client.

use std::path::Path;

use parlor_balatro::content::{
    BossId, ConsumableId, DeckId, JokerId, PackId, Stake, TagId, VoucherId,
};
use serde_json::Value;

#[test]
fn everything_has_a_name_and_a_text_in_every_language() {
    let kinds: [(&str, Vec<&str>); 8] = [
        ("jokers", JokerId::all().map(JokerId::id).collect()),
        ("consumables", ConsumableId::all().map(ConsumableId::id).collect()),
        ("vouchers", VoucherId::all().map(VoucherId::id).collect()),
        ("tags", TagId::all().map(TagId::id).collect()),
        ("bosses", BossId::all().map(BossId::id).collect()),
        ("packs", PackId::all().map(PackId::id).collect()),
        ("decks", DeckId::all().map(DeckId::id).collect()),
        ("stakes", Stake::ALL.into_iter().map(Stake::id).collect()),
    ];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../gateway/web/locale");
    for language in ["en", "zh"] {
        let file = folder.join(format!("balatro.{language}.json"));
        let texts: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        for (kind, ids) in &kinds {
            let entries = texts[kind].as_object().unwrap();
            for id in ids {
                let entry = entries.get(*id).unwrap_or_else(|| panic!("{language} {kind} {id}"));
                for field in ["name", "text"] {
                    let text = entry[field].as_str().unwrap_or_default();
                    assert!(!text.is_empty(), "{language} {kind} {id} {field}");
                }
            }
            assert_eq!(entries.len(), ids.len(), "{language} {kind} has more than there is");
        }
    }
}

//! Every way in which a complete hand can be read (rules: mahjong 6.6).

use arrayvec::ArrayVec;

use crate::tile::{Tile, TileCounts};

/// A concealed set of three.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Set {
    /// Three consecutive ranks from this one.
    Run(Tile),
    /// Three equal tiles.
    Triplet(Tile),
}

/// The concealed sets of one reading.
pub(super) type Sets = ArrayVec<Set, 4>;

/// Calls `visit` with the pair and the sets of every reading as sets and a pair.
pub(super) fn each_reading(tiles: &TileCounts, visit: &mut dyn FnMut(Tile, &Sets)) {
    for (pair, count) in tiles.kinds() {
        if count < 2 {
            continue;
        }
        let mut rest = *tiles;
        rest.remove_many(pair, 2);
        split(&rest, Tile::default(), &mut Sets::new(), &mut |sets| visit(pair, sets));
    }
}

/// Splits tiles of which there is none below `from`.
fn split(tiles: &TileCounts, from: Tile, sets: &mut Sets, visit: &mut dyn FnMut(&Sets)) {
    let Some((lowest, count)) = tiles.kinds_from(from).next() else {
        visit(sets);
        return;
    };
    if sets.is_full() {
        return;
    }
    if count >= 3 {
        let mut rest = *tiles;
        rest.remove_many(lowest, 3);
        sets.push(Set::Triplet(lowest));
        split(&rest, lowest, sets, visit);
        sets.pop();
    }
    if let (Some(middle), Some(high)) = (lowest.up(1), lowest.up(2)) {
        let mut rest = *tiles;
        if rest.remove(lowest) && rest.remove(middle) && rest.remove(high) {
            sets.push(Set::Run(lowest));
            split(&rest, lowest, sets, visit);
            sets.pop();
        }
    }
}

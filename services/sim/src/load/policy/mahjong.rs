//! Mahjong: wins whatever it can, claims what is offered, keeps hands ready.

use parlor_proto::rules::v1 as pb;
use pb::mahjong_command::Command;

pub fn choose(view: &pb::MahjongView, refused: u32) -> Option<pb::MahjongCommand> {
    let own = view.own.as_ref()?;
    let mut ranked: Vec<(u32, &pb::MahjongCommand)> =
        own.actions.iter().filter_map(|action| Some((rank(own, action)?, action))).collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    let (_, chosen) = ranked.get(usize::try_from(refused).ok()?)?;
    Some((*chosen).clone())
}

/// The smaller, the better; `None`: never.
fn rank(own: &pb::MahjongOwn, action: &pb::MahjongCommand) -> Option<u32> {
    let hints = own.hints.as_ref();
    Some(match action.command.as_ref()? {
        Command::Win(_) => 0,
        Command::ConcealedKong(_) | Command::AddedKong(_) | Command::Kong(_) => 1,
        Command::Pung(_) => 2,
        Command::Exchange(_) => 3,
        Command::ChooseVoid(choice) => {
            let hinted = hints.and_then(|hints| hints.void) == Some(choice.suit);
            3 + u32::from(!hinted)
        }
        Command::Discard(tile) => 10 + worth(own, hints, &tile.tile),
        Command::Pass(_) => 100,
        Command::CloseWindow(_) => return None,
    })
}

/// How much a tile is worth keeping.
fn worth(own: &pb::MahjongOwn, hints: Option<&pb::MahjongHints>, tile: &str) -> u32 {
    let leaves_ready =
        |hints: &pb::MahjongHints| hints.discards.iter().any(|ready| ready.discard == tile);
    if hints.is_some_and(leaves_ready) {
        return 0;
    }
    let Some((rank, suit)) = split(tile) else { return 1 };
    let held = own.tiles.iter().chain(&own.drawn).filter_map(|held| split(held));
    let near =
        held.filter(|(_, other)| *other == suit).map(|(other, _)| match rank.abs_diff(other) {
            0 => 3,
            1 => 2,
            2 => 1,
            _ => 0,
        });
    1 + near.sum::<u32>()
}

fn split(tile: &str) -> Option<(u8, u8)> {
    match tile.as_bytes() {
        [rank @ b'1'..=b'9', suit] => Some((*rank, *suit)),
        _ => None,
    }
}

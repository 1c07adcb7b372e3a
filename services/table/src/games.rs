//! The games that are compiled into this service: the one list of them.

/// Evaluates `$body` with `$Game` standing for the game of this id, or `$otherwise` for an id that
/// is no game's.
macro_rules! with_game {
    ($id:expr, $Game:ident => $body:expr, else $otherwise:expr) => {{
        use parlor_game::Game as _;
        let id: &str = $id;
        if id == parlor_blackjack::Blackjack::ID {
            type $Game = parlor_blackjack::Blackjack;
            $body
        } else if id == parlor_mahjong::Mahjong::ID {
            type $Game = parlor_mahjong::Mahjong;
            $body
        } else if id == parlor_balatro::Balatro::ID {
            type $Game = parlor_balatro::Balatro;
            $body
        } else if id == parlor_echo::Echo::ID {
            type $Game = parlor_echo::Echo;
            $body
        } else {
            $otherwise
        }
    }};
}

pub(crate) use with_game;

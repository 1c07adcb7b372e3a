//! Base targets by ante (rules: balatro 6).

use crate::number::Target;

/// How fast targets grow with the ante.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Scaling {
    /// White and Red stake.
    First,
    /// Green to Blue stake.
    Second,
    /// Purple stake and above.
    Third,
}

/// Leading digits and the number of zeros after them, for antes 0 to 38.
const BASES: [[(u64, u16); 39]; 3] = [
    [
        (1, 2),
        (3, 2),
        (8, 2),
        (2, 3),
        (5, 3),
        (11, 3),
        (2, 4),
        (35, 3),
        (5, 4),
        (11, 4),
        (56, 4),
        (72, 5),
        (3, 8),
        (47, 9),
        (29, 12),
        (77, 15),
        (86, 19),
        (42, 24),
        (92, 29),
        (92, 35),
        (43, 42),
        (97, 49),
        (1, 59),
        (58, 66),
        (16, 76),
        (24, 86),
        (19, 97),
        (84, 108),
        (2, 122),
        (27, 134),
        (21, 148),
        (99, 162),
        (27, 178),
        (44, 194),
        (44, 211),
        (28, 229),
        (11, 248),
        (27, 267),
        (45, 287),
    ],
    [
        (1, 2),
        (3, 2),
        (9, 2),
        (26, 2),
        (8, 3),
        (2, 4),
        (36, 3),
        (6, 4),
        (1, 5),
        (23, 4),
        (11, 5),
        (14, 6),
        (6, 8),
        (94, 9),
        (58, 12),
        (15, 16),
        (17, 20),
        (84, 24),
        (18, 30),
        (18, 36),
        (86, 42),
        (19, 50),
        (21, 58),
        (11, 67),
        (33, 76),
        (49, 86),
        (39, 97),
        (16, 109),
        (4, 122),
        (55, 134),
        (43, 148),
        (19, 163),
        (54, 178),
        (89, 194),
        (89, 211),
        (56, 229),
        (22, 248),
        (55, 267),
        (9, 288),
    ],
    [
        (1, 2),
        (3, 2),
        (1, 3),
        (32, 2),
        (9, 3),
        (25, 3),
        (6, 4),
        (11, 4),
        (2, 5),
        (46, 4),
        (22, 5),
        (29, 6),
        (12, 8),
        (18, 10),
        (11, 13),
        (3, 17),
        (34, 20),
        (16, 25),
        (37, 30),
        (37, 36),
        (17, 43),
        (38, 50),
        (42, 58),
        (23, 67),
        (66, 76),
        (98, 86),
        (78, 97),
        (33, 109),
        (81, 121),
        (11, 135),
        (86, 148),
        (39, 163),
        (1, 180),
        (17, 195),
        (17, 212),
        (11, 230),
        (44, 248),
        (11, 268),
        (18, 288),
    ],
];

/// The base of an ante: 100 below ante 1, out of reach beyond ante 38.
#[must_use]
pub fn base(ante: i32, scaling: Scaling) -> Target {
    let place = usize::try_from(ante).unwrap_or(0);
    match BASES[scaling as usize].get(place) {
        Some(&(digits, zeros)) => Target::Exact { digits, zeros },
        None => Target::Infinite,
    }
}

/// Targets of the `seed` profile: 150, 250 and 350, and 50 more with each ante. The document's
/// table ends at ante 8; the same step goes on.
#[must_use]
pub fn seed_target(ante: i32, blind: u64) -> Target {
    let steps = u64::try_from(ante - 1).unwrap_or(0);
    Target::Exact { digits: 150 + 100 * blind + 50 * steps, zeros: 0 }
}

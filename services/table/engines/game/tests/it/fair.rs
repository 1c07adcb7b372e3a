//! `parlor-fair-v1`.

use parlor_game::fair::{Entropy, ServerSeed};

const COMMITMENT: &str = "75a78f5da2e8a89611ae0f52c2763662652996b82142d4934733a02d1529230a";
const DEAL_WORDS: [u32; 4] = [0x895d_e72f, 0x31aa_cc76, 0x15bd_780d, 0x5bff_b39e];
const DECK_START: [u8; 8] = [0, 39, 14, 21, 42, 35, 48, 28];
const LABELLED_WORD: u32 = 0x724e_01ad;

fn seed() -> ServerSeed {
    ServerSeed(std::array::from_fn(|place| u8::try_from(place).unwrap()))
}

// The expected values were computed with Python's hashlib and hmac and with a ChaCha20 that passes
// the vectors of RFC 8439, not with this code.
#[test]
fn the_commitment_and_the_key_are_as_specified() {
    let commitment = hex::encode(seed().commitment().0);
    assert_eq!(commitment, COMMITMENT);
    let clients: [&[u8]; 3] = [b"abc", b"", &[7; 32]];
    let entropy = Entropy::for_hand(&seed(), &[0x11; 16], 3, clients);
    let mut stream = entropy.deal();
    let words: Vec<u32> = (0..4).map(|_| stream.word()).collect();
    assert_eq!(words, DEAL_WORDS);
    let mut deck: Vec<u8> = (0..52).collect();
    entropy.deal().shuffle(&mut deck);
    assert_eq!(deck[..8], DECK_START);
    assert_eq!(entropy.labelled("shop/1").word(), LABELLED_WORD);
}

#[test]
fn chacha20_is_the_one_of_rfc_8439() {
    // Appendix A.1, test vector 1: key and nonce zero, counter 0.
    let mut stream = Entropy::from_key([0; 32]).deal();
    assert_eq!(stream.word(), 0xade0_b876);
    assert_eq!(stream.word(), 0x903d_f1a0);
}

#[test]
fn a_long_client_seed_counts_up_to_its_bound() {
    let key = |seed: &[u8]| Entropy::for_hand(&self::seed(), &[0; 16], 1, [seed]);
    assert_eq!(key(&[1; 33]), key(&[1; 32]));
    assert_ne!(key(&[1; 31]), key(&[1; 32]));
    let split = Entropy::for_hand(&seed(), &[0; 16], 1, [&b"a"[..], b"b"]);
    let joined = Entropy::for_hand(&seed(), &[0; 16], 1, [&b"ab"[..], b""]);
    assert_ne!(split, joined, "lengths keep seats apart");
}

#[test]
fn bounded_integers_and_positions_are_uniform() {
    const CARDS: usize = 13;
    const SHUFFLES: u32 = 26_000;
    let mut counts = [[0_u32; CARDS]; CARDS];
    for number in 0..SHUFFLES {
        let entropy = Entropy::for_hand(&seed(), &[1; 16], number.into(), []);
        let mut deck: [usize; CARDS] = std::array::from_fn(|card| card);
        entropy.deal().shuffle(&mut deck);
        for (position, card) in deck.into_iter().enumerate() {
            counts[position][card] += 1;
        }
    }
    let expected = f64::from(SHUFFLES) / 13.0;
    for row in counts {
        let chi: f64 =
            row.iter().map(|count| (f64::from(*count) - expected).powi(2) / expected).sum();
        // 12 degrees of freedom: 99.99 % of fair shuffles stay below 39.1.
        assert!(chi < 39.1, "chi-squared {chi}");
    }
}

#[test]
fn nothing_secret_is_printed() {
    let seed = ServerSeed([0xab; 32]);
    let entropy = Entropy::for_hand(&seed, &[0; 16], 1, []);
    let shown = format!("{seed:?} {entropy:?} {:?}", entropy.deal());
    assert!(!shown.contains("171") && !shown.contains("ab, "), "{shown}");
}

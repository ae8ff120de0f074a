//! One encoding for each list of results, and nothing else read.

use kembara_engine::{GameResult, Outcome};
use kembara_tournament::PackedError;
use kembara_tournament::packed::{pack, unpack};
use proptest::prelude::*;

fn game(outcome: Outcome, margin: i16, plies: u16) -> GameResult {
    GameResult { outcome, margin, plies }
}

fn results() -> impl Strategy<Value = Vec<GameResult>> {
    let one = (0..3_u8, any::<i16>(), any::<u16>())
        .prop_map(|(half_points, margin, plies)| game(Outcome::from_half_points(half_points).unwrap(), margin, plies));
    proptest::collection::vec(one, 0..50)
}

proptest! {
    #[test]
    fn what_was_packed_is_unpacked(results in results()) {
        let bytes = pack(&results);
        prop_assert_eq!(unpack(&bytes, results.len() as u32), Ok(results));
    }

    #[test]
    fn whatever_is_unpacked_packs_to_the_same_bytes(
        bytes in proptest::collection::vec(prop_oneof![0..4_u8, 0x7E..0x84_u8, any::<u8>()], 0..40),
        count in 0..20_u32,
    ) {
        if let Ok(results) = unpack(&bytes, count) {
            prop_assert_eq!(results.len() as u32, count);
            prop_assert_eq!(pack(&results), bytes);
        }
    }

    #[test]
    fn every_cut_and_every_addition_is_refused(results in results(), at in any::<proptest::sample::Index>(), more in any::<u8>()) {
        let mut bytes = pack(&results);
        let count = results.len() as u32;
        if !bytes.is_empty() {
            prop_assert!(unpack(&bytes[..at.index(bytes.len())], count).is_err());
        }
        prop_assert!(unpack(&bytes, count + 1).is_err());
        bytes.push(more);
        prop_assert!(unpack(&bytes, count).is_err());
    }
}

#[test]
fn an_othello_game_takes_three_bytes_at_most() {
    for margin in -64..=64 {
        for outcome in [Outcome::SecondWins, Outcome::Draw, Outcome::FirstWins] {
            assert!(pack(&[game(outcome, margin, 60)]).len() <= 3);
        }
    }
}

#[test]
fn the_encoding_is_pinned() {
    let games = [
        game(Outcome::FirstWins, 4, 60),
        game(Outcome::Draw, 0, 58),
        game(Outcome::SecondWins, -64, 9),
        game(Outcome::FirstWins, i16::MIN, u16::MAX),
    ];
    let bytes = [26, 60, 1, 58, 0xFD, 0x02, 9, 0xFF, 0xFF, 0x0B, 0xFF, 0xFF, 0x03];
    assert_eq!(pack(&games), bytes);
    assert_eq!(unpack(&bytes, 4).unwrap(), games);
}

#[test]
fn hostile_bytes_are_refused_with_the_reason() {
    let refused = |bytes: &[u8], count| unpack(bytes, count).unwrap_err();
    // Four thousand million games cost nothing when the bytes cannot hold them.
    assert_eq!(refused(&[1, 2, 3], u32::MAX), PackedError::Size { bytes: 3, games: u32::MAX });
    assert_eq!(refused(&[], 1), PackedError::Size { bytes: 0, games: 1 });
    assert_eq!(refused(&[0], 0), PackedError::Size { bytes: 1, games: 0 });
    assert_eq!(refused(&[1; 7], 1), PackedError::Size { bytes: 7, games: 1 });
    assert_eq!(refused(&[1, 60, 1], 1), PackedError::Trailing { left: 1, games: 1 });
    assert_eq!(refused(&[1, 60, 0x81, 0x81], 2), PackedError::Truncated { game: 1, games: 2 });
    assert_eq!(refused(&[0x81, 0x00, 60], 1), PackedError::NotShortest { game: 0 });
    assert_eq!(refused(&[1, 0xBC, 0x80, 0x00], 1), PackedError::NotShortest { game: 0 });
    // 3 · 65,535 + 3 and 65,536 are the first numbers that nothing packs to.
    assert_eq!(refused(&[0x80, 0x80, 0x0C, 60], 1), PackedError::TooLarge { game: 0, highest: 196_607 });
    assert_eq!(refused(&[1, 0x80, 0x80, 0x04], 1), PackedError::TooLarge { game: 0, highest: 65_535 });
    assert_eq!(refused(&[1, 60, 0xFF, 0xFF, 0xFF, 0x01], 2), PackedError::TooLarge { game: 1, highest: 196_607 });
}

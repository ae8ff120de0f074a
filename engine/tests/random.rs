//! Random draws, pinned: a change here changes every run, so it never comes alone.
//!
//! A change of any number means raising `SEMANTICS_VERSION`, and evolution's version too.

use kembara_engine::Side;
use kembara_engine::random::{Key, Permutation, Stream, in_game};

fn stream() -> Stream {
    Key::new(42, 7, "golden").stream(3)
}

fn drawn<T>(count: usize, mut draw: impl FnMut(&mut Stream) -> T) -> Vec<T> {
    let mut stream = stream();
    (0..count).map(|_| draw(&mut stream)).collect()
}

#[test]
fn draws_are_those_of_earlier_builds() {
    assert_eq!(
        drawn(3, Stream::bits),
        [6_428_930_359_552_357_261, 7_459_624_973_864_390_290, 4_730_057_263_494_798_302]
    );
    assert_eq!(drawn(8, |stream| stream.below(10)), [3, 4, 2, 8, 0, 6, 2, 6]);
    assert_eq!(
        drawn(3, |stream| stream.below(3 << 61)),
        [2_410_848_884_832_133_972, 2_797_359_365_199_146_358, 1_773_771_473_810_549_363]
    );
    assert_eq!(drawn(8, |stream| stream.between(-10, 10)), [-3, -2, -5, 8, -9, 3, -4, 3]);
    assert_eq!(drawn(2, |stream| stream.between(i32::MIN, i32::MAX)), [-650_631_655, -410_654_364]);
    assert_eq!(
        drawn(3, |stream| stream.unit().to_bits()),
        [4_599_949_872_222_156_268, 4_600_956_409_931_445_362, 4_598_290_816_464_287_558]
    );
    assert_eq!(
        drawn(3, |stream| stream.uniform(-1.0, 1.0).to_bits()),
        [13_822_501_550_673_663_016, 13_819_429_694_110_117_432, 13_825_819_662_189_400_436]
    );
    assert_eq!(drawn(8, |stream| u8::from(stream.chance(0.5))), [1, 1, 1, 0, 1, 0, 1, 0]);
    let mut list: Vec<u8> = (0..12).collect();
    stream().shuffle(&mut list);
    assert_eq!(list, [9, 7, 5, 6, 3, 1, 10, 0, 8, 2, 11, 4]);
}

#[test]
fn choices_in_games_are_those_of_earlier_builds() {
    let drawn = |seed, side, ply| in_game(seed, side, ply).bits();
    assert_eq!(
        [
            drawn(0, Side::First, 0),
            drawn(0, Side::Second, 0),
            drawn(0, Side::First, 1),
            drawn(u64::MAX, Side::First, 59)
        ],
        [12_637_287_394_140_519_659, 7_242_546_494_461_429_831, 11_721_354_575_345_959_394, 17_944_055_333_082_552_001]
    );
}

#[test]
fn a_permutation_is_that_of_earlier_builds() {
    let order = Permutation::new(10, &Key::new(42, 7, "order"), 0);
    assert_eq!((0..10).map(|place| order.at(place)).collect::<Vec<_>>(), [7, 9, 5, 4, 0, 3, 6, 1, 2, 8]);
    let order = Permutation::new(100_000_000, &Key::new(42, 7, "order"), 1);
    assert_eq!([0, 1, 99_999_999].map(|place| order.at(place)), [11_328_743, 41_388_182, 11_182_239]);
}

#[test]
fn every_part_of_a_key_and_the_slot_matter() {
    let mut firsts: Vec<u64> = vec![
        Key::new(1, 2, "a").stream(3).bits(),
        Key::new(2, 2, "a").stream(3).bits(),
        Key::new(1, 3, "a").stream(3).bits(),
        Key::new(1, 2, "b").stream(3).bits(),
        Key::new(1, 2, "a").stream(4).bits(),
        in_game(1, Side::First, 0).bits(),
        in_game(1, Side::Second, 0).bits(),
        in_game(1, Side::First, 1).bits(),
        in_game(2, Side::First, 0).bits(),
    ];
    firsts.sort_unstable();
    firsts.dedup();
    assert_eq!(firsts.len(), 9);
}

#[test]
fn every_permutation_is_a_bijection() {
    let key = Key::new(1, 1, "bijection");
    for size in (1..=300).chain([1_023, 1_024, 1_025, 4_097, 61_776, 123_552]) {
        let order = Permutation::new(size, &key, size);
        let mut met = vec![false; size as usize];
        for place in 0..size {
            let image = order.at(place);
            assert!(image < size, "{image} of {size}");
            assert!(!std::mem::replace(&mut met[image as usize], true), "{image} of {size} comes twice");
        }
    }
}

#[test]
fn permutations_of_huge_sizes_stay_inside_and_differ_by_slot() {
    let key = Key::new(1, 1, "huge");
    for size in [100_000_000, (1 << 40) + 1, u64::MAX] {
        let (one, other) = (Permutation::new(size, &key, 0), Permutation::new(size, &key, 1));
        let places = [0, 1, 2, size / 2, size - 1];
        assert!(places.iter().all(|&place| one.at(place) < size));
        assert_ne!(places.map(|place| one.at(place)), places.map(|place| other.at(place)));
    }
}

#[test]
fn integers_reach_both_ends_and_spread_evenly() {
    let mut counts = [0_u32; 11];
    for value in drawn(110_000, |stream| stream.between(0, 10)) {
        counts[value as usize] += 1;
    }
    // Ten degrees of freedom: beyond 35.6 lies one sample in ten thousand, and these are pinned.
    let chi_square: f64 = counts.iter().map(|&count| (f64::from(count) - 10_000.0).powi(2) / 10_000.0).sum();
    assert!(chi_square < 35.6, "{counts:?}");
}

#[test]
fn reals_stay_below_their_upper_end() {
    assert!(drawn(100_000, Stream::unit).into_iter().all(|value| (0.0..1.0).contains(&value)));
    assert!(drawn(100_000, |stream| stream.uniform(-1.0, 1.0)).into_iter().all(|value| (-1.0..1.0).contains(&value)));
    assert!(drawn(1000, |stream| stream.chance(1.0)).into_iter().all(|drawn| drawn));
    assert!(!drawn(1000, |stream| stream.chance(0.0)).into_iter().any(|drawn| drawn));
}

#[test]
fn a_shuffle_puts_each_element_everywhere() {
    let mut counts = [[0_u32; 5]; 5];
    let mut stream = stream();
    for _ in 0..50_000 {
        let mut list = [0, 1, 2, 3, 4];
        stream.shuffle(&mut list);
        for (place, element) in list.into_iter().enumerate() {
            counts[place][element] += 1;
        }
    }
    assert!(counts.as_flattened().iter().all(|count| (9_600..10_400).contains(count)), "{counts:?}");
}

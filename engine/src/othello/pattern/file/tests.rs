//! Tables read back as written; what is malformed is refused with the place.

use super::*;
use proptest::prelude::*;

fn group(seen: u64, kept: u32) -> Group {
    Group { seen, shrink: 7, kept, rare: 3 }
}

fn about() -> About {
    let mut groups = [[group(0, 0); 2]; BANDS];
    groups[0][0] = group(300, 2);
    groups[5][1] = group(12, 1);
    let source = Source { hash: [9; 32], name: "some games, old ones".to_owned(), games: 300, left_out: 1 };
    About { least: 2, sources: vec![source], groups }
}

fn entries() -> [[Vec<Entry>; 2]; BANDS] {
    let mut entries: [[Vec<Entry>; 2]; BANDS] = Default::default();
    entries[0][0] =
        vec![Entry { configuration: 1, count: 290, value: -1024 }, Entry { configuration: 9, count: 10, value: 77 }];
    entries[5][1] = vec![Entry { configuration: 1, count: 12, value: 1024 }];
    entries
}

/// A file with this content and the hash that belongs to it.
fn signed(content: &[u8]) -> Vec<u8> {
    [content, blake3::hash(content).as_bytes()].concat()
}

/// The table's content, without its hash.
fn content() -> Vec<u8> {
    let mut bytes = write(&about(), &entries());
    bytes.truncate(bytes.len() - HASH);
    bytes
}

#[test]
fn a_table_reads_back_with_every_image_of_its_entries() {
    let bytes = write(&about(), &entries());
    let table = Table::read(&bytes).unwrap();
    assert_eq!(table.about(), &about());
    assert_eq!(table.id().to_string(), blake3::hash(&bytes[..bytes.len() - HASH]).to_hex()[..12]);
    let edges = &table.bands[0].edges;
    // a1 and its mirror h1, own and the other side's.
    assert_eq!([edges[1], edges[2187], edges[2], edges[2 * 2187]], [-1024, -1024, 1024, 1024]);
    assert_eq!(edges.iter().filter(|&&value| value != 0).count(), 8);
    assert_eq!([table.bands[5].corners[1], table.bands[5].corners[2]], [1024, -1024]);
}

#[test]
fn one_changed_byte_anywhere_is_noticed() {
    let bytes = write(&about(), &entries());
    for place in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1;
        let expected = if place <= HEAD.len() { TableError::NotATable } else { TableError::Hash };
        assert_eq!(Table::read(&damaged), Err(expected), "byte {place}");
        assert!(Table::read(&bytes[..place]).is_err());
    }
}

#[test]
fn malformed_heads_are_refused_with_their_line() {
    let text = content();
    let end = text.windows(5).position(|line| line == b"\nend\n").unwrap();
    let (head, numbers) = text.split_at(end + 1);
    let head = String::from_utf8(head.to_vec()).unwrap();
    for (from, to, line, expected) in [
        ("unit: 1/16", "unit: 1/8", 4, "what every table of version 1 says there"),
        ("least: 2", "least: 0", 6, "`least: N` with N from 1"),
        ("least: 2", "least: 02", 6, "`least: N` with N from 1"),
        ("300 games", "-300 games", 7, "`source: N games, N left out, HASH NAME`"),
        ("0909", "09zz", 7, "`source: N games, N left out, HASH NAME`"),
        ("edge: seen 300", "corner: seen 300", 8, "`edge: seen N"),
        ("kept 2,", "kept 99999999999,", 8, "`edge: seen N"),
        ("kept 1, rare 3\n", "kept 1, rare 3\nedge: seen 0, k 7, kept 0, rare 3\n", 20, "`end`"),
    ] {
        let bytes = signed(&[head.replacen(from, to, 1).as_bytes(), numbers].concat());
        let error = Table::read(&bytes).unwrap_err().to_string();
        assert!(error.starts_with(&format!("line {line} of the pattern table's head is")), "{error}");
        assert!(error.contains(expected), "{error}");
    }
    let endless = signed(format!("{HEAD}\n{}", "x".repeat(1 << 20)).as_bytes());
    assert!(Table::read(&endless).unwrap_err().to_string().len() < 300);
}

#[test]
fn malformed_numbers_are_refused() {
    let text = content();
    let start = text.windows(5).position(|line| line == b"\nend\n").unwrap() + 5;
    let (head, numbers) = text.split_at(start);
    let refused = |numbers: &[u8]| match Table::read(&signed(&[head, numbers].concat())) {
        Err(TableError::Numbers(reason)) => reason,
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(&numbers[..numbers.len() - 1]), "they end too early");
    assert_eq!(refused(&[]), "they end too early");
    assert_eq!(refused(&[numbers, &[0]].concat()), "there are more than the head promises");
    assert_eq!(refused(&[1, 5, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]), "a number is too large or longer than needed");
    assert_eq!(refused(&[0x81, 0x00, 5, 0]), "a number is too large or longer than needed");
    assert_eq!(refused(&[1, 1, 0]), "a configuration was seen too rarely to have a value");
    assert_eq!(refused(&[1, 5, 0xFF, 0xFF, 3]), "a value is beyond any margin");
    assert_eq!(refused(&[0xFF, 0xFF, 0xFF, 0x7F, 5, 0]), "a configuration is beyond the last");
    // Two is one with the colours changed, and an empty edge is its own opposite.
    assert_eq!(refused(&[2, 5, 0]), "a configuration has a value where another stands for it");
    assert_eq!(refused(&[0, 5, 0]), "a configuration has a value where another stands for it");
}

#[test]
fn other_files_are_no_tables() {
    for bytes in [&b""[..], b"kembara patterns 2\n", b"kembara patterns 1", b"(;FF[4]GM[2])", &[0; 100]] {
        assert_eq!(Table::read(bytes), Err(TableError::NotATable));
    }
    assert_eq!(Table::read(b"kembara patterns 1\n"), Err(TableError::Hash));
    assert_eq!(Table::read(&vec![b'k'; MAX_BYTES + 1]), Err(TableError::TooLong(MAX_BYTES + 1)));
}

proptest! {
    #[test]
    fn any_signed_content_is_a_table_or_an_error(head in "(edge: seen [0-9]{1,12}, k 1, kept [0-9]{1,12}, rare 0\n|source: \\PC{0,60}\n|end\n|\\PC{0,30}\n){0,16}", numbers: Vec<u8>) {
        let bytes = signed(&[preamble().as_bytes(), b"least: 1\n", head.as_bytes(), &numbers].concat());
        if let Err(error) = Table::read(&bytes) {
            prop_assert!(error.to_string().len() < 600);
        }
    }

    #[test]
    fn numbers_read_back(number: u32, value in -1024_i16..=1024) {
        let mut bytes = Vec::new();
        write_number(&mut bytes, number);
        prop_assert_eq!(Numbers(&bytes).number(), Ok(number));
        prop_assert_eq!(unzigzag(zigzag(value)), Some(value));
    }
}

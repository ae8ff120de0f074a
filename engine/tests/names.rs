//! Players, genomes and chromosomes as text and bytes: what is written reads back, what is
//! malformed is refused with the reason.

use kembara_engine::chromosome::ChromosomeError;
use kembara_engine::othello::{pattern, record};
use kembara_engine::player::PlayerError;
use kembara_engine::{Chromosome, Domain, Game, Gene, Parameter, PlayerName, PlayerSpec, registry};
use proptest::prelude::*;

fn othello() -> &'static dyn Game {
    registry::game("othello").unwrap()
}

const AUTHOR: &str = "oe_fmc_1_14:49:3:2:2:3:3:9:1:10:3";

#[test]
fn the_authors_player_reads_with_and_without_its_birth() {
    let name = PlayerName::parse(AUTHOR, othello()).unwrap();
    assert_eq!(name.birth, Some(1));
    assert_eq!(name.to_string(), AUTHOR);
    let bare = PlayerName::parse("  oe_fmc_14:49:3:2:2:3:3:9:1:10:3\n", othello()).unwrap();
    assert_eq!(bare.birth, None);
    assert_eq!(bare.player, name.player);
    assert_eq!(bare.to_string(), "oe_fmc_14:49:3:2:2:3:3:9:1:10:3");
}

#[test]
fn genes_stand_in_the_authors_order_with_his_bounds() {
    let genome = othello().genome("oe_fmc").unwrap();
    let names: Vec<_> = genome.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    assert_eq!(names.join(":"), "o:e:wf1:wm1:wc1:wf2:wm2:wc2:wf3:wm3:wc3");
    let bounds = |genome: &str, place: usize| match othello().genome(genome).unwrap().parameters[place].domain {
        Domain::Int { initial, bounds } => {
            assert_eq!(initial, bounds);
            bounds
        }
        Domain::Real { .. } => panic!("a real gene"),
    };
    assert_eq!([bounds("oe_fmc", 0), bounds("oe_fmc", 1), bounds("oe_fmc", 2)], [(1, 20), (41, 60), (0, 10)]);
    assert_eq!([bounds("oes_fmc", 0), bounds("oes_fmc", 1), bounds("oes_fmc", 10)], [(1, 20), (41, 60), (-10, 10)]);
}

#[test]
fn every_subset_of_the_features_is_a_genome_and_nothing_else_is() {
    let letters = ['f', 'd', 'm', 'x', 'y', 'c', 'p', 'r'];
    let table = pattern::shipped().id();
    for subset in 1_u32..1 << letters.len() {
        let chosen: String = (0..8).filter(|place| subset >> place & 1 == 1).map(|place| letters[place]).collect();
        for prefix in ["oe_", "oes_"] {
            let genome = othello().genome(&format!("{prefix}{chosen}")).unwrap();
            let table = if chosen.contains('p') { format!("@{table}") } else { String::new() };
            assert_eq!(genome.name, format!("{prefix}{chosen}{table}"));
            assert_eq!(genome.parameters.len(), 2 + 3 * chosen.len());
        }
    }
    for name in
        ["", "oe", "oe_", "oes_", "oe_mf", "oe_ff", "oe_fmcz", "oe_f m", "oe_FMC", "oex_f", "fmc", "oe_fmc_", "oe_é"]
    {
        assert!(matches!(othello().genome(name), Err(PlayerError::UnknownGenome { .. })), "{name}");
    }
    assert!(othello().genome(othello().default_genome()).is_ok());
}

#[test]
fn a_genome_with_patterns_names_its_table_and_another_table_is_refused() {
    let name = format!("oe_p@{}_7_14:49:3:2:2", pattern::shipped().id());
    let short = PlayerName::parse("oe_p_7_14:49:3:2:2", othello()).unwrap();
    assert_eq!(short.to_string(), name);
    assert_eq!(PlayerName::parse(&name, othello()).unwrap(), short);
    for (genome, reason) in [
        ("oe_p@0123456789ab", "othello has no player or genome named `oe_p@0123456789ab`; it has the pattern tables @"),
        ("oe_p@", "othello has no player or genome named `oe_p@`; it has the pattern tables @"),
        ("oe_fmc@0123456789ab", "othello has no player or genome named `oe_fmc@0123456789ab`; it has no table for"),
    ] {
        let error = othello().genome(genome).unwrap_err().to_string();
        assert!(error.starts_with(reason), "{error}");
    }
}

#[test]
fn a_learned_table_plays_under_its_own_name() {
    let game = b"e6f4e3f6g5d6e7f5c5";
    let mut learner = pattern::Learner::new(1, false);
    learner.add("a game", game, &record::read(game).unwrap()).unwrap();
    let table = pattern::Table::read(&learner.finish()).unwrap();
    let name = format!("oe_p@{}", table.id());
    assert!(othello().genome(&name).is_err());
    assert_eq!(pattern::add(table.clone()), pattern::add(table));
    assert_eq!(othello().genome(&name).unwrap().name, name);
    assert_ne!(othello().genome("oe_p").unwrap().name, name);
}

#[test]
fn malformed_players_are_refused_with_the_reason() {
    for (text, reason) in [
        ("", "`` is not a player's name; write TYPE_BIRTH_CHROMOSOME"),
        ("Random", "`Random` is not a player's name"),
        ("14:49:3", "`14:49:3` is not a player's name"),
        ("oe_fmc", "othello has no player or genome named `oe`; it has `random`, `greedy`"),
        ("oe_fmc_", "oe_fmc: 1 genes given, but the genome has 11 (o:e:wf1:wm1:wc1:wf2:wm2:wc2:wf3:wm3:wc3)"),
        ("oe_fmc_1_", "oe_fmc: 1 genes given"),
        ("oe_fmc_1_14:49:3:2:2:3:3:9:1:10", "oe_fmc: 10 genes given, but the genome has 11"),
        ("oe_fmc_1_14:49:3:2:2:3:3:9:1:10:3:0", "oe_fmc: 12 genes given, but the genome has 11"),
        ("oe_fmc_1_0:49:3:2:2:3:3:9:1:10:3", "oe_fmc: gene o is 0, but must be in 1..=20"),
        ("oe_fmc_1_14:61:3:2:2:3:3:9:1:10:3", "oe_fmc: gene e is 61, but must be in 41..=60"),
        ("oe_fmc_1_14:49:3:2:2:3:3:9:1:10:11", "oe_fmc: gene wc3 is 11, but must be in 0..=10"),
        ("oe_fmc_1_14:49:-1:2:2:3:3:9:1:10:3", "oe_fmc: gene wf1 is -1, but must be in 0..=10"),
        ("oe_fmc_1_14:49:2.5:2:2:3:3:9:1:10:3", "oe_fmc: gene wf1 is `2.5`, which is not a whole number"),
        ("oe_fmc_1_14:49::2:2:3:3:9:1:10:3", "oe_fmc: gene wf1 is ``, which is not a whole number"),
        ("oe_fmc_1_14:49:99999999999:2:2:3:3:9:1:10:3", "oe_fmc: gene wf1 is `99999999999`, which is not"),
        ("oe_fmc_99999999999_14:49:3:2:2:3:3:9:1:10:3", "`oe_fmc_99999999999_14:49:3:2:2:3:3:9:1:10:3` is not"),
        ("oe_xyz_1_14:49:3", "othello has no player or genome named `oe_xyz`"),
    ] {
        let error = PlayerName::parse(text, othello()).unwrap_err().to_string();
        assert!(error.starts_with(reason), "{text}: {error}");
    }
    for huge in ["x".repeat(3 << 20), format!("oe_fmc_1_{}", "1:".repeat(400_000)), "_".repeat(100_000)] {
        let error = PlayerName::parse(&huge, othello()).unwrap_err().to_string();
        assert!(error.len() < 1_000, "{} bytes of error", error.len());
    }
}

#[test]
fn players_of_another_game_and_unsearchable_ones_are_refused() {
    let named = PlayerSpec::Named("forza4".to_owned());
    assert!(othello().check_player(&named).is_err());
    let odd = PlayerSpec::Evolved { genome: "oe_f".to_owned(), chromosome: Chromosome(vec![Gene::Real(1.0); 5]) };
    assert!(matches!(othello().check_player(&odd), Err(PlayerError::Chromosome { .. })));
    let session = othello().session();
    assert!(matches!(session.evaluate(&PlayerSpec::Named("greedy".to_owned())), Err(PlayerError::NoEvaluation(_))));
}

fn mixed() -> Vec<Parameter> {
    let parameter = |name: &str, domain| Parameter { name: name.to_owned(), meaning: String::new(), domain };
    vec![
        parameter("whole", Domain::Int { initial: (0, 1), bounds: (i32::MIN, i32::MAX) }),
        parameter("bounded", Domain::Real { initial: (0.0, 1.0), bounds: Some((-1.5, 1.5)) }),
        parameter("free", Domain::Real { initial: (-1.0, 1.0), bounds: None }),
    ]
}

#[test]
fn real_genes_are_finite_and_inside_their_bounds() {
    for (text, reason) in [
        ("0:1.6:0", "gene bounded is 1.6, but must be in -1.5..=1.5"),
        ("0:NaN:0", "gene bounded is `NaN`, which is not a finite number"),
        ("0:0:inf", "gene free is `inf`, which is not a finite number"),
        ("0:0:1e999", "gene free is `1e999`, which is not a finite number"),
    ] {
        assert_eq!(Chromosome::parse(text, &mixed()).unwrap_err().to_string(), reason);
    }
    let bytes = [0_f64.to_bits(), 0, f64::NAN.to_bits()].map(u64::to_le_bytes).concat();
    assert!(matches!(Chromosome::from_bytes(&bytes, &mixed()), Err(ChromosomeError::NotANumber { .. })));
    let too_large = [1_u64 << 40, 0, 0].map(u64::to_le_bytes).concat();
    assert!(matches!(Chromosome::from_bytes(&too_large, &mixed()), Err(ChromosomeError::NotANumber { .. })));
    for length in [0, 1, 8, 23, 25, 32] {
        assert!(matches!(Chromosome::from_bytes(&vec![0; length], &mixed()), Err(ChromosomeError::Length { .. })));
    }
}

proptest! {
    #[test]
    fn chromosomes_read_back_from_text_and_bytes(whole: i32, bounded in -1.5..=1.5, free in proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL | proptest::num::f64::ZERO) {
        let chromosome = Chromosome(vec![Gene::Int(whole), Gene::Real(bounded), Gene::Real(free)]);
        let bits = |chromosome: &Chromosome| chromosome.to_bytes();
        let read = Chromosome::parse(&chromosome.to_string(), &mixed()).unwrap();
        prop_assert_eq!(bits(&read), bits(&chromosome));
        let read = Chromosome::from_bytes(&chromosome.to_bytes(), &mixed()).unwrap();
        prop_assert_eq!(bits(&read), bits(&chromosome));
    }

    #[test]
    fn players_read_back_from_their_names(birth: Option<u32>, signed: bool, letters in "f?d?m?x?y?c?p?r", draws: [u32; 32]) {
        let genome = othello().genome(&format!("{}{letters}", if signed { "oes_" } else { "oe_" })).unwrap();
        let genes = genome.parameters.iter().zip(draws).map(|(parameter, draw)| match parameter.domain {
            Domain::Int { bounds: (low, high), .. } => Gene::Int(low + (draw % (high - low + 1) as u32) as i32),
            Domain::Real { .. } => Gene::Real(0.0),
        });
        let player = PlayerSpec::Evolved { genome: genome.name.clone(), chromosome: Chromosome(genes.collect()) };
        prop_assert!(othello().check_player(&player).is_ok());
        let name = PlayerName { birth, player };
        prop_assert_eq!(PlayerName::parse(&name.to_string(), othello()).unwrap(), name);
    }

    #[test]
    fn any_text_is_a_player_or_a_short_error(text in "(\\PC{0,40}|oe_[fdmxycpr@_0-9:.-]{0,60})") {
        if let Err(error) = PlayerName::parse(&text, othello()) {
            prop_assert!(error.to_string().len() < 1_000);
        }
    }

    #[test]
    fn any_bytes_are_a_chromosome_or_an_error(bytes: Vec<u8>) {
        let _ = Chromosome::from_bytes(&bytes, &othello().genome("oe_fmc").unwrap().parameters);
    }
}

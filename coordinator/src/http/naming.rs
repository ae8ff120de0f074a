//! Names of players: the author's notation, and a nickname that people can say.

use kembara_engine::{Chromosome, Genome, PlayerSpec, registry};
use serde::Serialize;

/// Names the individuals of one genome.
pub struct Naming {
    game: String,
    kind: String,
    genome: Option<Genome>,
}

/// An individual's names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Named {
    /// TYPE_BIRTH_CHROMOSOME.
    pub player: String,
    /// Three syllables made from the genes; the same genes have the same nickname everywhere.
    pub nickname: String,
}

impl Naming {
    /// For a game and genome, known to this program or not.
    pub fn new(game: &str, genome: &str) -> Self {
        let known = registry::game(game).and_then(|game| game.genome(genome).ok());
        Self { game: game.to_owned(), kind: genome.to_owned(), genome: known }
    }

    /// The names of an individual.
    pub fn name(&self, birth: i32, chromosome: &[u8]) -> Named {
        Named {
            player: format!("{}_{birth}_{}", self.kind, self.genes(chromosome)),
            nickname: self.nickname(chromosome),
        }
    }

    /// The names of a given opponent.
    pub fn opponent(&self, player: &PlayerSpec) -> Named {
        let nickname = match player {
            PlayerSpec::Named(name) => name.clone(),
            PlayerSpec::Evolved { genome, chromosome } => {
                Self::new(&self.game, genome).nickname(&chromosome.to_bytes())
            }
        };
        Named { player: player.to_string(), nickname }
    }

    /// The genes, in hexadecimal when this program does not know the genome.
    pub fn genes(&self, chromosome: &[u8]) -> String {
        let read = self.genome.as_ref().and_then(|genome| Chromosome::from_bytes(chromosome, &genome.parameters).ok());
        read.map_or_else(|| hex(chromosome), |chromosome| chromosome.to_string())
    }

    fn nickname(&self, chromosome: &[u8]) -> String {
        const CONSONANTS: &[u8; 16] = b"bcdfghjklmnprstv";
        const VOWELS: &[u8; 5] = b"aeiou";
        let mut hasher = blake3::Hasher::new_derive_key("kembara nickname, version 1");
        for part in [self.game.as_bytes(), self.kind.as_bytes(), chromosome] {
            hasher.update(&(part.len() as u64).to_le_bytes()).update(part);
        }
        let mut name = String::new();
        for byte in &hasher.finalize().as_bytes()[..3] {
            let consonant = CONSONANTS[usize::from(byte % 16)] as char;
            name.push(if name.is_empty() { consonant.to_ascii_uppercase() } else { consonant });
            name.push(VOWELS[usize::from(byte / 16 % 5)] as char);
        }
        name
    }
}

/// Bytes in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_authors_and_nicknames_follow_the_genes() {
        let naming = Naming::new("othello", "oe_fmc");
        let genome = naming.genome.clone().unwrap();
        let read = |text| Chromosome::parse(text, &genome.parameters).unwrap().to_bytes();
        let one = naming.name(1, &read("14:49:3:2:2:3:3:9:1:10:3"));
        assert_eq!(one.player, "oe_fmc_1_14:49:3:2:2:3:3:9:1:10:3");
        assert_eq!(one.nickname.len(), 6);
        let later = naming.name(7, &read("14:49:3:2:2:3:3:9:1:10:3"));
        assert_eq!(one.nickname, later.nickname);
        assert_ne!(one.nickname, naming.name(1, &read("14:49:3:2:2:3:3:9:1:10:4")).nickname);
        assert_eq!(Naming::new("halma", "x").name(3, &[1, 255]).player, "x_3_01ff");
    }
}

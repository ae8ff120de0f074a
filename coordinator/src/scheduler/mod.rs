//! Writing generations and turning them over.

//! Generated programs: from a typed grammar whose productions are as frequent as in a corpus, and from functions of
//! that corpus.
//!
//! | module | what |
//! |---|---|
//! | [`idioms`] | how often a corpus uses what, and its names and constants |
//! | [`writer`] | programs of a [`Shape`] by seed; `expressions` has what values are made of |
//! | [`recombined`] | functions of a corpus, called with random values |
//! | [`build`] | many of them with their traces, near-duplicates left out |
//! | [`skeleton`] | when two programs are nearly the same |
//!
//! Nothing is run here: a tracer determines the behaviour of a program, and whether it ends.

pub mod build;
mod expressions;
pub mod idioms;
pub mod recombined;
pub mod skeleton;
pub mod writer;

use serde::{Deserialize, Serialize};

use crate::code_hash::stable_number;

pub use idioms::Idioms;
pub use recombined::Functions;
pub use skeleton::skeleton_hash;
pub use writer::program;

/// Sizes of programs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Shape {
    /// Minimum and maximum statements, including those of functions and blocks.
    pub statements: [usize; 2],
    /// Maximum nesting of blocks.
    pub depth: usize,
    /// Maximum functions.
    pub functions: usize,
    /// Minimum and maximum steps of an execution; other programs are left out.
    pub steps: [usize; 2],
}

impl Default for Shape {
    fn default() -> Self {
        Self {
            statements: [4, 12],
            depth: 2,
            functions: 1,
            steps: [4, 200],
        }
    }
}

impl Shape {
    /// The first key that makes no sense.
    pub fn complaint(&self) -> Option<&'static str> {
        let is_range = |[least, most]: [usize; 2]| least <= most && most > 0;
        let parts = [
            ("statements", is_range(self.statements)),
            ("steps", is_range(self.steps)),
        ];
        let wrong = parts.into_iter().find(|(_, is_right)| !is_right);
        wrong.map(|(key, _)| key)
    }
}

/// Source of programs.
#[derive(Debug, Clone, PartialEq)]
pub enum Written {
    /// A grammar whose productions are as frequent as in a corpus.
    Grammar(Idioms),
    /// Functions of a corpus, which are called with random values.
    Functions(Functions),
}

impl Written {
    /// The program of a seed. `None` if nothing can be written.
    pub fn program(&self, shape: &Shape, seed: u64) -> Option<String> {
        match self {
            Self::Grammar(idioms) => Some(program(idioms, shape, seed)),
            Self::Functions(functions) => functions.program(seed),
        }
    }

    /// What two programs must not share: their skeleton, or their text where the same functions get other values.
    pub fn key(&self, code: &str) -> u64 {
        let text = || stable_number(&[code.as_bytes()]);
        match self {
            Self::Grammar(_) => skeleton_hash(code).unwrap_or_else(text),
            Self::Functions(_) => text(),
        }
    }
}

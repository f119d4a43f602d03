//! Edited programs: by the mutation operators, and by edits that confuse types.

use codexec_mutate::{Config, Mutator};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::build::ErrorConfig;
use super::type_confusion::{CONFUSIONS, Confusion, confusions};

/// Mean number of simultaneous edits by the mutation operators.
const EDITS: f64 = 1.5;

/// Edited programs with the names of what edited them.
pub(super) fn edited(code: &str, config: &ErrorConfig, seed: u64) -> Vec<(String, Vec<String>)> {
    let mut edited = Vec::new();
    let sites = Mutator::default().candidates(code).map_or(0, |c| c.len());
    let mutator = Mutator::new(Config {
        probability: (EDITS / sites.max(1) as f64).min(0.5),
        ..Config::default()
    });
    if let Ok(mutants) = mutator.mutants(code, seed) {
        for mutant in mutants.take(config.mutants) {
            let mut codes: Vec<String> = mutant
                .edits
                .iter()
                .map(|edit| edit.operator.to_owned())
                .collect();
            codes.sort_unstable();
            codes.dedup();
            edited.push((mutant.text, codes));
        }
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for edit in drawn(
        &confusions(code).unwrap_or_default(),
        config.confusions,
        &mut rng,
    ) {
        edited.push((edit.apply(code), vec![edit.name.to_owned()]));
    }
    edited
}

/// Edits, each kind as likely as any other; each edit at most once.
fn drawn<'e>(edits: &'e [Confusion], count: usize, rng: &mut ChaCha8Rng) -> Vec<&'e Confusion> {
    let mut by_name: Vec<Vec<&Confusion>> = CONFUSIONS
        .iter()
        .map(|name| edits.iter().filter(|edit| edit.name == *name).collect())
        .filter(|edits: &Vec<_>| !edits.is_empty())
        .collect();
    let mut chosen = Vec::new();
    while chosen.len() < count && !by_name.is_empty() {
        let kinds: Vec<usize> = (0..by_name.len()).collect();
        let Some(&kind) = kinds.choose(rng) else {
            break;
        };
        let of_kind = &mut by_name[kind];
        let at = rng.random_range(0..of_kind.len());
        chosen.push(of_kind.swap_remove(at));
        if of_kind.is_empty() {
            by_name.swap_remove(kind);
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_drawn_from_every_kind_and_once() {
        let source = "a = int(input())\nb = str(a)\nname = [a][0]\nprint(b, name, name, name)\n";
        let all = confusions(source).unwrap();
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let some = drawn(&all, 100, &mut rng);
        assert_eq!(some.len(), all.len());
        let few = drawn(&all, 4, &mut rng);
        let names: std::collections::BTreeSet<&str> = few.iter().map(|e| e.name).collect();
        assert!(names.len() > 1);
    }
}

//! Where an error comes from: the share of the mass at the error node that each node contributed.
//!
//! Without handlers it is the mass that moved from a node to the error node, summed over steps. If exceptions may
//! be caught, mass can reach the error node through handlers, and the recurrence of Appendix H of the paper
//! determines the node that raised it first: of the mass at a node, `v[n, m]` was raised at `m`; it moves along all
//! decisions, and mass not yet raised becomes `m`'s if `m` raises.

use codexec_model::ops::{Plan, Recorded};

/// The numbers of a program's nodes in a batch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Range {
    /// The first.
    pub first: u32,
    /// The error node.
    pub error: u32,
}

impl Range {
    fn len(self) -> usize {
        (self.error - self.first + 1) as usize
    }

    fn of(self, node: u32) -> Option<usize> {
        (self.first..=self.error)
            .contains(&node)
            .then(|| (node - self.first) as usize)
    }
}

/// The shares of the two ways without raising, and of raising, of an executed row.
fn ways(recorded: &Recorded, row: usize) -> Option<[f32; 3]> {
    let (raise, yes) = (*recorded.raise.get(row)?, *recorded.yes.get(row)?);
    Some([(1.0 - raise) * yes, (1.0 - raise) * (1.0 - yes), raise])
}

/// The mass of each node of a program at each moment, and its ways to others there.
fn moves<'a>(
    plan: &'a Plan,
    recorded: &'a [Recorded],
    range: Range,
) -> impl Iterator<Item = Vec<Move>> + 'a {
    let moments = plan
        .moments
        .iter()
        .zip(plan.moments.iter().skip(1))
        .zip(recorded);
    moments.map(move |((moment, next), recorded)| {
        let mut out = Vec::new();
        for (row, targets) in moment.targets.iter().enumerate() {
            let Some(node) = range.of(moment.nodes[row]) else {
                continue;
            };
            let (is_running, ways) = match ways(recorded, row) {
                Some(ways) => (true, ways),
                None => (false, [1.0, 0.0, 0.0]),
            };
            let to = targets.map(|target| range.of(next.nodes[target as usize]).unwrap_or(node));
            let mass = recorded.mass[row];
            out.push(Move {
                node,
                is_running,
                mass,
                ways,
                to,
            });
        }
        out
    })
}

struct Move {
    node: usize,
    is_running: bool,
    mass: f32,
    /// Yes, no, raise.
    ways: [f32; 3],
    to: [usize; 3],
}

/// Contribution of each node of a program, exit and error node included, to the mass at the error node.
pub(super) fn contributions(
    plan: &Plan,
    recorded: &[Recorded],
    range: Range,
    handlers: bool,
) -> Vec<f32> {
    if handlers {
        return provenance(plan, recorded, range);
    }
    let mut out = vec![0.0; range.len()];
    let error = range.len() - 1;
    for row in moves(plan, recorded, range)
        .flatten()
        .filter(|row| row.is_running)
    {
        for (way, to) in row.ways.into_iter().zip(row.to) {
            if to == error {
                out[row.node] += row.mass * way;
            }
        }
    }
    out
}

/// The recurrence. A node that cannot but raise, as a `raise` statement, raises by all of its ways.
fn provenance(plan: &Plan, recorded: &[Recorded], range: Range) -> Vec<f32> {
    let (count, error) = (range.len(), range.len() - 1);
    // For each node with mass, the mass by the node that raised it first.
    let mut raised: Vec<Option<Vec<f32>>> = vec![None; count];
    let mut last = vec![0.0; count];
    for rows in moves(plan, recorded, range) {
        let mut next: Vec<Option<Vec<f32>>> = vec![None; count];
        for row in &rows {
            let before = raised[row.node].take();
            let already: f32 = before.as_ref().map_or(0.0, |v| v.iter().sum());
            let always = row.to.iter().all(|to| *to == row.to[2]);
            for (k, (way, to)) in row.ways.into_iter().zip(row.to).enumerate() {
                let is_new = row.is_running && (k == 2 || always) && row.mass > already;
                if way == 0.0 || (before.is_none() && !is_new) {
                    continue;
                }
                let into = next[to].get_or_insert_with(|| vec![0.0; count]);
                if let Some(before) = &before {
                    into.iter_mut().zip(before).for_each(|(i, b)| *i += way * b);
                }
                if is_new {
                    into[row.node] += way * (row.mass - already);
                }
            }
        }
        if let Some(found) = &next[error] {
            last.clone_from(found);
        }
        raised = next;
    }
    last
}

//! Which nodes a soft instruction pointer can be at, step by step: by the edges alone, before any
//! number is known.
//!
//! A node that cannot be reached in exactly `t` steps has no mass at step `t`, whatever is decided, and
//! contributes to no other: skipping it is exact. Straight-line code has one such node per step, so a
//! batch of programs costs a small part of all nodes of all programs.

use candle_core::{Result, bail};

/// The control flow of a batch of programs, whose nodes are concatenated.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Flow {
    /// Successor if its condition holds, or if it has none; (N).
    pub yes: Vec<u32>,
    /// Successor if its condition does not hold; (N).
    pub no: Vec<u32>,
    /// Successor if it raises; (N).
    pub raise: Vec<u32>,
    /// The program of every node; (N).
    pub program: Vec<u32>,
    /// The first node of each program; (B).
    pub starts: Vec<u32>,
    /// The node where a program has ended; (B).
    pub exits: Vec<u32>,
    /// The node where an exception has ended a program; (B).
    pub errors: Vec<u32>,
    /// Steps of each program; (B).
    pub steps: Vec<u32>,
    /// Tokens of the description of each program, 0 without one; (B).
    pub described: Vec<u32>,
}

/// The active nodes at one moment: before step `t`, and after the last one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Moment {
    /// Active nodes: first the executed ones, then those where a program has ended, then all of the
    /// programs without a further step.
    pub nodes: Vec<u32>,
    /// How many of them are executed.
    pub running: usize,
    /// For each node of a program with a further step, the positions of its three targets (yes, no,
    /// raise) among the nodes of the next moment.
    pub targets: Vec<[u32; 3]>,
}

/// The active nodes at every moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// One more than the maximum steps of a program.
    pub moments: Vec<Moment>,
    /// For each program, the moment after its last step, and the positions of its exit and its
    /// error node there, if they are active.
    pub ends: Vec<(usize, Option<u32>, Option<u32>)>,
}

const NOWHERE: u32 = u32::MAX;

impl Flow {
    /// Number of programs.
    pub fn programs(&self) -> usize {
        self.starts.len()
    }

    fn check(&self) -> Result<()> {
        let (n, b) = (self.yes.len(), self.starts.len());
        let of_nodes = [&self.no, &self.raise, &self.program];
        let of_programs = [&self.exits, &self.errors, &self.steps, &self.described];
        if of_nodes.iter().any(|list| list.len() != n)
            || of_programs.iter().any(|list| list.len() != b)
        {
            bail!("execution: lists of a flow differ in length");
        }
        let nodes = [
            &self.yes,
            &self.no,
            &self.raise,
            &self.starts,
            &self.exits,
            &self.errors,
        ];
        if nodes
            .iter()
            .any(|list| list.iter().any(|at| *at as usize >= n))
            || self.program.iter().any(|p| *p as usize >= b)
        {
            bail!("execution: a flow leads to a node that is not there");
        }
        Ok(())
    }

    /// The active nodes at every moment; without `raises` no node raises.
    ///
    /// # Errors
    /// If lists do not fit each other.
    pub fn plan(&self, raises: bool) -> Result<Plan> {
        self.check()?;
        let last = self.steps.iter().copied().max().unwrap_or(0) as usize;
        let mut is_terminal = vec![false; self.yes.len()];
        for at in self.exits.iter().chain(&self.errors) {
            is_terminal[*at as usize] = true;
        }
        let mut place = vec![NOWHERE; self.yes.len()];
        let mut active = self.starts.clone();
        let mut moments = Vec::with_capacity(last + 1);
        let mut ends = vec![(0, None, None); self.programs()];
        for t in 0..=last {
            let left = |node: &u32| self.steps[self.program[*node as usize] as usize] as usize > t;
            // Stable, so that the order depends only on the flow.
            active.sort_by_key(|node| match (left(node), is_terminal[*node as usize]) {
                (true, false) => 0,
                (true, true) => 1,
                (false, _) => 2,
            });
            let running = active
                .iter()
                .take_while(|node| left(node) && !is_terminal[**node as usize])
                .count();
            let moving = active.iter().take_while(|node| left(node)).count();
            let mut next = Vec::new();
            for node in &active[..moving] {
                for target in self.targets(*node, is_terminal[*node as usize], raises) {
                    if place[target as usize] == NOWHERE {
                        place[target as usize] = 0;
                        next.push(target);
                    }
                }
            }
            for (at, node) in active.iter().enumerate().skip(moving) {
                let program = self.program[*node as usize] as usize;
                let (moment, exit, error) = &mut ends[program];
                *moment = t;
                if *node == self.exits[program] {
                    *exit = Some(at as u32);
                }
                if *node == self.errors[program] {
                    *error = Some(at as u32);
                }
            }
            for node in &next {
                place[*node as usize] = NOWHERE;
            }
            moments.push(Moment {
                nodes: active,
                running,
                targets: vec![[0; 3]; moving],
            });
            active = next;
        }
        self.connect(&mut moments, &is_terminal, raises, &mut place);
        Ok(Plan { moments, ends })
    }

    /// The targets of a node; without raising, the third repeats the first and is never used.
    fn targets(&self, node: u32, is_terminal: bool, raises: bool) -> [u32; 3] {
        if is_terminal {
            return [node; 3];
        }
        let at = node as usize;
        let raise = if raises { self.raise[at] } else { self.yes[at] };
        [self.yes[at], self.no[at], raise]
    }

    fn connect(
        &self,
        moments: &mut [Moment],
        is_terminal: &[bool],
        raises: bool,
        place: &mut [u32],
    ) {
        for t in 0..moments.len().saturating_sub(1) {
            let (here, next) = moments.split_at_mut(t + 1);
            let (here, next) = (&mut here[t], &next[0]);
            for (at, node) in next.nodes.iter().enumerate() {
                place[*node as usize] = at as u32;
            }
            for (node, targets) in here.nodes.iter().zip(&mut here.targets) {
                let nodes = self.targets(*node, is_terminal[*node as usize], raises);
                *targets = nodes.map(|target| place[target as usize]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A branch: 0 tests, 1 and 2 follow, then the exit 3; 4 is the error node.
    pub(crate) fn branch() -> Flow {
        Flow {
            yes: vec![1, 3, 3, 3, 4],
            no: vec![2, 3, 3, 3, 4],
            raise: vec![4; 5],
            program: vec![0; 5],
            starts: vec![0],
            exits: vec![3],
            errors: vec![4],
            steps: vec![3],
            described: vec![0],
        }
    }

    #[test]
    fn only_what_can_be_reached_is_active() {
        let plan = branch().plan(true).unwrap();
        let nodes: Vec<&[u32]> = plan.moments.iter().map(|m| m.nodes.as_slice()).collect();
        assert_eq!(nodes, [&[0][..], &[1, 2, 4], &[3, 4], &[3, 4]]);
        let running: Vec<usize> = plan.moments.iter().map(|m| m.running).collect();
        assert_eq!(running, [1, 2, 0, 0]);
        assert_eq!(plan.moments[0].targets, [[0, 1, 2]]);
        assert_eq!(plan.moments[1].targets, [[0, 0, 1], [0, 0, 1], [1, 1, 1]]);
        assert!(plan.moments[3].targets.is_empty());
        assert_eq!(plan.ends, [(3, Some(0), Some(1))]);
    }

    #[test]
    fn without_raising_the_error_node_is_never_active() {
        let plan = branch().plan(false).unwrap();
        assert!(plan.moments.iter().all(|m| !m.nodes.contains(&4)));
        assert_eq!(plan.ends, [(3, Some(0), None)]);
    }

    #[test]
    fn a_flow_that_leads_nowhere_is_refused() {
        let mut flow = branch();
        flow.yes[1] = 9;
        assert!(flow.plan(true).is_err());
        let mut flow = branch();
        flow.steps.clear();
        assert!(flow.plan(true).is_err());
    }
}

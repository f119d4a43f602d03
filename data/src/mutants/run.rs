//! The pipeline: programs in corpus order, workers that make families, one committer.
//!
//! Memory does not grow with the corpus: the number of batches in progress is bounded, and shared
//! state is in the store.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex};

use super::BuildError;
use super::batch::{Collecting, Committer, Packed};
use super::corpus::{each_program, problem_number};
use super::family::FamilyGenerator;
use super::settings::{Settings, Shard};
use crate::sources::CorpusProgram;

/// Progress callback, called from the workers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tick {
    /// Programs.
    pub programs: u64,
    /// Mutants of them.
    pub mutants: u64,
}

/// Receives a build's progress.
pub type OnTick<'a> = &'a (dyn Fn(Tick) + Sync);

/// One program for a worker.
struct Task {
    batch: Arc<Collecting>,
    slot: usize,
    program: CorpusProgram,
}

/// Makes all batches from the first unfinished one on.
pub(crate) fn run(
    corpus: &Path,
    shard: Shard,
    generator: &FamilyGenerator<'_>,
    jobs: usize,
    committer: &mut Committer<'_>,
    tick: OnTick<'_>,
) -> Result<(), BuildError> {
    let stop = AtomicBool::new(false);
    let (tasks, queue) = sync_channel::<Task>(2 * jobs);
    let queue = Arc::new(Mutex::new(queue));
    let (permits, returned) = sync_channel::<()>(8 + 4 * jobs);
    let (done, packed) = channel::<Result<Packed, BuildError>>();
    let first = committer.progress.batches;
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            let (queue, done, stop) = (Arc::clone(&queue), done.clone(), &stop);
            let worker = move || work(&queue, generator, &done, stop, tick);
            let named = std::thread::Builder::new().name("mutate".to_owned());
            named
                .stack_size(8 << 20)
                .spawn_scoped(scope, worker)
                .map_err(|_| BuildError::Threads)?;
        }
        drop(queue);
        let dispatched = scope.spawn({
            let stop = &stop;
            move || {
                let dispatcher = Dispatcher {
                    corpus,
                    shard,
                    settings: generator.settings,
                };
                let result = dispatcher.dispatch(first, &tasks, &permits, stop);
                if let Err(error) = result {
                    // The committer may have stopped before.
                    let _ = done.send(Err(error));
                }
            }
        });
        let result = commit_in_order(&packed, &returned, committer);
        stop.store(true, Ordering::Relaxed);
        drop((packed, returned));
        dispatched.join().map_err(|_| BuildError::Threads)?;
        result
    })
}

/// Takes tasks until there are none, or until results are no longer needed.
fn work(
    queue: &Mutex<Receiver<Task>>,
    generator: &FamilyGenerator<'_>,
    done: &std::sync::mpsc::Sender<Result<Packed, BuildError>>,
    stop: &AtomicBool,
    tick: OnTick<'_>,
) {
    loop {
        let Ok(task) = queue
            .lock()
            .map_err(drop)
            .and_then(|q| q.recv().map_err(drop))
        else {
            return;
        };
        if stop.load(Ordering::Relaxed) {
            return;
        }
        let made = generator.family(&task.program).and_then(|family| {
            tick(Tick {
                programs: 1,
                mutants: family.members.iter().filter(|m| m.operators != 0).count() as u64,
            });
            task.batch.put(task.slot, family)
        });
        let sent = match made {
            Ok(None) => Ok(()),
            Ok(Some(packed)) => done.send(Ok(packed)),
            Err(error) => done.send(Err(error)),
        };
        if sent.is_err() {
            return;
        }
    }
}

fn commit_in_order(
    packed: &Receiver<Result<Packed, BuildError>>,
    returned: &Receiver<()>,
    committer: &mut Committer<'_>,
) -> Result<(), BuildError> {
    let mut waiting = BTreeMap::new();
    while let Ok(batch) = packed.recv() {
        let batch = batch?;
        waiting.insert(batch.number, batch);
        while let Some(next) = waiting.remove(&committer.progress.batches) {
            committer.commit(next)?;
            // One for every batch, without gaps.
            let _ = returned.recv();
        }
    }
    if waiting.is_empty() {
        Ok(())
    } else {
        Err(BuildError::Threads)
    }
}

/// Cuts the corpus into batches.
struct Dispatcher<'a> {
    corpus: &'a Path,
    shard: Shard,
    settings: &'a Settings,
}

impl Dispatcher<'_> {
    fn dispatch(
        &self,
        first: u64,
        tasks: &SyncSender<Task>,
        permits: &SyncSender<()>,
        stop: &AtomicBool,
    ) -> Result<(), BuildError> {
        let size = self.settings.batch();
        let mut number = 0;
        let mut batch = Vec::with_capacity(size);
        let mut wanted = true;
        each_program(self.corpus, |program| {
            if self.shard.has(problem_number(&program)) {
                batch.push(program);
            }
            if batch.len() == size {
                let whole = std::mem::replace(&mut batch, Vec::with_capacity(size));
                wanted = number < first || hand_out(number, whole, tasks, permits);
                number += 1;
            }
            wanted && !stop.load(Ordering::Relaxed)
        })?;
        if !wanted || stop.load(Ordering::Relaxed) {
            return Ok(());
        }
        if !batch.is_empty() && number >= first {
            hand_out(number, batch, tasks, permits);
        }
        Ok(())
    }
}

/// False if nobody needs it any more.
fn hand_out(
    number: u64,
    batch: Vec<CorpusProgram>,
    tasks: &SyncSender<Task>,
    permits: &SyncSender<()>,
) -> bool {
    let collecting = Arc::new(Collecting::new(number, batch.len()));
    permits.send(()).is_ok()
        && batch.into_iter().enumerate().all(|(slot, program)| {
            let batch = Arc::clone(&collecting);
            tasks
                .send(Task {
                    batch,
                    slot,
                    program,
                })
                .is_ok()
        })
}

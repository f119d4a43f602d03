//! Parallel work whose results are delivered in order, each as soon as possible. [`in_order`] is
//! independent of the work.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use codexec_data::trace::Program;

use super::{Answer, Done, EngineError};
use codexec_model::error::Error;
use codexec_plan::machine::Machine;

/// Why work ends before it is done.
pub enum Stop {
    /// No more answers are needed.
    Enough,
    /// Nothing can be answered.
    Failed(EngineError),
}

impl<E: Into<EngineError>> From<E> for Stop {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

impl Stop {
    /// How interrupted work ended.
    ///
    /// # Errors
    /// Why nothing can be answered.
    pub fn ended(result: Result<(), Self>) -> Result<(), EngineError> {
        match result {
            Ok(()) | Err(Self::Enough) => Ok(()),
            Err(Self::Failed(error)) => Err(error),
        }
    }
}

/// Answers for programs one by one, with as many in parallel as there are workers (0: one per core),
/// and delivers the answers in order.
pub(super) fn each(
    programs: &[Program],
    workers: usize,
    done: &mut Done<'_>,
    answer: impl Fn(&Program) -> Result<Answer, EngineError> + Sync,
) -> Result<(), EngineError> {
    let threads = match workers {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        workers => workers,
    };
    let result = in_order(programs, threads, answer, |program, answer| {
        match done(program, answer?) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Stop::Enough),
        }
    });
    Stop::ended(result)
}

/// Applies `work` to the items, `threads` in parallel, and passes each result to `done` as soon as it and all before it
/// are ready. The cancellation of this thread's plans ([`Machine::cancel_by`]) applies to the work's plans.
///
/// # Errors
/// The first that `done` returns, after which no more work is begun; [`Error::Threads`] where no
/// threads can be had.
pub fn in_order<I: Sync, T: Send, E: From<Error> + Send>(
    items: &[I],
    threads: usize,
    work: impl Fn(&I) -> T + Sync,
    mut done: impl FnMut(&I, T) -> Result<(), E>,
) -> Result<(), E> {
    let threads = threads.min(items.len());
    if threads <= 1 {
        return items.iter().try_for_each(|item| done(item, work(item)));
    }
    // A pool instead of plain threads, so that nested parallel work stays in these threads.
    let flag = Machine::cancelled_by();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .start_handler(move |_| Machine::cancel_by(flag.clone()))
        .build();
    let pool = pool.map_err(|error| Error::Threads(error.to_string()))?;
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    pool.in_place_scope(|scope| {
        for _ in 0..threads {
            let (next, work, sender) = (&next, &work, sender.clone());
            scope.spawn(move |_| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(at) else { return };
                    if sender.send((at, work(item))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let (mut early, mut wanted) = (BTreeMap::new(), 0);
        for (at, found) in receiver {
            early.insert(at, found);
            while let Some(found) = early.remove(&wanted) {
                // On an error the receiver is dropped, which stops the threads.
                done(&items[wanted], found)?;
                wanted += 1;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_whatever_is_ready_first() {
        let items: Vec<u64> = (0..40).collect();
        for threads in [1, 3, 100] {
            let mut got = Vec::new();
            let slow_first = |item: &u64| {
                std::thread::sleep(std::time::Duration::from_millis((*item % 3) * 2));
                item * 2
            };
            let result: Result<(), Error> = in_order(&items, threads, slow_first, |item, twice| {
                got.push((*item, twice));
                Ok(())
            });
            assert!(result.is_ok());
            assert!(got.iter().copied().eq(items.iter().map(|i| (*i, i * 2))));
        }
    }

    #[test]
    fn a_result_does_not_wait_for_those_behind_it() {
        // The last item is not worked on before the first result was taken.
        let (taken, wait) = mpsc::channel();
        let wait = std::sync::Mutex::new(wait);
        let work = |item: &usize| {
            if *item == 2 {
                let wait = wait.lock().unwrap();
                wait.recv_timeout(std::time::Duration::from_secs(20))
                    .unwrap();
            }
        };
        let result: Result<(), Error> = in_order(&[0, 1, 2], 2, work, |item, ()| {
            if *item == 0 {
                taken.send(()).unwrap();
            }
            Ok(())
        });
        assert!(result.is_ok());
    }

    #[test]
    fn an_error_ends_the_work() {
        let count = AtomicUsize::new(0);
        let items = [0; 1000];
        let work = |_: &i32| {
            count.fetch_add(1, Ordering::Relaxed);
            std::thread::sleep(std::time::Duration::from_millis(1));
        };
        let result = in_order(&items, 2, work, |_, ()| Err(Error::Threads("x".into())));
        assert!(result.is_err());
        assert!(count.into_inner() < 500);
    }
}

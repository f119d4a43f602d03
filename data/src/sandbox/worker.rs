//! One worker process from the driver's side: hello, requests, answers, and its end.
//!
//! Every received length is checked, and every wait is bounded. The worker itself is ours; the
//! payloads that it passes on are its children's and are left unparsed here.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

use super::SandboxError;
use super::isolation::Isolation;
use super::script;
use super::start::Plan;
use crate::trace::Program;

/// How a child ended, and its claimed payload or, without one, one of the steps it made.
pub(crate) type Answer = (Ended, Vec<u8>);

/// How a child ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// With a payload.
    Payload,
    /// Out of CPU or wall-clock time.
    Timeout,
    /// Killed by a signal.
    Signal(i32),
    /// With an exit status and no payload.
    NoResult,
    /// Not started: the first of its request left no payload.
    NotRun,
}

/// How the programs of a request are run; the numbers are those of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sharing {
    /// One child each.
    Apart = 0,
    /// Several in one child if nothing prevents it.
    Together = 1,
    /// The same, and timeouts in a shared child are not rerun.
    Brief = 3,
    /// The same, and where the first leaves no payload, the others are not run.
    Led = 7,
    /// One child each, and sources are guided programs with their plans.
    Guided = 8,
    /// One child each, and sources are programs with a prefix to run first.
    WithPrefix = 16,
    /// As [`Sharing::Brief`], without the steps of programs that hit a limit.
    Finishing = 35,
    /// As [`Sharing::Led`], and the same.
    LedFinishing = 39,
}

/// The worker is gone, or violated the protocol; it has to be replaced.
#[derive(Debug)]
pub(crate) struct Lost;

/// A running worker.
pub(crate) struct Worker {
    process: Child,
    requests: Option<ChildStdin>,
    answers: ChildStdout,
    /// Largest answer per program, bytes.
    largest: usize,
    /// Longest time per program.
    patience: Duration,
    /// It did not answer as it should.
    lost: bool,
    /// The root that it sees.
    root: Option<PathBuf>,
}

#[derive(serde::Deserialize)]
struct Hello {
    version: String,
    report: Isolation,
}

/// Time for an interpreter to start, on a machine however busy.
const START: Duration = Duration::from_secs(60);

impl Worker {
    /// Starts a worker and waits for its first words. The thread that calls this must outlive the
    /// worker: the kernel kills it with that thread.
    pub(super) fn start(plan: &Plan) -> Result<(Self, Isolation), SandboxError> {
        let mut process = plan
            .command()?
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|e| SandboxError::Launcher {
                path: plan.launcher().to_owned(),
                why: e.to_string(),
            })?;
        let (Some(requests), Some(answers), Some(said)) = (
            process.stdin.take(),
            process.stdout.take(),
            process.stderr.take(),
        ) else {
            return Err(SandboxError::Worker {
                why: "its pipes are missing".to_owned(),
            });
        };
        let wall = Duration::from_secs_f64(plan.options.wall);
        let mut worker = Self {
            process,
            requests: Some(requests),
            answers,
            largest: plan.options.shared,
            patience: (wall * 8 + Duration::from_secs(plan.options.cpu + 10)) * 2,
            lost: false,
            root: plan.root.clone(),
        };
        // A worker that cannot receive its program reports that, or nothing, in its first message.
        let _ = worker.send(&script::framed(), Instant::now() + START);
        let isolation = worker.hello(plan, said)?;
        Ok((worker, isolation))
    }

    fn hello(&mut self, plan: &Plan, mut said: ChildStderr) -> Result<Isolation, SandboxError> {
        let deadline = Instant::now() + START;
        let first = self.receive(8, deadline).and_then(|head| {
            let length = u32_at(&head, 4).ok_or(Lost)?.min(1 << 20) as usize;
            let tag = head[..4].to_vec();
            match tag.as_slice() {
                b"RDY1" | b"ERR1" => Ok((tag, self.receive(length, deadline)?)),
                _ => Err(Lost),
            }
        });
        let why = match first {
            Ok((tag, text)) if tag == b"RDY1" => match serde_json::from_slice::<Hello>(&text) {
                Ok(hello) => {
                    return Ok(Isolation {
                        version: hello.version,
                        ..hello.report
                    });
                }
                Err(error) => error.to_string(),
            },
            Ok((_, text)) => {
                let why = String::from_utf8_lossy(&text).into_owned();
                return Err(match why.strip_prefix(super::MINIMUM) {
                    Some(missing) => SandboxError::TooLittleIsolation {
                        missing: missing.to_owned(),
                    },
                    None => SandboxError::Worker { why },
                });
            }
            Err(Lost) => {
                self.lost = true;
                self.stop();
                let mut text = Vec::new();
                // Whatever can be had of its last words.
                let _ = (&mut said).take(4096).read_to_end(&mut text);
                let text = String::from_utf8_lossy(&text);
                let last = text.lines().last().unwrap_or("it said nothing");
                format!("unexpected first words ({last})")
            }
        };
        Err(SandboxError::Launcher {
            path: plan.launcher().to_owned(),
            why,
        })
    }

    /// The root that its programs see.
    pub(super) fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// Runs programs. `each` gets their results in order as they arrive: one at a time is in
    /// memory.
    pub(super) fn ask(
        &mut self,
        programs: &[&Program],
        sharing: Sharing,
        each: impl FnMut(Answer),
    ) -> Result<(), Lost> {
        let answered = self.exchange(programs, sharing, each);
        self.lost = answered.is_err();
        answered
    }

    fn exchange(
        &mut self,
        programs: &[&Program],
        sharing: Sharing,
        mut each: impl FnMut(Answer),
    ) -> Result<(), Lost> {
        let patience = self.patience * (programs.len() as u32 + 1) + Duration::from_secs(10);
        let deadline = Instant::now() + patience;
        self.send(&request(programs, sharing), deadline)?;
        for _ in programs {
            let head = self.receive(ANSWER_HEAD, deadline)?;
            let (kind, detail, length) = answer_head(&head, self.largest).ok_or(Lost)?;
            let payload = self.receive(length, deadline)?;
            each((ended(kind, detail).ok_or(Lost)?, payload));
        }
        Ok(())
    }

    fn send(&mut self, bytes: &[u8], deadline: Instant) -> Result<(), Lost> {
        let pipe = self.requests.as_mut().ok_or(Lost)?;
        // At most what a ready pipe accepts without blocking.
        for part in bytes.chunks(4096) {
            wait(pipe, Direction::Out, deadline)?;
            pipe.write_all(part).map_err(|_| Lost)?;
        }
        Ok(())
    }

    fn receive(&mut self, length: usize, deadline: Instant) -> Result<Vec<u8>, Lost> {
        let mut bytes = vec![0; length];
        let mut at = 0;
        while at < length {
            wait(&self.answers, Direction::In, deadline)?;
            match self.answers.read(&mut bytes[at..]) {
                Ok(0) => return Err(Lost),
                Ok(n) => at += n,
                Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => return Err(Lost),
            }
        }
        Ok(bytes)
    }

    fn stop(&mut self) {
        drop(self.requests.take());
        // It may be gone already; either way it is waited for.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Time for an idle worker to leave by itself.
const LEAVE: Duration = Duration::from_millis(500);

impl Drop for Worker {
    /// The end of its requests tells a worker to exit; one that does not is killed.
    fn drop(&mut self) {
        drop(self.requests.take());
        let deadline = Instant::now() + if self.lost { Duration::ZERO } else { LEAVE };
        while Instant::now() < deadline {
            if let Ok(Some(_)) = self.process.try_wait() {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        self.stop();
    }
}

enum Direction {
    In,
    Out,
}

/// Waits until a pipe is ready.
#[cfg(target_os = "linux")]
fn wait(pipe: &impl std::os::fd::AsFd, way: Direction, deadline: Instant) -> Result<(), Lost> {
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
    let flags = match way {
        Direction::In => PollFlags::POLLIN,
        Direction::Out => PollFlags::POLLOUT,
    };
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let millis = left.as_millis().min(60_000) as u16;
        match poll(
            &mut [PollFd::new(pipe.as_fd(), flags)],
            PollTimeout::from(millis),
        ) {
            Ok(0) if left.is_zero() => return Err(Lost),
            Ok(0) | Err(nix::errno::Errno::EINTR) => {}
            Ok(_) => return Ok(()),
            Err(_) => return Err(Lost),
        }
    }
}

/// Without `poll`: reading and writing block.
#[cfg(not(target_os = "linux"))]
fn wait<T>(_pipe: &T, _way: Direction, _deadline: Instant) -> Result<(), Lost> {
    Ok(())
}

/// Flag of a request whose single program belongs to a project or has arguments.
const WITH_PROJECT: u32 = 64;

fn request(programs: &[&Program], sharing: Sharing) -> Vec<u8> {
    let mut bytes = Vec::new();
    let project = match programs {
        [program] if !program.is_alone() => Some(project(program)),
        _ => None,
    };
    let flag = if project.is_some() { WITH_PROJECT } else { 0 };
    bytes.extend((sharing as u32 | flag).to_le_bytes());
    bytes.extend((programs.len() as u32).to_le_bytes());
    if let Some(project) = project {
        bytes.extend((project.len() as u32).to_le_bytes());
        bytes.extend(project.as_bytes());
    }
    for program in programs {
        let source = program.source.as_deref().unwrap_or_default();
        let stdin = program.stdin.as_deref().unwrap_or_default();
        bytes.extend((source.len() as u32).to_le_bytes());
        bytes.extend((stdin.len() as u32).to_le_bytes());
        bytes.extend(source.as_bytes());
        bytes.extend(stdin.as_bytes());
    }
    bytes
}

/// Location and inputs of a program, as read by `project.py`.
fn project(program: &Program) -> String {
    let text = |path: PathBuf| path.to_string_lossy().into_owned();
    let environment = program.environment.iter().cloned();
    serde_json::json!({
        "root": program.root.clone().map(text),
        "file": program.file().map(text),
        "directory": program.directory().map(text),
        "name": program.name(),
        "package": program.package,
        "arguments": program.arguments,
        "environment": environment.collect::<BTreeMap<String, String>>(),
    })
    .to_string()
}

/// Bytes before the payload of an answer.
const ANSWER_HEAD: usize = 9;

/// How a program ended, the detail, and the length of its payload, which is at most `largest`.
fn answer_head(head: &[u8], largest: usize) -> Option<(u8, i32, usize)> {
    let kind = *head.first()?;
    let detail = u32_at(head, 1)? as i32;
    let length = u32_at(head, 5)? as usize;
    (length <= largest).then_some((kind, detail, length))
}

fn ended(kind: u8, detail: i32) -> Option<Ended> {
    Some(match kind {
        0 => Ended::Payload,
        1 => Ended::Timeout,
        2 => Ended::Signal(detail),
        3 => Ended::NoResult,
        4 => Ended::NotRun,
        _ => return None,
    })
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(four.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_answer_is_longer_than_one_program_may_make_it() {
        let head = [0, 0, 0, 0, 0, 2, 1, 0, 0];
        assert_eq!(answer_head(&head, 258), Some((0, 0, 258)));
        assert_eq!(answer_head(&head, 257), None);
        let endless = [0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff];
        assert_eq!(answer_head(&endless, 1 << 20), None);
        let signal = [2, 11, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(answer_head(&signal, 257), Some((2, 11, 0)));
        assert_eq!(ended(2, 11), Some(Ended::Signal(11)));
        assert_eq!(ended(9, 0), None);
        for cut in 0..ANSWER_HEAD {
            assert_eq!(answer_head(&head[..cut], 1 << 20), None, "{cut}");
        }
    }
}

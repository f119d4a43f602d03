//! The system calls a worker and its children may make; all others fail with `EPERM`.
//!
//! Two filters: the worker's (it forks, waits, kills) and, on top of it, the child's, which creates
//! no process, signals nobody, opens no socket and changes no file. Process creation must be denied
//! here because `RLIMIT_NPROC` does not apply to user 0. `clone3`, whose flags a filter cannot read,
//! fails with `ENOSYS`, so that libc falls back to `clone`. Calls of another architecture kill.

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch,
};

type Rules = BTreeMap<i64, Vec<SeccompRule>>;
type Result<T> = std::result::Result<T, seccompiler::BackendError>;

/// Needed by a running program, for any arguments.
const CHILD: &[i64] = &[
    // Descriptors that are open already, and files that Landlock or the file tree lets be opened.
    libc::SYS_read,
    libc::SYS_write,
    libc::SYS_readv,
    libc::SYS_writev,
    libc::SYS_pread64,
    libc::SYS_pwrite64,
    libc::SYS_close,
    libc::SYS_close_range,
    libc::SYS_fstat,
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_lseek,
    libc::SYS_openat,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_getdents64,
    libc::SYS_getcwd,
    libc::SYS_readlinkat,
    libc::SYS_ftruncate,
    libc::SYS_dup,
    libc::SYS_dup3,
    libc::SYS_pipe2,
    libc::SYS_ppoll,
    libc::SYS_pselect6,
    libc::SYS_epoll_create1,
    libc::SYS_epoll_ctl,
    libc::SYS_epoll_pwait,
    libc::SYS_eventfd2,
    // Memory.
    libc::SYS_mprotect,
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_madvise,
    libc::SYS_brk,
    libc::SYS_mmap,
    // Its own signals and threads.
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sigaltstack,
    libc::SYS_futex,
    libc::SYS_set_robust_list,
    libc::SYS_get_robust_list,
    libc::SYS_rseq,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_set_tid_address,
    libc::SYS_membarrier,
    libc::SYS_restart_syscall,
    libc::SYS_exit,
    libc::SYS_exit_group,
    // Time, randomness, who it is.
    libc::SYS_nanosleep,
    libc::SYS_clock_nanosleep,
    libc::SYS_clock_gettime,
    libc::SYS_clock_getres,
    libc::SYS_gettimeofday,
    libc::SYS_times,
    libc::SYS_getrusage,
    libc::SYS_getrandom,
    libc::SYS_setitimer,
    libc::SYS_getitimer,
    libc::SYS_getpid,
    libc::SYS_gettid,
    libc::SYS_getppid,
    libc::SYS_getuid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getegid,
    libc::SYS_getgroups,
    libc::SYS_uname,
    libc::SYS_sysinfo,
    libc::SYS_umask,
];

/// The older forms of some of them, which only this architecture has.
#[cfg(target_arch = "x86_64")]
const CHILD_OLDER: &[i64] = &[
    libc::SYS_stat,
    libc::SYS_lstat,
    libc::SYS_open,
    libc::SYS_access,
    libc::SYS_readlink,
    libc::SYS_dup2,
    libc::SYS_pipe,
    libc::SYS_poll,
    libc::SYS_select,
    libc::SYS_epoll_wait,
    libc::SYS_pause,
    libc::SYS_alarm,
    libc::SYS_time,
    libc::SYS_getpgrp,
    libc::SYS_getrlimit,
];
#[cfg(not(target_arch = "x86_64"))]
const CHILD_OLDER: &[i64] = &[];

/// Also needed by the worker.
const WORKER: &[i64] = &[
    libc::SYS_execve,
    libc::SYS_clone,
    libc::SYS_wait4,
    libc::SYS_waitid,
    libc::SYS_kill,
    libc::SYS_memfd_create,
    libc::SYS_prlimit64,
    libc::SYS_seccomp,
    libc::SYS_tgkill,
    libc::SYS_rt_sigtimedwait,
    libc::SYS_chdir,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_fork,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_vfork,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_arch_prctl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_setrlimit,
];

/// Filters for the worker (in the order of installation) and for its children.
pub(crate) struct Filters {
    pub worker: Vec<BpfProgram>,
    pub child: BpfProgram,
}

/// Compiles the filters for this machine.
pub(crate) fn filters() -> Result<Filters> {
    let arch: TargetArch = std::env::consts::ARCH.try_into()?;
    let compile = |rules, miss, hit| -> Result<BpfProgram> {
        SeccompFilter::new(rules, miss, hit, arch)?.try_into()
    };
    let refuse = SeccompAction::Errno(libc::EPERM as u32);
    let unknown = SeccompAction::Errno(libc::ENOSYS as u32);
    let no_clone3 = Rules::from([(libc::SYS_clone3, vec![])]);
    let mut worker = child_rules()?;
    worker.extend(WORKER.iter().map(|&call| (call, vec![])));
    let options = [
        libc::PR_SET_NO_NEW_PRIVS,
        libc::PR_SET_SECCOMP,
        libc::PR_SET_PDEATHSIG,
    ];
    worker.insert(libc::SYS_prctl, one_of(0, options.map(|o| o as u64))?);
    Ok(Filters {
        worker: vec![
            compile(no_clone3, SeccompAction::Allow, unknown)?,
            compile(worker, refuse.clone(), SeccompAction::Allow)?,
        ],
        child: compile(child_rules()?, refuse, SeccompAction::Allow)?,
    })
}

fn child_rules() -> Result<Rules> {
    let mut rules: Rules = CHILD
        .iter()
        .chain(CHILD_OLDER)
        .map(|&call| (call, vec![]))
        .collect();
    let threads = libc::CLONE_THREAD as u64;
    rules.insert(
        libc::SYS_clone,
        vec![rule(
            0,
            SeccompCmpArgLen::Qword,
            SeccompCmpOp::MaskedEq(threads),
            threads,
        )?],
    );
    rules.insert(libc::SYS_clone3, vec![]);
    // Reading limits, not setting them.
    rules.insert(
        libc::SYS_prlimit64,
        vec![rule(2, SeccompCmpArgLen::Qword, SeccompCmpOp::Eq, 0)?],
    );
    let ioctls = [
        libc::TCGETS,
        libc::FIONREAD,
        libc::FIOCLEX,
        libc::FIONCLEX,
        libc::FIONBIO,
        libc::TIOCGWINSZ,
    ];
    // Their type differs between C libraries.
    #[allow(clippy::unnecessary_cast)]
    rules.insert(libc::SYS_ioctl, one_of(1, ioctls.map(|i| i as u64))?);
    let commands = [
        libc::F_GETFD,
        libc::F_SETFD,
        libc::F_GETFL,
        libc::F_SETFL,
        libc::F_DUPFD,
        libc::F_DUPFD_CLOEXEC,
    ];
    rules.insert(libc::SYS_fcntl, one_of(1, commands.map(|c| c as u64))?);
    // An event loop talks to itself through a pair that leads nowhere else: nothing is sent to an address.
    rules.insert(libc::SYS_socketpair, one_of(0, [libc::AF_UNIX as u64])?);
    for call in [libc::SYS_sendto, libc::SYS_recvfrom] {
        let no_address = rule(4, SeccompCmpArgLen::Qword, SeccompCmpOp::Eq, 0)?;
        rules.insert(call, vec![no_address]);
    }
    Ok(rules)
}

fn one_of<const N: usize>(argument: u8, values: [u64; N]) -> Result<Vec<SeccompRule>> {
    values
        .into_iter()
        .map(|value| rule(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value))
        .collect()
}

fn rule(argument: u8, len: SeccompCmpArgLen, op: SeccompCmpOp, value: u64) -> Result<SeccompRule> {
    SeccompRule::new(vec![SeccompCondition::new(argument, len, op, value)?])
}

/// A filter as hexadecimal text of `struct sock_filter`s, for the worker to install in children.
pub(crate) fn hex(program: &BpfProgram) -> String {
    let bytes = program.iter().flat_map(|f| {
        let [a, b] = f.code.to_ne_bytes();
        let [c, d, e, g] = f.k.to_ne_bytes();
        [a, b, f.jt, f.jf, c, d, e, g]
    });
    bytes.map(|byte| format!("{byte:02x}")).collect()
}

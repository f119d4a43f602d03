//! The `codexec` command: parse, dispatch, exit code.

fn main() {}

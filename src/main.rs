//! The `codexec` command: parse, dispatch, exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    codexec_data::sandbox::launcher_hook();
    codexec::cli::main()
}

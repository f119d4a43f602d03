//! The small program that becomes the sandbox: the package has it as data, because the process that asks for a sandbox is an
//! interpreter.

fn main() {
    codexec_data::sandbox::launcher_hook();
    eprintln!("codexec-launcher is started by the sandbox, not by hand");
    std::process::exit(2);
}

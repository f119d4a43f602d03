//! A launcher for the Python package, tests and benches: becomes the sandbox, and does nothing else.

fn main() {
    codexec_data::sandbox::launcher_hook();
    eprintln!("codexec-sandbox is started by the sandbox, not by hand");
    std::process::exit(2);
}

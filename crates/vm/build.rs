//! Compiles the Python files of `lib/` and writes a table of them, with the names that each file
//! binds.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use codexec_compile::code::{Code, Op};
use codexec_compile::compile;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=lib");
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("lib");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let mut files = String::new();
    let mut names: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
    for (at, path) in python_files(&root)?.iter().enumerate() {
        let shown = path.strip_prefix(&root)?.display().to_string();
        let source = fs::read_to_string(path)?;
        let code = compile(&source).map_err(|error| format!("lib/{shown}: {error}"))?;
        let module = module_of(&shown);
        for name in bound_names(&code) {
            let key = (module.to_owned(), name);
            names.entry(key).or_default().push(at);
        }
        fs::write(
            out.join(format!("{at}.code")),
            postcard::to_allocvec(&code)?,
        )?;
        let level = level_of(&source);
        let asked = asked_lines(&source);
        writeln!(
            files,
            "    Frozen {{ path: {shown:?}, module: {module:?}, level: {level:?}, asked: &{asked:?}, \
             code: include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{at}.code\")) }},"
        )?;
    }
    let mut table = format!("static FILES: &[Frozen] = &[\n{files}];\n");
    table.push_str("/// Module, name, and the files that bind it, in order.\n");
    table.push_str("static NAMES: &[(&str, &str, &[u16])] = &[\n");
    for ((module, name), files) in names {
        writeln!(table, "    ({module:?}, {name:?}, &{files:?}),")?;
    }
    table.push_str("];\n");
    fs::write(out.join("library.rs"), table)?;
    Ok(())
}

/// Returns the files of `lib`, in order.
fn python_files(root: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(root)? {
        let path = entry?.path();
        if path.is_dir() {
            for entry in fs::read_dir(path)? {
                files.push(entry?.path());
            }
        } else {
            files.push(path);
        }
    }
    files.retain(|path| path.extension().is_some_and(|end| end == "py"));
    files.sort();
    Ok(files)
}

/// Returns the module of a file. `os.path/names.py` is a part of `os.path`, `csv.py` all of `csv`;
/// `core` has no module name.
fn module_of(path: &str) -> &str {
    match path.split_once(['/', '\\']) {
        Some(("core", _)) => "",
        Some((module, _)) => module,
        None => path.trim_end_matches(".py"),
    }
}

/// Returns the names that a module's code binds. They include those of `from x import y`, but not
/// imported modules.
fn bound_names(code: &Code) -> Vec<String> {
    let mut names = Vec::new();
    for pair in code.instructions.windows(2) {
        let imports = pair[0].op == Op::ImportName;
        if matches!(pair[1].op, Op::StoreName | Op::StoreGlobal) && !imports {
            let name = code.names[pair[1].arg as usize].to_string();
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

/// Returns the fold level of a file. `# Level: methods` is included only if methods are folded, `#
/// Level: operators` only if they are not.
fn level_of(source: &str) -> &str {
    let head = source.lines().take_while(|line| line.starts_with('#'));
    let mut levels = head.filter_map(|line| line.strip_prefix("# Level: "));
    levels.next().unwrap_or_default()
}

/// Returns the lines whose operators apply to the program's values: they end in `# asked`.
fn asked_lines(source: &str) -> Vec<usize> {
    let lines = source.lines().enumerate();
    lines
        .filter(|(_, line)| line.ends_with("# asked"))
        .map(|(at, _)| at + 1)
        .collect()
}

//! Which layers of isolation are in force, which are missing and why. Only the report; the layers
//! themselves are in the sibling modules.

use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// One layer of isolation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    /// User, process, network, IPC and host-name namespaces of its own.
    Namespaces,
    /// A file tree of its own: only the interpreter's files, read-only. Needs namespaces.
    FileTree,
    /// Landlock: no writing, reading only the interpreter's files, no TCP.
    Landlock,
    /// System call filters: no process creation, signals, sockets or changes to files.
    Seccomp,
    /// Limits on CPU time, memory, file size, core files and open files.
    Limits,
    /// Addresses that are the same on every run.
    FixedAddresses,
}

impl Layer {
    /// Every layer.
    pub const ALL: [Self; 6] = [
        Self::Namespaces,
        Self::FileTree,
        Self::Landlock,
        Self::Seccomp,
        Self::Limits,
        Self::FixedAddresses,
    ];

    /// Its name in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Namespaces => "namespaces",
            Self::FileTree => "private file tree",
            Self::Landlock => "Landlock",
            Self::Seccomp => "seccomp",
            Self::Limits => "resource limits",
            Self::FixedAddresses => "fixed addresses",
        }
    }
}

/// An inactive layer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missing {
    /// Which.
    pub layer: Layer,
    /// Why.
    pub why: String,
}

/// The active layers around a pool's programs, and their Python.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Isolation {
    /// Layers in force.
    pub in_force: Vec<Layer>,
    /// Layers not in force, with the reason.
    pub missing: Vec<Missing>,
    /// The interpreter.
    pub python: PathBuf,
    /// Its version, as `3.11.7`.
    pub version: String,
}

impl Isolation {
    /// Whether a layer is in force.
    pub fn has(&self, layer: Layer) -> bool {
        self.in_force.contains(&layer)
    }

    /// Notes a layer as in force or not.
    pub(crate) fn note(&mut self, layer: Layer, result: Result<(), String>) {
        match result {
            Ok(()) => self.in_force.push(layer),
            Err(why) => self.missing.push(Missing { layer, why }),
        }
    }

    /// The minimum for running untrusted programs: seccomp, and Landlock or a private file tree.
    /// Otherwise the missing layers, with reasons.
    pub fn minimum(&self) -> Result<(), String> {
        let files = self.has(Layer::Landlock) || self.has(Layer::FileTree);
        if self.has(Layer::Seccomp) && files {
            return Ok(());
        }
        let needed = |layer| match layer {
            Layer::Seccomp => true,
            Layer::Landlock | Layer::FileTree | Layer::Namespaces => !files,
            Layer::Limits | Layer::FixedAddresses => false,
        };
        let reasons: Vec<String> = self
            .missing
            .iter()
            .filter(|m| needed(m.layer))
            .map(|m| format!("no {} ({})", m.layer.name(), m.why))
            .collect();
        if reasons.is_empty() {
            return Err("no isolation at all".to_owned());
        }
        Err(reasons.join(", "))
    }
}

impl fmt::Display for Isolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "python: {} ({})",
            self.version,
            self.python.to_string_lossy()
        )?;
        let names: Vec<&str> = self.in_force.iter().map(|l| l.name()).collect();
        let names = if names.is_empty() {
            "nothing".to_owned()
        } else {
            names.join(", ")
        };
        write!(f, "isolation in force: {names}")?;
        for missing in &self.missing {
            write!(f, "\nmissing: {}: {}", missing.layer.name(), missing.why)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(layers: &[Layer]) -> Isolation {
        let mut isolation = Isolation::default();
        for layer in Layer::ALL {
            let there = layers.contains(&layer);
            isolation.note(layer, there.then_some(()).ok_or_else(|| "off".to_owned()));
        }
        isolation
    }

    #[test]
    fn minimum_is_seccomp_and_a_guard_of_files() {
        use Layer as L;
        assert!(with(&[L::Seccomp, L::Landlock]).minimum().is_ok());
        assert!(
            with(&[L::Seccomp, L::Namespaces, L::FileTree])
                .minimum()
                .is_ok()
        );
        let why = with(&[L::Seccomp, L::Namespaces, L::Limits])
            .minimum()
            .unwrap_err();
        assert!(why.contains("no Landlock (off)") && !why.contains("seccomp"));
        let why = with(&[L::Landlock]).minimum().unwrap_err();
        assert_eq!(why, "no seccomp (off)");
    }

    #[test]
    fn display_names_what_is_missing() {
        let text = with(&[Layer::Seccomp, Layer::Landlock]).to_string();
        assert!(text.contains("in force: Landlock, seccomp"));
        assert!(text.contains("missing: private file tree: off"));
    }
}

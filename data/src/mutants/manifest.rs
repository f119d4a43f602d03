//! The manifest of a build: its settings, its results, and the hash of every file.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufWriter, Write};
use std::path::Path;

use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};

use super::BuildError;
use super::counts::{Counts, ProblemCounts};
use super::error::io;
use super::parts::replace;
use super::settings::{Corpus, Identity, Settings, Shard, Versions};
use super::store::{ShardFile, Store};
use crate::files::WholeFile;

/// Raised whenever a reader of the previous one would misread.
const FORMAT: u32 = 1;

/// A finished build's description. It holds no clock times: the same build gives the same bytes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of this form.
    pub format: u32,
    /// Influences on the records besides settings and corpus.
    pub versions: Versions,
    /// Settings.
    pub settings: Settings,
    /// The whole corpus, also where only a shard of it was built.
    pub corpus: Corpus,
    /// Which shards of the corpus it holds.
    pub shards: Vec<Shard>,
    /// Counts.
    pub counts: Counts,
    /// Files of records, in order.
    pub files: Vec<ShardFile>,
    /// Counts by problem, or by program without one.
    pub problems: BTreeMap<String, ProblemCounts>,
}

impl Manifest {
    /// Reads a manifest.
    ///
    /// # Errors
    /// If it cannot be read or is invalid.
    pub fn read(path: &Path) -> Result<Self, BuildError> {
        let bytes = fs::read(path).map_err(io(path))?;
        let damaged = |why: String| BuildError::Damaged {
            path: path.to_owned(),
            why,
        };
        let manifest: Self = serde_json::from_slice(&bytes).map_err(|e| damaged(e.to_string()))?;
        if manifest.format != FORMAT {
            let format = manifest.format;
            return Err(damaged(format!("manifest format {format}, not {FORMAT}")));
        }
        Ok(manifest)
    }

    /// The merged build, as that of one shard.
    pub(crate) fn identity(&self, shard: Shard) -> Identity {
        Identity {
            versions: self.versions.clone(),
            settings: self.settings.clone(),
            corpus: self.corpus.clone(),
            shard,
        }
    }
}

/// The parts of a manifest that do not grow with the corpus.
pub(crate) struct Head<'a> {
    pub identity: &'a Identity,
    pub shards: &'a [Shard],
    pub counts: &'a Counts,
}

impl Head<'_> {
    /// Writes the manifest with the store's shards as its files, or with one file for all of them.
    pub(super) fn write(
        &self,
        path: &Path,
        store: &Store,
        assembled: Option<&ShardFile>,
    ) -> Result<(), BuildError> {
        let failed = RefCell::new(None);
        let written = replace(path, |file| self.write_to(file, store, assembled, &failed));
        match failed.into_inner() {
            Some(error) => Err(error),
            None => written,
        }
    }

    fn write_to(
        &self,
        file: &mut WholeFile,
        store: &Store,
        assembled: Option<&ShardFile>,
        failed: &RefCell<Option<BuildError>>,
    ) -> std::io::Result<()> {
        let mut out = BufWriter::new(file);
        let mut serializer = serde_json::Serializer::pretty(&mut out);
        let identity = self.identity;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("format", &FORMAT)?;
        map.serialize_entry("versions", &identity.versions)?;
        map.serialize_entry("settings", &identity.settings)?;
        map.serialize_entry("corpus", &identity.corpus)?;
        map.serialize_entry("shards", self.shards)?;
        map.serialize_entry("counts", self.counts)?;
        match assembled {
            Some(one) => map.serialize_entry("files", std::slice::from_ref(one))?,
            None => map.serialize_entry("files", &Streamed::new(store.shards(), failed))?,
        }
        let problems = Pairs(Streamed::new(store.problems(), failed));
        map.serialize_entry("problems", &problems)?;
        SerializeMap::end(map)?;
        out.write_all(b"\n")?;
        out.flush()
    }
}

/// A sequence written as it is read, so that it is never completely in memory.
struct Streamed<'a, I> {
    items: Cell<Option<I>>,
    failed: &'a RefCell<Option<BuildError>>,
}

impl<'a, T, I: Iterator<Item = Result<T, BuildError>>> Streamed<'a, I> {
    fn new(items: I, failed: &'a RefCell<Option<BuildError>>) -> Self {
        Self {
            items: Cell::new(Some(items)),
            failed,
        }
    }

    /// The items up to the first error, which is kept.
    fn take(&self) -> impl Iterator<Item = T> {
        let items = self.items.take().into_iter().flatten();
        items.map_while(|item| {
            item.map_err(|error| *self.failed.borrow_mut() = Some(error))
                .ok()
        })
    }
}

impl<T: Serialize, I: Iterator<Item = Result<T, BuildError>>> Serialize for Streamed<'_, I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.take())
    }
}

/// The same for an object.
struct Pairs<'a, I>(Streamed<'a, I>);

impl<V, I> Serialize for Pairs<'_, I>
where
    V: Serialize,
    I: Iterator<Item = Result<(String, V), BuildError>>,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.take())
    }
}

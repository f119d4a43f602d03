//! The program's arguments, environment and project.

use std::path::Path;

use crate::machine::eval::eval_loop::broken;
use crate::machine::{Flow, Found, Machine, Run};
use crate::value::Value;

impl Machine {
    /// `_project`: returns the root and the working directory of the program's project. `None`
    /// without one.
    pub(super) fn intrinsic_project(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        let [] = arguments else {
            return Err(broken("call"));
        };
        if !self.has_project() {
            return Ok(Some(Value::None));
        }
        let given = &self.library.given;
        let (Some(root), Some(directory)) = (&given.root, &given.directory) else {
            return Ok(Some(Value::None));
        };
        let text = |path: &Path| Value::str(&path.to_string_lossy());
        let parts = vec![text(root), text(directory)];
        Ok(Some(self.heap.tuple(parts)))
    }

    /// `_search_path`: returns the part of `sys.path` after the program's directory. `None` if it
    /// is unknown.
    pub(super) fn intrinsic_search_path(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        let [] = arguments else {
            return Err(broken("call"));
        };
        let known = self.settings.finder.as_ref();
        let Some(places) = known.and_then(|finder| finder.search_path()) else {
            return Ok(Some(Value::None));
        };
        let places = places.iter();
        let places = places.map(|place| Value::str(&place.to_string_lossy()));
        let places = places.collect();
        Ok(Some(self.heap.list(places)))
    }

    /// `_project_look`: returns the names in a directory of the project, in order, or the length of
    /// a file. `None` if nothing is there.
    pub(super) fn intrinsic_project_look(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        let Some((finder, root, path)) = self.in_project(arguments)? else {
            return Ok(Some(Value::None));
        };
        let found = finder.look(&root, &path).map_err(Flow::Unsupported)?;
        Ok(Some(match found {
            None => Value::None,
            Some(Found::File(bytes)) => Value::Int(i64::try_from(bytes).unwrap_or(i64::MAX)),
            Some(Found::Directory(names)) => {
                let names = names.iter().map(|name| Value::str(name)).collect();
                self.heap.list(names)
            }
        }))
    }

    /// `_project_modified`: returns when a file of the library or of a package was modified. `None`
    /// if it is unknown.
    pub(super) fn intrinsic_project_modified(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        let Some((finder, root, path)) = self.in_project(arguments)? else {
            return Ok(Some(Value::None));
        };
        let modified = finder.modified(&root, &path);
        Ok(Some(modified.map_or(Value::None, Value::Float)))
    }

    /// `_project_bytes`: returns the contents of a file of the project.
    pub(super) fn intrinsic_project_bytes(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        let Some((finder, root, path)) = self.in_project(arguments)? else {
            return Err(broken("call"));
        };
        let bytes = finder.read(&root, &path).map_err(Flow::Unsupported)?;
        let value = Value::Bytes(bytes.into());
        self.count_bytes(&value);
        Ok(Some(value))
    }

    /// `_project_follow`: returns the target of a path after following links.
    pub(super) fn intrinsic_project_follow(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        let Some((finder, root, path)) = self.in_project(arguments)? else {
            return Err(Flow::Unsupported("links of the machine".to_owned()));
        };
        let found = finder.follow(&root, &path);
        Ok(Some(Value::str(&found.to_string_lossy())))
    }

    /// `_argv`: returns the list `sys.argv`.
    pub(super) fn intrinsic_argv(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        let [] = arguments else {
            return Err(broken("call"));
        };
        if let Some(set) = self.library.members.get("sys.argv") {
            return Ok(Some(set.clone()));
        }
        self.known_member("sys", "argv")
    }

    /// `_environment`: returns the variables given to the program, as pairs.
    pub(super) fn intrinsic_environment(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        let [] = arguments else {
            return Err(broken("call"));
        };
        let given = self.library.given.environment.clone();
        let mut pairs = Vec::with_capacity(given.len());
        for (name, value) in &given {
            let pair = vec![Value::str(name), Value::str(value)];
            pairs.push(self.heap.tuple(pair));
        }
        Ok(Some(self.heap.list(pairs)))
    }
}

//! Functions of the machine for `sys.modules` and `importlib`.

use std::path::Path;
use std::sync::Arc;

use crate::machine::eval::eval_loop::broken;
use crate::machine::project::ModuleSource;
use crate::machine::tables::modules;
use crate::machine::{After, Flow, Machine, Run};
use crate::value::{Object, Value};

impl Machine {
    /// `_place_module(name, module)`: `sys.modules[name] = module`.
    pub(super) fn intrinsic_place_module(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        match arguments {
            [Value::Str(name), module] => {
                self.place_module(name, module.clone());
                Ok(Some(Value::None))
            }
            _ => Err(broken("call")),
        }
    }

    /// `_remove_module(name)`: `del sys.modules[name]`.
    pub(super) fn intrinsic_remove_module(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        match arguments {
            [Value::Str(name)] => self.remove_module(name).map(|()| Some(Value::None)),
            _ => Err(broken("call")),
        }
    }

    /// `_new_module(name, doc)`
    pub(super) fn intrinsic_new_module(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        match arguments {
            [Value::Str(name), doc] => Ok(Some(self.made_module(name, doc.clone()))),
            _ => Err(broken("call")),
        }
    }

    /// `_is_library_name(name)`: whether the standard library may have such a module.
    pub(super) fn intrinsic_is_library_name(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        let [Value::Str(name)] = arguments else {
            return Err(Flow::Unsupported("sys.modules of that".to_string()));
        };
        let top = name.split('.').next().unwrap_or(name);
        let is_known = modules().contains_key(top) || self.is_standard(top);
        Ok(Some(Value::Bool(is_known)))
    }

    /// `_has_source(name)`: whether a module was executed from its source, like those of the
    /// program.
    pub(super) fn intrinsic_has_source(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        let loaded = match arguments {
            [Value::Str(name)] => self.library.programs.contains_key(name),
            _ => false,
        };
        Ok(Some(Value::Bool(loaded)))
    }

    /// `_source_of(name)`: returns the path of a module's source and whether it is a package.
    /// `True` if the library has it in another form, `False` if it certainly does not exist, `None`
    /// if that is unknown.
    pub(super) fn intrinsic_source_of(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        let [Value::Str(name)] = arguments else {
            return Err(broken("call"));
        };
        let top = name.split('.').next().unwrap_or(name);
        if let Some(found) = self.find(name)? {
            let path = self.path_of(&found);
            let parts = vec![Value::str(&path), Value::Bool(found.is_package)];
            return Ok(Some(self.heap.tuple(parts)));
        }
        Ok(Some(if modules().contains_key(&**name) {
            Value::Bool(true)
        } else if self.lacks(top) || self.has_project() && self.find(top)?.is_some() {
            Value::Bool(false)
        } else {
            Value::None
        }))
    }

    /// `_execute_source(module, name, path)`: executes a file in the globals of a module.
    pub(super) fn intrinsic_execute_source(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        let [module, Value::Str(name), Value::Str(path)] = arguments else {
            return Err(broken("call"));
        };
        let globals = match self.heap.object(module) {
            Some(Object::Module(key)) => self.globals_of(key),
            _ => None,
        };
        let globals = globals.ok_or_else(|| Flow::Unsupported("such a module executed".into()))?;
        let found = self.source_at(name, path)?;
        let Some(source) = found.source.clone() else {
            return Err(Flow::Unsupported(format!("{path} executed")));
        };
        let code = match self.compiled_module(&source) {
            Ok(code) => code,
            Err(error) => return Err(self.no_code(&source, path, Some(error))),
        };
        self.shows_module(&found, name, globals, false);
        let after = std::mem::replace(&mut self.after, After::Push);
        self.enter_source((&found, false), Some(source), code, globals, after);
        Ok(None)
    }

    fn path_of(&self, found: &ModuleSource) -> String {
        let root = self.library.given.root.as_deref().unwrap_or(Path::new(""));
        root.join(&*found.path).display().to_string()
    }

    /// Returns the source of a module in a file: one of the project, or that of a module of the
    /// library.
    fn source_at(&mut self, name: &str, path: &Arc<str>) -> Run<ModuleSource> {
        if let Ok(Some(found)) = self.find(name)
            && self.path_of(&found) == **path
        {
            return Ok(found);
        }
        let place = Value::Str(path.clone());
        let Some((finder, root, below)) = self.in_project(&[place])? else {
            return Err(Flow::Unsupported(format!("{path} executed")));
        };
        let bytes = finder.read(&root, &below).map_err(Flow::Unsupported)?;
        let text = String::from_utf8(bytes)
            .map_err(|_| Flow::Unsupported(format!("{path} is not UTF-8")))?;
        let below: Arc<str> = below.to_string_lossy().into();
        Ok(ModuleSource {
            path: below.clone(),
            source: Some(text.into()),
            is_package: false,
            name: below,
            is_hidden: false,
        })
    }
}

//! `sys.modules` if the program changes it, modules that the program makes, and the manual steps of
//! `importlib`.

use std::sync::Arc;

use super::project::{Importing, ModuleSource};
use super::starts::code_of_module;
use super::{After, Flow, Machine, Run};
use crate::code::Code;
use crate::compile::CompileError;
use crate::machine::calls::call::Keywords;
use crate::value::{DictKind, Entries, Object, ObjectId, Value};

/// Number of finders in `sys.meta_path` at the start.
const OWN_FINDERS: usize = 3;

/// Returns the name that a module shows. The rest of a key distinguishes modules that the program
/// made.
pub(super) fn module_name(key: &str) -> &str {
    key.split('\0').next().unwrap_or(key)
}

impl Machine {
    /// Returns the globals of the object that `sys.modules` has under a name, if it is a module of
    /// the program.
    pub(super) fn globals_at(&self, name: &str) -> Option<ObjectId> {
        match self.library.placed.get(name) {
            None => self.globals_of(name),
            Some(placed) => match self.heap.object(placed) {
                Some(Object::Module(key)) => self.globals_of(key),
                _ => None,
            },
        }
    }

    /// Whether the program has put an object into `sys.modules` that is not a module. It may have
    /// any submodule.
    pub(super) fn is_placed_package(&self, name: &str) -> bool {
        let placed = self.library.placed.get(name);
        placed.is_some_and(|placed| !matches!(self.heap.object(placed), Some(Object::Module(_))))
    }

    /// `ModuleType(name, doc)`
    pub(super) fn made_module(&mut self, name: &str, doc: Value) -> Value {
        let empty = Object::Dict(Entries::default(), DictKind::Plain);
        let globals = self.heap.add(empty);
        self.set_name(globals, "__name__", Value::str(name));
        self.set_name(globals, "__doc__", doc);
        for unset in ["__package__", "__loader__", "__spec__"] {
            self.set_name(globals, unset, Value::None);
        }
        let key = self.another_key(name);
        self.library.programs.insert(key.clone(), globals);
        self.module(&key)
    }

    fn another_key(&mut self, name: &str) -> Arc<str> {
        self.library.made += 1;
        format!("{name}\0{}", self.library.made).into()
    }

    /// Gives a module its own key because `sys.modules` no longer has it under its name. Returns
    /// whether it was one of the program.
    pub(super) fn detach(&mut self, name: &Arc<str>) -> bool {
        let Some(globals) = self.library.programs.remove(name) else {
            return false;
        };
        let key = self.another_key(name);
        if let Some(id) = self.runtime.modules.remove(name) {
            if let Object::Module(own) = self.heap.get_mut(id) {
                *own = key.clone();
            }
            self.runtime.modules.insert(key.clone(), id);
        }
        self.library.programs.insert(key, globals);
        true
    }

    /// `sys.modules[name] = module`
    pub(super) fn place_module(&mut self, name: &Arc<str>, module: Value) {
        let is_own = matches!(self.heap.object(&module), Some(Object::Module(key)) if key == name);
        if is_own {
            self.library.placed.remove(name);
            return;
        }
        self.detach(name);
        self.library.placed.insert(name.clone(), module);
    }

    /// `del sys.modules[name]`
    pub(super) fn remove_module(&mut self, name: &Arc<str>) -> Run<()> {
        let was_placed = self.library.placed.remove(name).is_some();
        match self.detach(name) || was_placed {
            true => Ok(()),
            false => Err(Flow::Unsupported(
                "a module of the library deleted from sys.modules".to_string(),
            )),
        }
    }

    /// Whether the program has added finders to `sys.meta_path`.
    pub(super) fn has_finders(&self) -> bool {
        self.finders()
            .is_some_and(|finders| finders.len() > OWN_FINDERS)
    }

    fn finders(&self) -> Option<&[Value]> {
        let finders = self.bound_name("sys", "meta_path")?;
        match self.heap.get(finders.id()?) {
            Object::List(items) => Some(items),
            _ => None,
        }
    }

    /// Ends planning at a finder before those of the interpreter, which would be asked for each
    /// module.
    pub(super) fn refuse_first_finder(&self) -> Run<()> {
        let is_other = |finder: &Value| match self.heap.object(finder) {
            Some(Object::Class(class)) => &*class.name != "BuiltinImporter",
            _ => true,
        };
        match self
            .finders()
            .and_then(<[Value]>::first)
            .is_some_and(is_other)
        {
            true => Err(Flow::Unsupported(
                "a finder in front of sys.meta_path".to_string(),
            )),
            false => Ok(()),
        }
    }

    /// Asks the program's finders for a module. The import continues after that.
    pub(super) fn ask_finders(
        &mut self,
        module: &str,
        target: Arc<str>,
        names: Option<Vec<Arc<str>>>,
        after: After,
    ) -> Run<()> {
        let parent = module.rsplit_once('.').map_or("", |(parent, _)| parent);
        let path = match self.globals_at(parent) {
            Some(globals) => self.get_name(globals, &"__path__".into()),
            None => None,
        };
        let ask = self.library_value("importlib.util", "_load_by_finders")?;
        let arguments = vec![Value::str(module), path.unwrap_or(Value::None)];
        let importing = Importing {
            module: module.into(),
            target,
            names,
            after: Box::new(after),
        };
        self.importing(true);
        self.call(
            ask,
            arguments,
            Vec::new(),
            After::Import(Box::new(importing)),
        )
    }

    /// Delivers the value of an import. An object that is not a module is asked for the attributes
    /// that `importlib` reads, if the program sees that.
    pub(super) fn deliver_module(
        &mut self,
        value: Value,
        names: Option<Vec<Arc<str>>>,
        after: After,
    ) -> Run<()> {
        if self.special(&value, "__getattr__").is_none() {
            return self.deliver(value, after);
        }
        let names = match names {
            None => Value::None,
            Some(names) => {
                let names = names.into_iter().map(Value::Str).collect();
                self.heap.tuple(names)
            }
        };
        let asked = self.library_value("importlib.util", "_imported_object")?;
        self.call(asked, vec![value, names], Vec::new(), after)
    }

    /// Whether globals are those of a module that was imported from a file.
    pub(super) fn is_walked_module(&self, globals: ObjectId) -> bool {
        self.stacks.module != Some(globals)
            && self.get_name(globals, &"__file__".into()).is_some()
            && self.settings.fold.methods()
    }

    /// Returns the call that makes `__spec__` and `__loader__` of a module, and returns one of
    /// them.
    pub(super) fn spec_call(&mut self, globals: ObjectId, name: &str) -> Run<Flow> {
        let make = self.library_value("importlib.util", "_spec_of")?;
        Ok(Flow::Call(
            make,
            vec![Value::Object(globals), Value::str(name)],
        ))
    }

    /// Returns the code of a module.
    pub(super) fn compiled_module(&self, source: &Arc<str>) -> Result<Arc<Code>, CompileError> {
        match &self.settings.starts {
            Some(starts) => starts.code(source),
            None => code_of_module(source).map(Arc::new),
        }
    }

    /// Records whether traces show a module.
    pub(super) fn shows_module(
        &mut self,
        found: &ModuleSource,
        module: &Arc<str>,
        globals: ObjectId,
        is_entry: bool,
    ) {
        self.heap.own_modules.insert(module.clone());
        if found.is_hidden && !is_entry {
            self.heap.hidden_modules.insert(module.clone());
            self.library.hidden.insert(globals, found.name.clone());
        }
    }

    /// Enters the frame that executes a module, which may be the program.
    pub(super) fn enter_source(
        &mut self,
        (found, is_entry): (&ModuleSource, bool),
        source: Option<Arc<str>>,
        code: Arc<Code>,
        globals: ObjectId,
        after: After,
    ) {
        let file = match is_entry || found.is_hidden {
            true => 0,
            false => {
                // A checker has the texts.
                let with_text = self.record.raises.is_none();
                let text = found.source.as_deref().filter(|_| with_text);
                self.library.number_of(&found.name, text)
            }
        };
        if let (Some(_), Some(source)) = (&self.record.raises, source) {
            self.library.texts.insert(globals, source);
        }
        self.library.file_of.insert(globals, file);
        let frame = self.frame(code, globals, Some(globals), after, true);
        self.push_frame(frame);
    }

    /// `del module.name`: returns whether the module had it.
    pub(super) fn delete_member(&mut self, module: &str, name: &Arc<str>) -> Run<bool> {
        if let Some(globals) = self.globals_of(module) {
            return Ok(self.delete_name(globals, name));
        }
        let dotted = format!("{module}.{name}");
        if self.library.members.remove(dotted.as_str()).is_some()
            && self.known_member(module, name)?.is_none()
        {
            return Ok(true);
        }
        Err(Flow::Unsupported(format!("{dotted} deleted")))
    }

    /// `__import__(name)` and `importlib.import_module(name)`. `None` if it is another function;
    /// `Some(None)` if a module is executed first.
    pub(super) fn import_call(
        &mut self,
        name: &str,
        arguments: &[Value],
        keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        if let ("importlib.import_module", [Value::Str(module)]) = (name, arguments)
            && !module.starts_with('.')
        {
            let after = self.after.clone();
            if self
                .import_source(module, Some(Vec::new()), after)?
                .is_some()
            {
                return Ok(Some(None));
            }
            return self.import(module, true).map(|module| Some(Some(module)));
        }
        let ("__import__", [Value::Str(module), places @ ..]) = (name, arguments) else {
            return Ok(None);
        };
        let named = keywords.iter().find(|(name, _)| &**name == "fromlist");
        let list = named.map(|(_, list)| list).or(places.get(2));
        let names = list.and_then(|list| self.names_in(list));
        let names = names.filter(|names| !names.is_empty());
        let from = names.is_some();
        let after = self.after.clone();
        if self.import_source(module, names, after)?.is_some() {
            return Ok(Some(None));
        }
        self.import(module, from).map(|module| Some(Some(module)))
    }
}

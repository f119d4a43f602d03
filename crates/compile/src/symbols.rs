//! Which names are local, global, cells or free: CPython's symbol table.
//!
//! `symbols_visit` collects the uses of names; this module determines the kind of each.

use std::collections::HashSet;

use indexmap::IndexMap;

use super::CompileError;
use super::ast::{CompKind, Loc, Name, ScopeId};

pub(super) const GLOBAL: u16 = 1;
pub(super) const LOCAL: u16 = 2;
pub(super) const PARAM: u16 = 4;
pub(super) const NONLOCAL: u16 = 8;
pub(super) const USE: u16 = 16;
pub(super) const IMPORT: u16 = 32;
pub(super) const ANNOT: u16 = 64;
pub(super) const COMP_ITER: u16 = 128;
const FREE_CLASS: u16 = 256;
const BOUND: u16 = LOCAL | PARAM | IMPORT;

/// The kind of a name in a scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Unknown,
    Local,
    GlobalExplicit,
    GlobalImplicit,
    Free,
    Cell,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Symbol {
    pub flags: u16,
    pub kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ScopeKind {
    Module,
    Class,
    Function,
}

/// A scope and its names.
#[derive(Debug)]
pub(super) struct Scope {
    pub kind: ScopeKind,
    pub symbols: IndexMap<Name, Symbol>,
    /// Parameters, in the order of `co_varnames`.
    pub params: Vec<Name>,
    pub children: Vec<ScopeId>,
    pub nested: bool,
    pub generator: bool,
    pub coroutine: bool,
    pub varargs: bool,
    pub varkeywords: bool,
    pub needs_class_closure: bool,
    pub comprehension: Option<CompKind>,
    pub comp_iter_target: bool,
    pub comp_iter_expr: u32,
    /// Where `global` and `nonlocal` name something.
    pub directives: Vec<(Name, Loc)>,
    /// Whether the module is a function body that was cut out: `nonlocal` may then name its bindings.
    pub is_in_body: bool,
}

impl Scope {
    pub(crate) fn new(kind: ScopeKind) -> Self {
        Scope {
            kind,
            symbols: IndexMap::new(),
            params: Vec::new(),
            children: Vec::new(),
            nested: false,
            generator: false,
            coroutine: false,
            varargs: false,
            varkeywords: false,
            needs_class_closure: false,
            comprehension: None,
            comp_iter_target: false,
            comp_iter_expr: 0,
            directives: Vec::new(),
            is_in_body: false,
        }
    }

    /// The kind of a name here.
    pub(crate) fn kind_of(&self, name: &str) -> Kind {
        self.symbols
            .get(name)
            .map_or(Kind::Unknown, |symbol| symbol.kind)
    }

    /// Its cells, sorted.
    pub(crate) fn cells(&self) -> Vec<Name> {
        self.names(|symbol| symbol.kind == Kind::Cell)
    }

    /// Its free names, sorted; with names of a class body that methods take from further out.
    pub(crate) fn frees(&self) -> Vec<Name> {
        self.names(|symbol| symbol.kind == Kind::Free || symbol.flags & FREE_CLASS != 0)
    }

    fn names(&self, wanted: impl Fn(&Symbol) -> bool) -> Vec<Name> {
        let chosen = self.symbols.iter().filter(|(_, symbol)| wanted(symbol));
        let mut names: Vec<Name> = chosen.map(|(name, _)| name.clone()).collect();
        names.sort();
        names
    }

    fn error(&self, name: &str, message: String) -> CompileError {
        let place = self
            .directives
            .iter()
            .find(|(directive, _)| **directive == *name);
        CompileError::at(
            place.map_or(Loc { line: 0, col: 0 }, |(_, loc)| *loc),
            message,
        )
    }
}

type Names = HashSet<Name>;

/// Decides the kind of each name of each scope.
pub(super) fn analyze(scopes: &mut [Scope]) -> Result<(), CompileError> {
    let (mut free, mut global) = (Names::new(), Names::new());
    analyze_scope(scopes, 0, None, &mut free, &mut global)
}

fn analyze_scope(
    scopes: &mut [Scope],
    id: ScopeId,
    mut bound: Option<&mut Names>,
    free: &mut Names,
    global: &mut Names,
) -> Result<(), CompileError> {
    let mut local = Names::new();
    let mut new_global = Names::new();
    let mut new_bound = Names::new();
    let is_class = scopes[id].kind == ScopeKind::Class;
    let is_function = scopes[id].kind == ScopeKind::Function;
    if is_class {
        new_global.extend(global.iter().cloned());
        if let Some(bound) = &bound {
            new_bound.extend(bound.iter().cloned());
        }
    }
    let mut kinds = Vec::with_capacity(scopes[id].symbols.len());
    for (name, symbol) in &scopes[id].symbols {
        let kind = analyze_name(
            &scopes[id],
            name,
            symbol.flags,
            bound.as_deref_mut(),
            &mut local,
            free,
            global,
        )?;
        kinds.push(kind);
    }
    if is_class {
        new_bound.insert("__class__".into());
    } else {
        if is_function {
            new_bound.extend(local.iter().cloned());
        }
        if let Some(bound) = &bound {
            new_bound.extend(bound.iter().cloned());
        }
        new_global.extend(global.iter().cloned());
    }
    let mut new_free = Names::new();
    for child in scopes[id].children.clone() {
        let mut child_bound = new_bound.clone();
        let mut child_free = Names::new();
        let mut child_global = new_global.clone();
        analyze_scope(
            scopes,
            child,
            Some(&mut child_bound),
            &mut child_free,
            &mut child_global,
        )?;
        new_free.extend(child_free);
    }
    let scope = &mut scopes[id];
    if is_function {
        for (kind, name) in kinds.iter_mut().zip(scope.symbols.keys()) {
            if *kind == Kind::Local && new_free.remove(name) {
                *kind = Kind::Cell;
            }
        }
    } else if is_class && new_free.remove("__class__") {
        scope.needs_class_closure = true;
    }
    for (symbol, kind) in scope.symbols.values_mut().zip(kinds) {
        symbol.kind = kind;
    }
    for name in &new_free {
        if let Some(symbol) = scope.symbols.get_mut(name) {
            if is_class && symbol.flags & (BOUND | GLOBAL) != 0 {
                symbol.flags |= FREE_CLASS;
            }
        } else if bound.as_ref().is_none_or(|bound| bound.contains(name)) {
            scope.symbols.insert(
                name.clone(),
                Symbol {
                    flags: 0,
                    kind: Kind::Free,
                },
            );
        }
    }
    free.extend(new_free);
    Ok(())
}

fn analyze_name(
    scope: &Scope,
    name: &Name,
    flags: u16,
    bound: Option<&mut Names>,
    local: &mut Names,
    free: &mut Names,
    global: &mut Names,
) -> Result<Kind, CompileError> {
    if flags & GLOBAL != 0 {
        if flags & NONLOCAL != 0 {
            return Err(scope.error(name, format!("name '{name}' is nonlocal and global")));
        }
        global.insert(name.clone());
        if let Some(bound) = bound {
            bound.remove(name);
        }
        return Ok(Kind::GlobalExplicit);
    }
    if flags & NONLOCAL != 0 && !(scope.is_in_body && bound.is_none()) {
        let Some(bound) = bound else {
            let message = "nonlocal declaration not allowed at module level".to_string();
            return Err(scope.error(name, message));
        };
        if !bound.contains(name) && scope.is_in_body {
            global.insert(name.clone());
            return Ok(Kind::GlobalExplicit);
        }
        if !bound.contains(name) {
            return Err(scope.error(name, format!("no binding for nonlocal '{name}' found")));
        }
        free.insert(name.clone());
        return Ok(Kind::Free);
    }
    if flags & BOUND != 0 {
        local.insert(name.clone());
        global.remove(name);
        return Ok(Kind::Local);
    }
    if bound.is_some_and(|bound| bound.contains(name)) {
        free.insert(name.clone());
        return Ok(Kind::Free);
    }
    Ok(Kind::GlobalImplicit)
}

/// The name as the class's body stores it: `__x` becomes `_Class__x`.
pub(super) fn mangle(class: Option<&str>, name: &Name) -> Name {
    let Some(class) = class else {
        return name.clone();
    };
    if !name.starts_with("__") || name.ends_with("__") || name.contains('.') {
        return name.clone();
    }
    let class = class.trim_start_matches('_');
    if class.is_empty() {
        return name.clone();
    }
    format!("_{class}{name}").into()
}

//! Calls of functions that a program only defines, appended as lines so that guided execution
//! reaches the function bodies. Arguments are unbound names: their values are injected when the
//! lines run.

use std::ops::Range;

use super::ParseError;
use super::scopes::Scope;
use super::syntax::{children, is_field, line, text, with_tree};
use super::tree::Node;

/// A function or method whose name is never read, and a call of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Uncalled {
    /// Its name; for a method with the class: `Stack.push`.
    pub name: String,
    /// Line of the definition, from 1.
    pub line: u32,
    /// The text of the definition; for a method, of the class.
    pub definition: Range<usize>,
    /// Statements that call it, one per line; for a method, they first make an instance. A context
    /// manager is entered. Arguments are the names of the parameters.
    pub call: String,
    /// The argument names, each with its annotation.
    pub arguments: Vec<(String, Option<String>)>,
}

/// A program with calls appended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WithCalls {
    /// The whole text.
    pub text: String,
    /// The byte offset of the first call.
    pub behind: usize,
}

/// Appends a call of each function and method whose name the program never reads. An exception of a
/// call is bound to a name, and the next call runs. `None` if there is nothing to call.
///
/// # Errors
/// If the program is nested too deeply.
pub fn with_calls(source: &str) -> Result<Option<WithCalls>, ParseError> {
    let mut calls: Vec<String> = Vec::new();
    for one in uncalled(source)? {
        // Methods of a class share one instance.
        for line in one.call.lines() {
            let call = guarded(line, &one.name);
            if !calls.contains(&call) {
                calls.push(call);
            }
        }
    }
    if calls.is_empty() {
        return Ok(None);
    }
    let end = if source.ends_with('\n') { "" } else { "\n" };
    Ok(Some(WithCalls {
        text: format!("{source}{end}{}", calls.concat()),
        behind: source.len() + end.len(),
    }))
}

/// Wraps a statement so that its exception is bound to a name.
fn guarded(statement: &str, name: &str) -> String {
    let of = match statement.split_once(" = ") {
        Some((made, _)) if made.starts_with("made_") => made.to_owned(),
        _ => name.replace('.', "_"),
    };
    // A compound statement needs a line of its own.
    let body = match statement.ends_with(": pass") {
        true => format!("\n    {statement}"),
        false => format!(" {statement}"),
    };
    format!("try:{body}\nexcept Exception as error: error_of_{of} = repr(error)\n")
}

/// Returns the functions and methods whose names are never read, each with a call.
///
/// # Errors
/// If the program is nested too deeply.
pub fn uncalled(source: &str) -> Result<Vec<Uncalled>, ParseError> {
    with_tree(source, |tree| {
        let root = tree.root_node();
        let mut found = Vec::new();
        for definition in definitions(root) {
            let name = name_of(definition, source);
            match definition.kind() {
                "function_definition" if !is_named(root, definition, source) => {
                    let (made, arguments) = call_of(definition, source, name, 0);
                    let entered = enters(&decorators(definition, source));
                    found.push(Uncalled {
                        name: name.to_owned(),
                        line: line(definition),
                        definition: definition.byte_range(),
                        call: statement(name, &made, entered),
                        arguments,
                    });
                }
                "class_definition" => found.extend(uncalled_of_class(root, definition, source)),
                _ => {}
            }
        }
        Ok(found)
    })
}

/// Whether a program only defines functions or classes.
pub fn only_defines(source: &str) -> bool {
    with_tree(source, |tree| {
        let statements = children(tree.root_node());
        let defines = |s: &Node<'_>| definition_of(*s).is_some();
        let passive = |s: &Node<'_>| {
            let text = || s.named_child(0).map(|n| n.kind());
            s.kind().starts_with("import")
                || s.kind() == "future_import_statement"
                || s.kind() == "expression_statement" && text() == Some("string")
        };
        let all = statements.iter().all(|s| defines(s) || passive(s));
        Ok(all && statements.iter().any(defines))
    })
    .unwrap_or_default()
}

/// Functions and classes that the statements of a block define.
fn definitions(block: Node<'_>) -> Vec<Node<'_>> {
    children(block)
        .into_iter()
        .filter_map(definition_of)
        .collect()
}

fn definition_of(statement: Node<'_>) -> Option<Node<'_>> {
    match statement.kind() {
        "function_definition" | "class_definition" => Some(statement),
        "decorated_definition" => statement.child_by_field_name("definition"),
        _ => None,
    }
}

fn name_of<'s>(definition: Node<'_>, source: &'s str) -> &'s str {
    definition
        .child_by_field_name("name")
        .map_or("", |n| text(n, source))
}

/// Whether anything outside the definition of a function or class reads its name. A local variable
/// with the same name, an attribute, or the name of a keyword argument does not count.
fn is_named(root: Node<'_>, definition: Node<'_>, source: &str) -> bool {
    let name = name_of(definition, source);
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        if node.id() == definition.id() {
            continue;
        }
        if node.kind() == "identifier" && text(node, source) == name && !is_part_of(node) {
            return true;
        }
        let is_function = matches!(node.kind(), "function_definition" | "lambda");
        if is_function && Scope::of(node, source).binds(name) {
            // Decorators are outside of it, and defaults are evaluated before the call.
            open.extend(node.child_by_field_name("parameters"));
            continue;
        }
        open.extend(children(node));
    }
    false
}

/// Whether an identifier is the name of an attribute or of a keyword argument.
fn is_part_of(node: Node<'_>) -> bool {
    node.parent().is_some_and(|parent| {
        parent.kind() == "attribute" && is_field(node, parent, "attribute")
            || parent.kind() == "keyword_argument" && is_field(node, parent, "name")
    })
}

/// Whether anything outside the definition of a method reads its name: as an attribute, except of
/// an imported name, or as a name in the body of its class.
fn is_method_named(root: Node<'_>, class: Node<'_>, method: Node<'_>, source: &str) -> bool {
    let name = name_of(method, source);
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        if node.id() == method.id() {
            continue;
        }
        if node.kind() == "identifier" && text(node, source) == name {
            let parent = node.parent();
            let attribute =
                parent.filter(|one| one.kind() == "attribute" && is_field(node, *one, "attribute"));
            let counts = match attribute {
                Some(attribute) => !is_of_import(root, attribute, source),
                None => is_in_class_body(node, class),
            };
            if counts {
                return true;
            }
        }
        open.extend(children(node));
    }
    false
}

/// Whether the object of an attribute is a name that a top-level import binds: `plt.show`.
fn is_of_import(root: Node<'_>, attribute: Node<'_>, source: &str) -> bool {
    let object = attribute
        .child_by_field_name("object")
        .filter(|object| object.kind() == "identifier");
    object.is_some_and(|object| {
        let name = text(object, source);
        let imports = children(root).into_iter();
        let mut imports = imports.filter(|s| s.kind().starts_with("import"));
        imports.any(|statement| {
            let names = children(statement).into_iter();
            names
                .skip(usize::from(statement.kind() == "import_from_statement"))
                .any(|one| {
                    let alias = one.child_by_field_name("alias");
                    let bound = alias.unwrap_or(one);
                    text(bound, source).split('.').next() == Some(name)
                })
        })
    })
}

/// Whether a node is directly in the body of a class, not in one of its functions.
fn is_in_class_body(node: Node<'_>, class: Node<'_>) -> bool {
    let mut at = node;
    while let Some(parent) = at.parent() {
        if parent.id() == class.id() {
            return true;
        }
        if matches!(parent.kind(), "function_definition" | "lambda") {
            return false;
        }
        at = parent;
    }
    false
}

/// Returns an instance, and a call of each method whose name is never read.
fn uncalled_of_class(root: Node<'_>, class: Node<'_>, source: &str) -> Vec<Uncalled> {
    let name = name_of(class, source);
    let body = class.child_by_field_name("body");
    let methods = body.map(definitions).unwrap_or_default();
    let methods = methods
        .into_iter()
        .filter(|m| m.kind() == "function_definition");
    let (own, others): (Vec<_>, Vec<_>) =
        methods.partition(|m| name_of(*m, source).starts_with("__"));
    let others: Vec<_> = others
        .into_iter()
        .filter(|m| !is_method_named(root, class, *m, source))
        .collect();
    let made = own.iter().find(|m| name_of(**m, source) == "__init__");
    if others.is_empty() && (made.is_none() || is_named(root, class, source)) {
        return Vec::new();
    }
    let (instance, of_instance) = made.map_or_else(
        || (format!("{name}()"), Vec::new()),
        |init| call_of(*init, source, name, 1),
    );
    let instance = format!("made_{name} = {instance}\n");
    let uncalled = |name: String, at: Node<'_>, call: String, arguments| Uncalled {
        name,
        line: line(at),
        definition: class.byte_range(),
        call,
        arguments,
    };
    if others.is_empty() {
        let at = made.copied().unwrap_or(class);
        return vec![uncalled(name.to_owned(), at, instance, of_instance)];
    }
    let own_name = made.and_then(|init| first_parameter(*init, source));
    let mut found = Vec::new();
    for method in others {
        let decorators = decorators(method, source);
        let called = name_of(method, source);
        let at = format!("made_{name}.{called}");
        let (made, arguments) = match decorators.as_slice() {
            names if names.iter().any(|d| d.ends_with("property")) => (at, Vec::new()),
            // Belongs to a property that is handled above.
            names if names.iter().any(|d| d.ends_with("setter")) => continue,
            names if names.contains(&"staticmethod") => call_of(method, source, &at, 0),
            // It is called on its class: `Plane.corners(rect)`.
            [] if !takes_instance(method, source, own_name) => {
                let entered = enters(&decorators);
                let at = format!("{name}.{called}");
                let (made, arguments) = call_of(method, source, &at, 0);
                let call = statement(&format!("{name}_{called}"), &made, entered);
                found.push(uncalled(at, method, call, arguments));
                continue;
            }
            _ => call_of(method, source, &at, 1),
        };
        let entered = enters(&decorators);
        let call = statement(&format!("{name}_{called}"), &made, entered);
        let call = format!("{instance}{call}");
        let mut all = of_instance.clone();
        all.extend(arguments);
        found.push(uncalled(format!("{name}.{called}"), method, call, all));
    }
    found
}

/// The name of a function's first parameter, if it has one without a default.
fn first_parameter<'s>(function: Node<'_>, source: &'s str) -> Option<&'s str> {
    let parameters = function.child_by_field_name("parameters").map(children)?;
    let first = parameters
        .into_iter()
        .find(|node| node.kind() != "comment")?;
    let inner = match first.kind() {
        "typed_parameter" => first.named_child(0)?,
        _ => first,
    };
    Some(text(inner, source))
}

/// Whether the first parameter of an undecorated method has the same name as that of `__init__`
/// (`own`), or a usual name of an instance.
fn takes_instance(method: Node<'_>, source: &str, own: Option<&str>) -> bool {
    let first = first_parameter(method, source);
    first.is_some_and(|first| {
        first == own.unwrap_or("self") || INSTANCES.contains(&first) || first.starts_with('*')
    })
}

/// Usual names of the instance in methods.
const INSTANCES: [&str; 8] = ["self", "cls", "this", "_self", "slf", "me", "s", "_"];

/// The statement that enters the result of a function, if a decorator makes it a context manager.
fn enters(decorators: &[&str]) -> Option<&'static str> {
    decorators.iter().find_map(
        |decorator| match decorator.rsplit('.').next().unwrap_or_default() {
            "contextmanager" => Some("with"),
            "asynccontextmanager" => Some("async with"),
            _ => None,
        },
    )
}

/// Returns the statement that calls a function.
fn statement(name: &str, call: &str, entered: Option<&str>) -> String {
    match entered {
        Some(enter) => {
            let inner = call.strip_prefix("list(").and_then(|c| c.strip_suffix(')'));
            format!("{enter} {}: pass\n", inner.unwrap_or(call))
        }
        None => format!("result_of_{name} = {call}\n"),
    }
}

fn decorators<'s>(definition: Node<'_>, source: &'s str) -> Vec<&'s str> {
    let around = definition
        .parent()
        .filter(|p| p.kind() == "decorated_definition");
    let found = around.map(children).unwrap_or_default();
    let found = found.into_iter().filter(|d| d.kind() == "decorator");
    found
        .map(|d| text(d, source).trim_start_matches('@').trim())
        .collect()
}

/// A parameter that needs a value, and its annotation.
type Argument = (String, Option<String>);

/// Returns a call with the parameters that have no default, except the first `bound`.
fn call_of(
    function: Node<'_>,
    source: &str,
    called: &str,
    bound: usize,
) -> (String, Vec<Argument>) {
    let parameters = function.child_by_field_name("parameters").map(children);
    let (mut arguments, mut by_name, mut at) = (Vec::new(), false, 0);
    let mut given = Vec::new();
    for parameter in parameters.unwrap_or_default() {
        let inner = match parameter.kind() {
            "typed_parameter" => parameter.named_child(0).unwrap_or(parameter),
            _ => parameter,
        };
        match inner.kind() {
            "keyword_separator" | "list_splat_pattern" => by_name = true,
            "identifier" => {
                let name = text(inner, source);
                if at >= bound {
                    let annotation = parameter.child_by_field_name("type");
                    let annotation = annotation.map(|node| text(node, source).to_owned());
                    given.push((name.to_owned(), annotation));
                }
                if at >= bound && by_name {
                    arguments.push(format!("{name}={name}"));
                } else if at >= bound {
                    arguments.push(name.to_owned());
                }
                at += 1;
            }
            _ => {}
        }
    }
    let call = format!("{called}({})", arguments.join(", "));
    let is_async = function.children().any(|c| c.kind() == "async");
    let call = match (is_async, yields(function)) {
        (true, false) => format!("await {call}"),
        (false, true) => format!("list({call})"),
        _ => call,
    };
    (call, given)
}

fn yields(function: Node<'_>) -> bool {
    let mut open: Vec<_> = function
        .child_by_field_name("body")
        .map(children)
        .unwrap_or_default();
    while let Some(node) = open.pop() {
        match node.kind() {
            "yield" => return true,
            "function_definition" | "class_definition" | "lambda" => {}
            _ => open.extend(children(node)),
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls(source: &str) -> String {
        let found = uncalled(source).unwrap().into_iter();
        let mut calls: Vec<String> = Vec::new();
        for line in found.flat_map(|one| one.call.lines().map(str::to_owned).collect::<Vec<_>>()) {
            if !calls.contains(&line) {
                calls.push(line);
            }
        }
        calls.iter().map(|call| format!("{call}\n")).collect()
    }

    #[test]
    fn what_a_call_raises_is_bound_and_the_next_is_called() {
        let source = "def f(a):\n    raise a\n@contextmanager\ndef g():\n    yield 1";
        let found = with_calls(source).unwrap().unwrap();
        let want = "\
try: result_of_f = f(a)
except Exception as error: error_of_f = repr(error)
try:
    with g(): pass
except Exception as error: error_of_g = repr(error)
";
        assert_eq!(&found.text[found.behind..], want);
        assert_eq!(&found.text[..found.behind], format!("{source}\n"));
        assert_eq!(with_calls("x = 1\n").unwrap(), None);
    }

    #[test]
    fn functions_are_called_that_nothing_names() {
        let source = "import re\ndef f(a, b: int, c=1, *d, e, **g):\n    return a\n";
        assert_eq!(calls(source), "result_of_f = f(a, b, e=e)\n");
        assert_eq!(calls("def f(a):\n    return a\nprint(f(1))\n"), "");
        let one = "def f(a):\n    return g(a)\ndef g(a):\n    return a\nX = 3\n";
        assert_eq!(calls(one), "result_of_f = f(a)\n");
        let own = "def f(n):\n    return f(n - 1)\n";
        assert_eq!(calls(own), "result_of_f = f(n)\n");
        let kinds = "async def f(a):\n    pass\ndef g(a):\n    yield a\n";
        let want = "result_of_f = await f(a)\nresult_of_g = list(g(a))\n";
        assert_eq!(calls(kinds), want);
        let entered = "import contextlib\nclass A:\n    @contextlib.contextmanager\n    def f(self):\n        yield 1\n";
        assert_eq!(calls(entered), "made_A = A()\nwith made_A.f(): pass\n");
    }

    /// Only a read of the function itself counts.
    #[test]
    fn variables_attributes_and_keywords_of_the_same_name_name_nothing() {
        let source = "import plt\ndef show():\n    pass\ndef f():\n    show = 1\n    plt.show()\n    plt.draw(show=show)\n";
        let want = "result_of_show = show()\nresult_of_f = f()\n";
        assert_eq!(calls(source), want);
        let named = "def g():\n    pass\ndef f(a=g):\n    g = 1\n";
        assert_eq!(calls(named), "result_of_f = f()\n");
        let method = "import plt\nclass A:\n    def show(self):\n        pass\n    def f(self, show):\n        plt.show()\n";
        let want =
            "made_A = A()\nresult_of_A_show = made_A.show()\nresult_of_A_f = made_A.f(show)\n";
        assert_eq!(calls(method), want);
        let used = "class A:\n    def get(self):\n        pass\n    value = property(get)\n    def f(self):\n        pass\na.f()\n";
        assert_eq!(calls(used), "");
    }

    #[test]
    fn methods_are_called_of_an_instance() {
        let source = "\
class Stack:
    def __init__(self, limit):
        self.items = []
    def push(self, x):
        self.items.append(x)
    @property
    def size(self):
        return len(self.items)
    @staticmethod
    def of(xs):
        return xs
";
        let want = "\
made_Stack = Stack(limit)
result_of_Stack_push = made_Stack.push(x)
result_of_Stack_size = made_Stack.size
result_of_Stack_of = made_Stack.of(xs)
";
        assert_eq!(calls(source), want);
    }

    /// A function without an instance parameter is called on its class.
    #[test]
    fn functions_in_a_class_are_called_through_it() {
        let source = "\
class Plane:
    def corners(rect):
        return rect
    def none():
        return 1
    def show(self, window):
        pass
";
        let want = "\
result_of_Plane_corners = Plane.corners(rect)
result_of_Plane_none = Plane.none()
made_Plane = Plane()
result_of_Plane_show = made_Plane.show(window)
";
        assert_eq!(calls(source), want);
    }

    #[test]
    fn arguments_are_named_with_their_annotations() {
        let source = "class A:\n    def __init__(self, n: int): pass\n    def f(self, xs: list[str], y): pass\n";
        let found = uncalled(source).unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].name.as_str(), found[0].line), ("A.f", 3));
        assert_eq!(
            found[0].call,
            "made_A = A(n)\nresult_of_A_f = made_A.f(xs, y)\n"
        );
        let text = |t: &str| Some(t.to_owned());
        let want = [("n", text("int")), ("xs", text("list[str]")), ("y", None)];
        let want = want.map(|(name, annotation)| (name.to_owned(), annotation));
        assert_eq!(found[0].arguments, want);
    }

    #[test]
    fn a_file_of_functions_is_one() {
        assert!(only_defines("'''text'''\nimport re\n@d\ndef f(): pass\n"));
        assert!(!only_defines("import re\n"));
        assert!(!only_defines("def f(): pass\nf()\n"));
    }
}

//! Unknown modules: planning continues with their values until one would decide something.

use codexec_plan::machine::{Machine, Settings, Status};
use codexec_trace::{Outcome, Program};

/// How a program ends: with an exception (its kind and line), finished, or where planning ends and why.
fn end(source: &str, unknown: bool) -> String {
    let program = Program {
        id: String::new(),
        source: Some(source.to_owned()),
        stdin: None,
        ..Program::default()
    };
    let settings = Settings {
        unknown,
        ..Settings::default()
    };
    let mut machine = Machine::new(&program, settings);
    machine.advance();
    if let Some(ask) = machine.wanted() {
        return format!("asks for {:?}", ask.operation);
    }
    if let Some(stop) = machine.unsupported() {
        return format!("{}: {}", stop.line, stop.what);
    }
    match machine.into_trace(&program).outcome {
        Outcome::Raised {
            exception, line, ..
        } => format!("{line}: {exception}"),
        Outcome::Finished => "finished".to_owned(),
        other => format!("{other:?}"),
    }
}

#[test]
fn what_depends_on_nothing_unknown_is_planned() {
    let goes_on = "\
import lib
from lib.part import Base, tool as other
from . import near
x = lib.make(1, key='a')[0].size * 2
y, z = lib.pair()
x.name = 3
x['a'] = 4
text = f'{x:>3} {y}'
class Child(Base):
    def f(self):
        return self.x
@lib.wraps
def f(a):
    return a
with lib.open() as file:
    file.write(text)
print(x, Child().f(), f(2), not x, [y], {'a': z})
";
    assert_eq!(
        end(&format!("{goes_on}print(1 // 0)\n"), true),
        "18: ZeroDivisionError"
    );
    assert_eq!(end(goes_on, true), "finished");
    assert_eq!(end(goes_on, false), "4: a value of lib, which is not known");
    assert_eq!(
        end("import lib\nfrom lib import x\nprint(1)\n", false),
        "finished"
    );
}

#[test]
fn planning_ends_where_an_unknown_value_decides() {
    for (rest, line) in [
        ("if lib.x: pass\n", 2),
        ("y = 1 if lib.x is None else 2\n", 2),
        ("for x in lib.all(): pass\n", 2),
        ("while lib.x > 3: pass\n", 2),
        ("raise lib.Error('a')\n", 2),
        ("try:\n    1 // 0\nexcept lib.Error: pass\n", 4),
        ("try:\n    1 // 0\nexcept (KeyError, lib.Error): pass\n", 4),
        ("if isinstance(3, lib.Kind): pass\n", 2),
        ("if isinstance(3, (str, lib.Kind)): pass\n", 2),
        ("if [lib.x].count(2): pass\n", 2),
        ("match lib.x:\n    case [1]: pass\n", 3),
        ("a = [*lib.x]\n", 2),
        ("def f(**k): pass\nf(**lib.x)\n", 3),
        ("from lib import *\n", 2),
        ("a = {lib.x}\nif a: pass\n", 3),
    ] {
        let source = format!("import lib\n{rest}");
        assert_eq!(
            end(&source, true),
            format!("{line}: a value of lib would decide"),
            "{rest}"
        );
    }
}

/// A container is known, whatever its items are.
#[test]
fn containers_of_unknown_values_are_known() {
    for rest in [
        "if len([lib.x]) > 2: pass\n",
        "items = [lib.x]\nitems.append(lib.y)\nfor item in items: pass\n",
        "table = {'a': lib.x}\nif 'b' in table or not table: pass\n",
    ] {
        let source = format!("import lib\n{rest}print(1 // 0)\n");
        assert!(
            end(&source, true).ends_with(": ZeroDivisionError"),
            "{rest}"
        );
    }
    let source = "import lib\nrow = [lib.x] * 2 + [1]\nprint(row[3])\n";
    assert_eq!(end(source, true), "3: IndexError");
}

#[test]
fn what_an_unknown_function_may_change_is_not_known() {
    for rest in [
        "values = []\nlib.fill(values)\nprint(values[0])\n",
        "table = {}\nlib.fill(into=table)\nprint(table['a'] + 1)\n",
        "values = []\nlib.fill((values,))\nprint(values[0])\n",
        "values = []\nvalues.extend(lib.x)\nprint(values[0])\n",
        "values = []\nvalues += lib.x\nprint(values[0])\n",
        "values = []\nlib.call(values.append)\nprint(values[0])\n",
        "table = {}\ntable[lib.x] = 1\nprint(table['a'])\n",
        "class A: pass\na = A()\nlib.fill(a)\nprint(a.x)\n",
        "values = [1, 2]\nlib.sort(*[values])\nprint(values[5])\n",
    ] {
        let source = format!("import lib\n{rest}");
        assert_eq!(end(&source, true), "finished", "{rest}");
    }
}

#[test]
fn modules_with_gaps_have_unknown_values_too() {
    let source = "import numpy\nx = numpy.random.rand(3)\nprint(x[7])\nprint([1][2])\n";
    assert_eq!(end(source, true), "4: IndexError");
    assert_eq!(end(source, false), "2: random numbers");
    // A missing member of a known module is an error of the program.
    assert_eq!(end("import math\nmath.sqr(2)\n", true), "2: AttributeError");
}

#[test]
fn orders_of_objects_and_addresses_are_guessed() {
    // The output and its probability.
    let planned = |source: &str| {
        let program = Program {
            id: String::new(),
            source: Some(format!("class A:\n    pass\na = A()\nb = A()\n{source}")),
            stdin: None,
            ..Program::default()
        };
        let mut machine = Machine::new(&program, Settings::default());
        assert!(matches!(machine.advance(), Status::Ended), "{source}");
        assert!(machine.unsupported().is_none(), "{source}");
        let confidence = machine.confidence();
        (machine.into_trace(&program).output(), confidence)
    };
    let same = "print(id(a) == id(a), id(a) == id(b), id(b) in {id(a): 1}, id(a) in {id(a)})\n";
    assert_eq!(planned(same), ("True False False True\n".into(), 1.0));
    let order = "s = {a, b, A()}\nprint(len([x for x in s]), len(s), len(list(s)))\n";
    assert_eq!(planned(order), ("3 3 3\n".into(), 1.0 / 6.0));
    // The order of a set with `None` also follows an address; anything independent of it is
    // certain.
    let sure = "s = {None, 'x', (None, 1)}\ns |= {2}\nprint(sorted(s, key=str), s == {2, 'x', None, (None, 1)})\n";
    let sorted = "[(None, 1), 2, None, 'x'] True\n";
    assert_eq!(planned(sure), (sorted.into(), 1.0));
    for (source, orders) in [
        ("print({None, 2})", 2.0),
        ("x = [k for k in {None, 2, 'x'}]", 6.0),
        ("x = sorted({None, 2, 3}, key=lambda k: str(k))", 6.0),
        ("x = sorted({None, 2, 3}, key=bool)", 6.0),
        ("x = {None, 2}.pop()", 2.0),
    ] {
        assert_eq!(planned(source).1, 1.0 / orders, "{source}");
    }
    assert_eq!(planned("x = hash(None)").1, 0.0);
    for source in [
        "print(a)",
        "print(id(a))",
        "x = id(b)",
        "print(hex(id(a)))",
        "print([a])",
    ] {
        assert_eq!(planned(source).1, 0.0, "{source}");
    }
    let (output, _) = planned("def f():\n    pass\nprint(b)\nprint(f, f'{b!r}')\n");
    let lines: Vec<&str> = output.lines().collect();
    assert!(
        lines[0].starts_with("<__main__.A object at 0x7f"),
        "{output}"
    );
    assert!(lines[1].starts_with("<function f at 0x7f"), "{output}");
}

#[test]
fn what_a_module_has_is_not_shown_where_it_is_not_known() {
    for (source, stop) in [
        (
            "import sys\nfound = [sys.executable]\nprint(1)\n",
            "2: a value of sys.executable, which is not known",
        ),
        (
            "from sys import prefix\nprint(1)\n",
            "1: a value of sys.prefix, which is not known",
        ),
        (
            "from re import T\nprint(1)\n",
            "1: a value of re.T, which is not known",
        ),
    ] {
        assert_eq!(end(source, false), stop);
    }
    assert_eq!(
        end("import sys\nfound = [sys.executable]\nprint(1)\n", true),
        "finished"
    );
}

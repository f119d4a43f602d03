//! Objects without a literal as text: cycles, instances, exceptions, classes; and their keys.

use codexec_vm::fold::compare::{compare, contains, is_same, truth};
use codexec_vm::fold::key::{HashError, key};
use codexec_vm::fold::{CompareOp, Folded};
use codexec_vm::text::{self, Conversion, canonical, convert, repr};
use codexec_vm::value::{self, Class, DictKind, Heap, Key, Object, ObjectId, Value};

type Attributes<'a> = &'a [(&'a str, Value)];

fn table(attributes: Attributes) -> value::Attributes {
    let pairs = attributes.iter();
    pairs
        .map(|(name, value)| ((*name).into(), value.clone()))
        .collect()
}

/// Adds a class with bases. Builtin classes have a dotted name.
fn class(
    heap: &mut Heap,
    name: &str,
    builtin: bool,
    bases: &[ObjectId],
    own: Attributes,
) -> ObjectId {
    let id = heap.add(Object::Class(Box::new(Class {
        name: name.into(),
        mro: Vec::new(),
        of_body: 0,
        attributes: table(own),
        builtin: builtin.then(|| name.into()),
        slots: None,
        metaclass: None,
        is_generic: false,
        hides_abc: false,
        library: None,
    })));
    let mut mro = vec![id];
    for base in bases {
        if let Object::Class(base) = heap.get(*base) {
            mro.extend(&base.mro);
        }
    }
    change(heap, id, |class| class.mro = mro);
    id
}

fn change(heap: &mut Heap, id: ObjectId, change: impl FnOnce(&mut Class)) {
    match heap.get_mut(id) {
        Object::Class(class) => change(class),
        other => panic!("no class: {other:?}"),
    }
}

fn instance(heap: &mut Heap, class: ObjectId, attributes: Attributes) -> Value {
    let attributes = table(attributes);
    heap.make(Object::Instance {
        class,
        attributes,
        base: None,
    })
}

/// Adds `object`, `BaseException` and `Exception`.
fn builtins(heap: &mut Heap) -> (ObjectId, ObjectId) {
    let object = class(heap, "object", true, &[], &[]);
    let base = class(heap, "BaseException", true, &[object], &[]);
    (object, class(heap, "Exception", true, &[base], &[]))
}

#[test]
fn a_container_in_itself_ends_with_dots() {
    let mut heap = Heap::new();
    let list = heap.list(vec![Value::Int(1)]);
    let tuple = heap.tuple(vec![list.clone()]);
    if let Some(Object::List(items)) = list.id().map(|id| heap.get_mut(id)) {
        items.push(tuple.clone());
    }
    assert_eq!(repr(&heap, &list).as_deref(), Some("[1, ([...],)]"));
    assert_eq!(repr(&heap, &tuple).as_deref(), Some("([1, (...)],)"));
    assert_eq!(canonical(&heap, &tuple), "([1, (...)],)");
    let dict = heap.make(Object::Dict(Default::default(), DictKind::Ordered));
    if let Some(Object::Dict(entries, _)) = dict.id().map(|id| heap.get_mut(id)) {
        entries.insert(Key::Int(1), (Value::Int(1), dict.clone()));
    }
    assert_eq!(
        repr(&heap, &dict).as_deref(),
        Some("OrderedDict([(1, ...)])")
    );
    assert_eq!(
        canonical(&heap, &dict),
        "OrderedDict({1: OrderedDict({...})})"
    );
}

#[test]
fn a_text_without_end_is_none() {
    let mut heap = Heap::new();
    let mut value = Value::Int(1);
    for _ in 0..40 {
        value = heap.list(vec![value.clone(), value]);
    }
    assert_eq!(repr(&heap, &value), None);
    for _ in 0..2000 {
        value = heap.tuple(vec![value]);
    }
    assert_eq!(repr(&heap, &value), None);
    assert_eq!(canonical(&heap, &value), "(((((((((...),),),),),),),),)");
    assert_eq!(
        compare(&heap, CompareOp::Equal, &value, &value),
        Folded::Value(Value::Bool(true))
    );
    let mut wide = Value::Int(1);
    for _ in 0..7 {
        wide = heap.list(vec![wide; 256]);
    }
    assert!(canonical(&heap, &wide).len() > 16 << 20);
}

#[test]
fn instances_show_their_attributes_in_traces_alone() {
    let mut heap = Heap::new();
    let (object, _) = builtins(&mut heap);
    let account = class(&mut heap, "Account", false, &[object], &[]);
    let value = instance(
        &mut heap,
        account,
        &[
            ("owner", Value::str("a")),
            ("_balance", Value::Int(3)),
            ("__dunder__", Value::Int(1)),
        ],
    );
    assert_eq!(canonical(&heap, &value), "<Account owner='a' _balance=3>");
    assert_eq!(repr(&heap, &value), None);
    assert_eq!(truth(&heap, &value), None);
    assert_eq!(key(&heap, &value).ok(), value.id().map(Key::Identity));
    if let Some(Object::Instance { attributes, .. }) = value.id().map(|id| heap.get_mut(id)) {
        attributes.insert("friend".into(), value.clone());
    }
    let list = heap.list(vec![value]);
    let shown = "[<Account owner='a' _balance=3 friend=<Account ...>>]";
    assert_eq!(canonical(&heap, &list), shown);
    let many: Vec<Value> = (0..34)
        .map(|n| instance(&mut heap, account, &[("n", Value::Int(n))]))
        .collect();
    let many = heap.list(many);
    assert!(canonical(&heap, &many).ends_with("<Account n=31>, <Account ...>, <Account ...>]"));
}

#[test]
fn slots_come_first_and_by_name() {
    let mut heap = Heap::new();
    let (object, _) = builtins(&mut heap);
    let point = class(&mut heap, "Point", false, &[object], &[]);
    change(&mut heap, point, |class| {
        class.slots = Some(vec!["y".into(), "x".into(), "_Point__z".into()]);
    });
    let other = class(&mut heap, "Other", false, &[point], &[]);
    let attributes = ["own", "y", "x", "_Point__z"].map(|name| (name, Value::Int(1)));
    let value = instance(&mut heap, other, &attributes);
    assert_eq!(
        canonical(&heap, &value),
        "<Other _Point__z=1 x=1 y=1 own=1>"
    );
}

#[test]
fn instances_of_libraries_show_nothing() {
    let mut heap = Heap::new();
    let (object, exception) = builtins(&mut heap);
    let module = [("__module__", Value::str("fractions"))];
    let fraction = class(&mut heap, "Fraction", false, &[object], &module);
    let value = instance(&mut heap, fraction, &[("n", Value::Int(1))]);
    assert_eq!(canonical(&heap, &value), "<Fraction>");
    let args = heap.tuple(vec![Value::str("no")]);
    let raised = instance(&mut heap, exception, &[("args", args.clone())]);
    assert_eq!(canonical(&heap, &raised), "<Exception>");
    let own = class(&mut heap, "Own", false, &[exception], &[]);
    let raised = instance(&mut heap, own, &[("args", args), ("code", Value::Int(4))]);
    assert_eq!(canonical(&heap, &raised), "<Own code=4>");
}

#[test]
fn exceptions_have_texts() {
    let mut heap = Heap::new();
    let (_, exception) = builtins(&mut heap);
    let own = class(&mut heap, "Own", false, &[exception], &[]);
    let key_error = class(&mut heap, "KeyError", true, &[exception], &[]);
    let mut texts = |class: ObjectId, args: Vec<Value>| {
        let args = heap.tuple(args);
        let value = instance(&mut heap, class, &[("args", args)]);
        (text::str(&heap, &value), repr(&heap, &value))
    };
    let some = |a: &str, b: &str| (Some(a.to_owned()), Some(b.to_owned()));
    assert_eq!(texts(own, vec![]), some("", "Own()"));
    assert_eq!(texts(own, vec![Value::str("a")]), some("a", "Own('a')"));
    let two = vec![Value::str("a"), Value::Int(1)];
    assert_eq!(texts(own, two), some("('a', 1)", "Own('a', 1)"));
    assert_eq!(
        texts(key_error, vec![Value::str("a")]),
        some("'a'", "KeyError('a')")
    );
}

#[test]
fn methods_of_the_program_are_not_guessed() {
    let mut heap = Heap::new();
    let (object, exception) = builtins(&mut heap);
    let own = [("__str__", Value::None)];
    let shouting = class(&mut heap, "Shouting", false, &[exception], &own);
    let args = heap.tuple(vec![]);
    let value = instance(&mut heap, shouting, &[("args", args)]);
    assert_eq!(text::str(&heap, &value), None);
    assert_eq!(repr(&heap, &value).as_deref(), Some("Shouting()"));
    let equal = class(
        &mut heap,
        "Equal",
        false,
        &[object],
        &[("__eq__", Value::Int(0))],
    );
    let value = instance(&mut heap, equal, &[]);
    let message = "unhashable type: 'Equal'".to_owned();
    assert_eq!(key(&heap, &value), Err(HashError::Unhashable(message)));
    assert_eq!(
        compare(&heap, CompareOp::Equal, &value, &Value::Int(1)),
        Folded::Unknown
    );
    let list = heap.list(vec![value]);
    assert_eq!(contains(&heap, &list, &Value::Int(1)), Folded::Unknown);
    let both = [("__eq__", Value::Int(0)), ("__hash__", Value::Int(0))];
    let hashed = class(&mut heap, "Hashed", false, &[object], &both);
    let value = instance(&mut heap, hashed, &[]);
    assert_eq!(key(&heap, &value), Err(HashError::AskClass(hashed)));
}

#[test]
fn a_name_alone_is_no_address() {
    let mut heap = Heap::new();
    let (object, _) = builtins(&mut heap);
    let qualified = [("__qualname__", Value::str("main.<locals>.Account"))];
    let account = class(&mut heap, "Account", false, &[object], &qualified);
    let text = "<class '__main__.main.<locals>.Account'>";
    assert_eq!(repr(&heap, &Value::Object(account)).as_deref(), Some(text));
    assert_eq!(canonical(&heap, &Value::Object(account)), "<class>");
    let text = repr(&heap, &Value::Object(object));
    assert_eq!(text.as_deref(), Some("<class 'object'>"));
    let len = heap.make(Object::Builtin("len".into()));
    assert_eq!(
        repr(&heap, &len).as_deref(),
        Some("<built-in function len>")
    );
    assert_eq!(canonical(&heap, &len), "<function>");
}

#[test]
fn conversions_of_fields() {
    let heap = Heap::new();
    let text = |flags, value: &str| convert(&heap, Conversion::from_arg(flags), &Value::str(value));
    let value = |text: &str| Folded::Value(Value::str(text));
    assert_eq!(text(0, "é"), value("é"));
    assert_eq!(text(1, "é"), value("é"));
    assert_eq!(text(2, "é"), value("'é'"));
    assert_eq!(text(3, "é€\u{1f600}"), value("'\\xe9\\u20ac\\U0001f600'"));
}

#[test]
fn identity_where_the_interpreter_leaves_no_choice() {
    let same = |a: Value, b: Value| is_same(&a, &b);
    assert_eq!(same(Value::None, Value::None), Some(true));
    assert_eq!(same(Value::None, Value::Bool(false)), Some(false));
    assert_eq!(same(Value::Int(256), Value::Int(256)), Some(true));
    assert_eq!(same(Value::Int(257), Value::Int(257)), None);
    assert_eq!(same(Value::Int(257), Value::Int(258)), Some(false));
    assert_eq!(same(Value::Int(1), Value::Float(1.0)), Some(false));
    assert_eq!(same(Value::str("ab"), Value::str("ab")), None);
    assert_eq!(same(Value::str(""), Value::str("")), Some(true));
    let [a, b] = [1, 2].map(|id| Value::Object(ObjectId(id)));
    assert_eq!(same(a.clone(), a.clone()), Some(true));
    assert_eq!(same(a, b), Some(false));
}

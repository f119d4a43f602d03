//! What the Python code of the runtime calls.

use std::sync::Arc;

use indexmap::IndexMap;
use num_traits::FromPrimitive;

use crate::fold::compare;
use crate::fold::type_name::reversed_name;
use crate::machine::eval::eval_loop::broken;
use crate::machine::{After, Flow, Machine, Run};
use crate::question::Operation;
use crate::value::{Iterator, Object, Value};

impl Machine {
    /// What the runtime's Python code calls.
    pub(in crate::machine) fn intrinsic(
        &mut self,
        name: &str,
        arguments: Vec<Value>,
    ) -> Run<Option<Value>> {
        let end = || -> Arc<str> { "_END".into() };
        Ok(Some(match (name, arguments.as_slice()) {
            ("_next", [it]) => {
                let end = self.get_name(self.core, &end()).unwrap_or(Value::None);
                return self.next_of(it, Some(end));
            }
            ("_module", [Value::Str(name)]) => self.imported(name),
            ("_folds_methods", []) => Value::Bool(self.library.methods),
            ("_len", [Value::Str(text)]) => Value::Int(match text.is_ascii() {
                true => text.len() as i64,
                false => text.chars().count() as i64,
            }),
            ("_len", [value]) => {
                let known = match self.heap.object(value) {
                    Some(Object::List(items)) => Some(items.len()),
                    Some(Object::Tuple(items)) => Some(items.len()),
                    Some(Object::Bytearray(bytes)) => Some(bytes.len()),
                    Some(Object::Set(all) | Object::Frozenset(all)) => Some(all.len()),
                    _ => self.known_items(value).map(|items| items.len()),
                };
                Value::Int(known.ok_or_else(|| broken("length"))? as i64)
            }
            ("_push", [list, item]) => {
                match list.id().map(|id| self.heap.get_mut(id)) {
                    Some(Object::List(items)) => items.push(item.clone()),
                    _ => return Err(broken("list")),
                }
                Value::None
            }
            ("_pop", [list]) => match list.id().map(|id| self.heap.get_mut(id)) {
                Some(Object::List(items)) => items.pop().ok_or_else(|| broken("item"))?,
                _ => return Err(broken("list")),
            },
            ("_put", [list, Value::Int(at), item]) => {
                match list.id().map(|id| self.heap.get_mut(id)) {
                    Some(Object::List(items)) => {
                        let at = usize::try_from(*at).unwrap_or(0).min(items.len());
                        items.insert(at, item.clone());
                    }
                    _ => return Err(broken("list")),
                }
                Value::None
            }
            ("_items", [value]) => match self.known_items(value) {
                Some(items) => self.heap.list(items),
                None => self.get_name(self.core, &end()).unwrap_or(Value::None),
            },
            // Whether `+` and `*` of these are never asked.
            ("_scalars", [value]) => {
                let items = self.known_items(value).unwrap_or_default();
                Value::Bool(items.iter().all(|item| match self.heap.object(item) {
                    None | Some(Object::Instance { .. } | Object::Tuple(_)) => true,
                    Some(_) => false,
                }))
            }
            ("_type_name", [value]) => {
                let known = crate::fold::type_name::type_name(&self.heap, value);
                let known = known.map(|name| name.into_owned());
                Value::str(&known.unwrap_or_else(|| self.type_name(value)))
            }
            ("_write", [Value::Str(text)]) => {
                self.record.write(text)?;
                Value::None
            }
            // The frame that asks has been counted for it.
            ("_text", [value, Value::Bool(repr)]) => match self.known_text_here(value, *repr) {
                Some(text) => text,
                None => {
                    self.refuse_long_integers(value)?;
                    self.get_name(self.core, &end()).unwrap_or(Value::None)
                }
            },
            ("_find", [value, Value::Str(method)]) => match self.special(value, method) {
                Some(method) => method,
                None => self.get_name(self.core, &end()).unwrap_or(Value::None),
            },
            ("_ask", [Value::Str(name), args, kwargs]) => {
                let args = self.known_items(args).ok_or_else(|| broken("arguments"))?;
                let kwargs = self.keywords_of(kwargs)?;
                if let Some(value) = self.fold_call(name, &args, &kwargs)? {
                    return Ok(Some(value));
                }
                return Err(self.ask_call(name, args, kwargs));
            }
            ("_sort_by", [items, keys, reverse]) => {
                if let Some(sorted) = self.fold_sorted(items, keys, reverse) {
                    return Ok(Some(sorted));
                }
                // What has no order, or not with one another: each comparison decides, or raises.
                if self.settings.fold.operators() && self.items_of(keys) < 64 {
                    return self.prelude_call("_timsort", arguments, Vec::new());
                }
                if items == keys {
                    let keywords = vec![("reverse".into(), reverse.clone())];
                    let keywords = if *reverse == Value::Bool(false) {
                        Vec::new()
                    } else {
                        keywords
                    };
                    return Err(self.ask_call("sorted", vec![items.clone()], keywords));
                }
                return Err(self.ask_operation(Operation::SortBy, arguments));
            }
            ("_classof", [value]) => self.type_of(value),
            ("_own", [value]) => Value::Bool(self.touches_program(value)),
            ("_throw", [Value::Str(what)]) => return Err(Flow::Unsupported(what.to_string())),
            ("_guess", []) => self.guessed(),
            ("_unordered", [value]) => match self.without_order(value) {
                Some(items) => self.heap.list(items),
                None => self.get_name(self.core, &end()).unwrap_or(Value::None),
            },
            ("_guess_order", [value]) => {
                if let Some(id) = value.id() {
                    self.record.guess_order(id.0, self.items_of(value));
                }
                Value::None
            }
            ("_final_next", []) => self.next_final(),
            ("_ready", []) => Value::Bool(self.is_ready_for_exceptions()),
            ("_unknown", [Value::Str(what)]) => return self.unknown_here(what).map(Some),
            ("_kind", [value]) => Value::str(match self.heap.object(value) {
                Some(Object::Iterator(_) | Object::Generator { .. }) => "iterator",
                Some(Object::List(_) | Object::Tuple(_)) => "sequence",
                Some(Object::Deque(..)) => "deque",
                Some(Object::Dict(..)) => "dict",
                Some(Object::Instance { .. }) => "own",
                Some(Object::Function(_)) => "function",
                Some(Object::Special { .. }) => "special",
                _ => "other",
            }),
            ("_init", [instance, args, kwargs]) => {
                let args = self.known_items(args).unwrap_or_default();
                let kwargs = self.keywords_of(kwargs)?;
                match self.special(instance, "__init__") {
                    Some(init) => {
                        let after = std::mem::replace(&mut self.after, After::Push);
                        return self.call(init, args, kwargs, after).map(|()| None);
                    }
                    None => Value::None,
                }
            }
            // How many items an iterator of the machine has left.
            ("_left", [it]) => match self.heap.object(it) {
                Some(Object::Iterator(state)) => match self.left_in(&state.clone()) {
                    Some(left) => Value::Int(left as i64),
                    None => return Err(Flow::Unsupported("__length_hint__ of that".into())),
                },
                _ => return Err(Flow::Unsupported("__length_hint__ of that".into())),
            },
            ("_bound_to", [function, receiver]) => self.heap.make(Object::Method {
                function: function.clone(),
                receiver: receiver.clone(),
            }),
            ("_set_base", [Value::Object(id), value]) => {
                if let Object::Instance { base, .. } = self.heap.get_mut(*id) {
                    *base = Some(value.clone());
                }
                Value::None
            }
            ("_own_attribute", [class, Value::Str(attribute)]) => {
                let found = match self.heap.object(class) {
                    Some(Object::Class(class)) => class.attributes.get(attribute).cloned(),
                    _ => None,
                };
                match found {
                    Some(value) => value,
                    None => self.get_name(self.core, &end()).unwrap_or(Value::None),
                }
            }
            ("_mro", [class]) => {
                let mro = match self.heap.object(class) {
                    Some(Object::Class(class)) => class.mro.clone(),
                    _ => return Err(broken("class")),
                };
                self.heap.list(mro.into_iter().map(Value::Object).collect())
            }
            ("___subclasses__", [Value::Object(id)]) => self.subclasses(*id)?,
            ("_register", [class, other]) => self.register(class, other)?,
            ("_remember", [value, hash]) => self.remember_hash(value, hash)?,
            ("_remembered", [value]) => self.remembered_hash(value),
            ("_set_own", [Value::Object(id), Value::Str(attribute), value]) => {
                if &**attribute == "__slots__" {
                    let names = self.known_items(value).unwrap_or_default();
                    let names = names.into_iter().filter_map(|name| match name {
                        Value::Str(name) => Some(name),
                        _ => None,
                    });
                    let names = names.collect();
                    if let Object::Class(class) = self.heap.get_mut(*id) {
                        class.slots = Some(names);
                    }
                }
                self.store_attribute(*id, attribute, value.clone())?;
                Value::None
            }
            ("_reverse_iter", [sequence]) => {
                let of = sequence.id();
                let items = self.known_items(sequence);
                match (self.heap.object(sequence), of, items) {
                    (
                        Some(Object::List(_) | Object::Tuple(_) | Object::Deque(..)),
                        Some(of),
                        Some(items),
                    ) => self.heap.make(Object::Iterator(Iterator::Reversed {
                        of,
                        next: items.len(),
                    })),
                    (Some(Object::Set(_) | Object::Frozenset(_)), ..) => {
                        self.get_name(self.core, &end()).unwrap_or(Value::None)
                    }
                    (_, _, Some(mut items)) => {
                        let kind = reversed_name(&self.heap, sequence);
                        items.reverse();
                        let of = items.into();
                        self.heap.make(Object::Iterator(Iterator::Items {
                            of,
                            next: 0,
                            kind,
                            set: None,
                        }))
                    }
                    _ => self.get_name(self.core, &end()).unwrap_or(Value::None),
                }
            }
            ("_codec", _) => self.codec(&arguments)?,
            ("_re_compile" | "_re_find", _) => self.match_pattern(&arguments)?,
            ("_twister" | "_twister_float" | "_twister_bits", _) => self.twist(name, &arguments)?,
            // The expression that makes an object of which only an oracle knows more.
            ("_spelled", [value]) => match self.heap.object(value) {
                Some(Object::Opaque { text, .. }) => Value::Str(text.clone()),
                _ => Value::str(""),
            },
            // An exception that was raised before goes on.
            ("_carry", [error]) => {
                self.carry(error.clone())?;
                return Ok(None);
            }
            ("_unwrapped", [value]) => match self.heap.object(value) {
                Some(Object::Special { kind, parts })
                    if *kind == crate::machine::eval::generators::WRAPPED =>
                {
                    parts[0].clone()
                }
                _ => self.get_name(self.core, &end()).unwrap_or(Value::None),
            },
            ("_open_agens", []) => self.open_async_generators(),
            ("_locals_of", [generator]) => self.locals_of_generator(generator)?,
            ("_addressed", [of, Value::Str(text)]) => match self.address(of) {
                Some(address) => Value::str(&format!("<{text} at {address:#x}>")),
                None => return Err(Flow::Unsupported("the address of a value".into())),
            },
            ("_percent_fields", [Value::Str(template)]) => self.percent_fields(template),
            ("_percent_spelled", [Value::Str(template), spelled]) => {
                self.percent_spelled(template, spelled)
            }
            // Before a comparison: equal texts and numbers need not be known to be one object.
            ("_identical", [left, right]) => match (left, right) {
                (Value::Float(x), Value::Float(_)) if x.is_nan() => {
                    Value::Bool(self.is_same(left, right)?)
                }
                _ => Value::Bool(compare::is_same(left, right).unwrap_or(false)),
            },
            ("_weak", [value]) => self.weak_number(value),
            ("_weak_watch", [Value::Int(number)]) => {
                self.watch_object(*number);
                Value::None
            }
            ("_weak_get", [Value::Int(number)]) => self.weak_object(*number)?,
            ("_copied", [value]) => match self.copied(value) {
                Some(copy) => copy,
                None => return Err(Flow::Unsupported("a copy of an object".to_string())),
            },
            ("_copies_plainly", [value]) => Value::Bool(match self.heap.object(value) {
                Some(Object::Instance { class, base, .. }) => {
                    base.is_none() && self.copies_plainly(*class, true)
                }
                _ => false,
            }),
            ("_copied_deeply", [value]) => match self.deep_copy(value) {
                Some(copy) => copy,
                None => return Err(Flow::Unsupported("a copy of an object".to_string())),
            },
            ("_program_names", []) => match self.main_frame() {
                Some(frame) => Value::Object(frame.globals),
                None => Value::None,
            },
            ("_doctest_run", [Value::Str(text), names]) => return self.run_example(text, names),
            ("_stack_new", [function, argument]) => self.new_stack(function, argument)?,
            ("_stack_switch", [Value::Int(to)]) => return self.switch_stack(*to, false),
            ("_stack_leave", [Value::Int(to)]) => return self.switch_stack(*to, true),
            ("_stderr", []) => self.builtin("sys.stderr"),
            // The name and the line of the innermost function of the program.
            ("_caller", []) => match self.frames.iter().rev().find(|f| !self.is_runtime(f)) {
                Some(frame) => {
                    let name = Value::str(&frame.code.name);
                    let line = Value::Int(i64::from(frame.line()));
                    self.heap.tuple(vec![name, line])
                }
                None => Value::None,
            },
            ("_handled", []) => {
                let program = self.frames.iter().rev().filter(|f| !self.is_runtime(f));
                let mut handled = program.filter_map(|frame| frame.handled.clone());
                handled.next().unwrap_or(Value::None)
            }
            // Lines and functions, the outermost first.
            ("_places", [error]) => {
                let id = error.id().map_or(u32::MAX, |id| id.0);
                let places = self.record.tracebacks.get(&id).cloned();
                let places = places.unwrap_or_default().into_iter().rev();
                let places = places
                    .map(|(line, name)| {
                        let place = vec![Value::Int(line.into()), Value::Str(name)];
                        self.heap.tuple(place)
                    })
                    .collect();
                self.heap.list(places)
            }
            _ => return self.number_intrinsic(name, &arguments).map(Some),
        }))
    }

    /// What the runtime's arrays and numbers are made of.
    fn number_intrinsic(&mut self, name: &str, arguments: &[Value]) -> Run<Value> {
        Ok(match (name, arguments) {
            ("_instance", [Value::Object(class)]) => {
                let made = self.heap.add(Object::Instance {
                    class: *class,
                    attributes: IndexMap::new(),
                    base: None,
                });
                self.instance_made(made, *class);
                Value::Object(made)
            }
            ("_scalar", [Value::Object(class), value]) => {
                let base = Some(self.scalar_base(value).unwrap_or_else(|| value.clone()));
                let made = self.heap.add(Object::Instance {
                    class: *class,
                    attributes: IndexMap::new(),
                    base,
                });
                self.instance_made(made, *class);
                Value::Object(made)
            }
            ("_data", [value]) => match self.heap.object(value) {
                Some(Object::Instance {
                    base: Some(base), ..
                }) => base.clone(),
                _ => value.clone(),
            },
            ("_own_names", [Value::Object(class)]) => {
                let names = match self.heap.get(*class) {
                    Object::Class(class) => class.attributes.keys().cloned().collect(),
                    Object::Function(function) => function.attributes.keys().cloned().collect(),
                    _ => Vec::new(),
                };
                self.heap.list(names.into_iter().map(Value::Str).collect())
            }
            ("_base", [value]) => self.scalar_base(value).unwrap_or_else(|| value.clone()),
            ("_rename", [Value::Object(class), Value::Str(new)]) => {
                if let Object::Class(class) = self.heap.get_mut(*class) {
                    class.name = new.clone();
                }
                Value::None
            }
            ("_zipped", [left, right]) => {
                let left = self.known_items(left).ok_or_else(|| broken("items"))?;
                let right = self.known_items(right).ok_or_else(|| broken("items"))?;
                let pairs = left.into_iter().zip(right);
                let pairs = pairs.map(|(a, b)| self.heap.tuple(vec![a, b])).collect();
                self.heap.list(pairs)
            }
            ("_filled", [value, Value::Int(count)]) => {
                let count = usize::try_from(*count).unwrap_or(0);
                if count > 1 << 22 {
                    return Err(Flow::Unsupported("a list as long as that".to_string()));
                }
                self.heap.list(vec![value.clone(); count])
            }
            ("_range", [stop]) => {
                let bounds = [Value::Int(0), stop.clone(), Value::Int(1)];
                self.range_of(bounds)?
            }
            ("_range", [start, stop]) => {
                let bounds = [start.clone(), stop.clone(), Value::Int(1)];
                self.range_of(bounds)?
            }
            ("_range", [start, stop, step]) => {
                self.range_of([start.clone(), stop.clone(), step.clone()])?
            }
            ("_int", [Value::Float(x)]) if x.is_finite() => {
                let whole = num_bigint::BigInt::from_f64(x.trunc());
                whole.map_or(Value::None, Value::int)
            }
            ("_int", [value @ (Value::Int(_) | Value::BigInt(_))]) => value.clone(),
            ("_int", [Value::Bool(value)]) => Value::Int(i64::from(*value)),
            ("_fixed", [Value::Float(x), Value::Int(digits)]) => {
                let digits = usize::try_from(*digits).unwrap_or(0);
                Value::str(&format!("{x:.digits$}"))
            }
            // The mantissa with at most 8 digits behind the point, and the exponent as numpy writes it.
            ("_scientific", [Value::Float(x)]) => {
                let shortest = format!("{x:e}");
                let rounded = format!("{x:.8e}");
                let text = if shortest.len() <= rounded.len() {
                    shortest
                } else {
                    rounded
                };
                let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
                let mut mantissa = mantissa.to_string();
                if mantissa.contains('.') {
                    mantissa = mantissa.trim_end_matches('0').to_string();
                } else {
                    mantissa.push('.');
                }
                let exponent: i32 = exponent.parse().unwrap_or(0);
                let sign = if exponent < 0 { '-' } else { '+' };
                let exponent = format!("e{sign}{:02}", exponent.abs());
                let parts = vec![Value::Str(mantissa.into()), Value::Str(exponent.into())];
                self.heap.tuple(parts)
            }
            _ => return Err(Flow::Unsupported(format!("the runtime's {name}"))),
        })
    }

    fn range_of(&mut self, bounds: [Value; 3]) -> Run<Value> {
        let [start, stop, step] = bounds;
        for bound in [&start, &stop, &step] {
            if !matches!(bound, Value::Int(_)) {
                return Err(broken("range"));
            }
        }
        Ok(self.heap.make(Object::Range(start, stop, step)))
    }

    /// The plain value of a scalar of a library.
    pub(in crate::machine) fn scalar_base(&self, value: &Value) -> Option<Value> {
        match self.heap.object(value) {
            Some(Object::Instance {
                class,
                base: Some(base),
                ..
            }) if self.heap.object(base).is_none() && self.is_library_class(*class) => {
                Some(base.clone())
            }
            _ => None,
        }
    }

    /// The plain value of an instance of a class that comes from `int`, `float` or `str`, or of a scalar of a library.
    pub(in crate::machine) fn plain_base(&self, value: &Value) -> Option<Value> {
        match self.heap.object(value) {
            Some(Object::Instance {
                class,
                base: Some(base),
                ..
            }) if self.heap.object(base).is_none()
                && self.class_attribute(*class, "_plain_key_").is_some() =>
            {
                Some(base.clone())
            }
            _ => self.scalar_base(value),
        }
    }

    /// Whether a class belongs to a library that the runtime stands for.
    pub(in crate::machine) fn is_library_class(&self, class: crate::value::ObjectId) -> bool {
        match self.heap.get(class) {
            Object::Class(class) => crate::fold::type_name::library(class).is_some(),
            _ => false,
        }
    }
}

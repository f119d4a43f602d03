//! Functions of the machine that the library's Python code calls: a table of typed entries.

mod classes;
mod items;
mod numbers;
mod program;
mod project;
mod sys_modules;
mod text;

use std::fmt;

use crate::machine::eval::eval_loop::broken;
use crate::machine::{Machine, Run};
use crate::value::{Object, Value};

/// A function of the machine that files of `lib/` call by a name that no file binds.
pub(in crate::machine) struct Intrinsic {
    /// Its name, such as `_push`.
    pub(in crate::machine) name: &'static str,
    /// Takes the arguments by position. `None`: the value arrives later.
    pub(in crate::machine) call: fn(&mut Machine, &[Value]) -> Run<Option<Value>>,
}

impl fmt::Debug for Intrinsic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for Intrinsic {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// All of them.
pub(in crate::machine) static INTRINSICS: &[Intrinsic] = &[
    Intrinsic {
        name: "_has_own_parts",
        call: Machine::intrinsic_has_own_parts,
    },
    // sys_modules.rs
    Intrinsic {
        name: "_place_module",
        call: Machine::intrinsic_place_module,
    },
    Intrinsic {
        name: "_remove_module",
        call: Machine::intrinsic_remove_module,
    },
    Intrinsic {
        name: "_new_module",
        call: Machine::intrinsic_new_module,
    },
    Intrinsic {
        name: "_is_library_name",
        call: Machine::intrinsic_is_library_name,
    },
    Intrinsic {
        name: "_has_source",
        call: Machine::intrinsic_has_source,
    },
    Intrinsic {
        name: "_source_of",
        call: Machine::intrinsic_source_of,
    },
    Intrinsic {
        name: "_execute_source",
        call: Machine::intrinsic_execute_source,
    },
    // classes.rs
    Intrinsic {
        name: "_find",
        call: Machine::intrinsic_find,
    },
    Intrinsic {
        name: "_classof",
        call: Machine::intrinsic_classof,
    },
    Intrinsic {
        name: "_own",
        call: Machine::intrinsic_own,
    },
    Intrinsic {
        name: "_kind",
        call: Machine::intrinsic_kind,
    },
    Intrinsic {
        name: "_init",
        call: Machine::intrinsic_init,
    },
    Intrinsic {
        name: "_bound_to",
        call: Machine::intrinsic_bound_to,
    },
    Intrinsic {
        name: "_generic",
        call: Machine::intrinsic_generic,
    },
    Intrinsic {
        name: "_set_base",
        call: Machine::intrinsic_set_base,
    },
    Intrinsic {
        name: "_own_attribute",
        call: Machine::intrinsic_own_attribute,
    },
    Intrinsic {
        name: "_mro",
        call: Machine::intrinsic_mro,
    },
    Intrinsic {
        name: "___subclasses__",
        call: Machine::intrinsic_subclasses,
    },
    Intrinsic {
        name: "_register",
        call: Machine::intrinsic_register,
    },
    Intrinsic {
        name: "_remember",
        call: Machine::intrinsic_remember,
    },
    Intrinsic {
        name: "_remembered",
        call: Machine::intrinsic_remembered,
    },
    Intrinsic {
        name: "_set_own",
        call: Machine::intrinsic_set_own,
    },
    Intrinsic {
        name: "_weak",
        call: Machine::intrinsic_weak,
    },
    Intrinsic {
        name: "_weak_watch",
        call: Machine::intrinsic_weak_watch,
    },
    Intrinsic {
        name: "_weak_get",
        call: Machine::intrinsic_weak_get,
    },
    Intrinsic {
        name: "_copied",
        call: Machine::intrinsic_copied,
    },
    Intrinsic {
        name: "_copies_plainly",
        call: Machine::intrinsic_copies_plainly,
    },
    Intrinsic {
        name: "_copied_deeply",
        call: Machine::intrinsic_copied_deeply,
    },
    Intrinsic {
        name: "_instance",
        call: Machine::intrinsic_instance,
    },
    Intrinsic {
        name: "_scalar",
        call: Machine::intrinsic_scalar,
    },
    Intrinsic {
        name: "_data",
        call: Machine::intrinsic_data,
    },
    Intrinsic {
        name: "_own_names",
        call: Machine::intrinsic_own_names,
    },
    Intrinsic {
        name: "_base",
        call: Machine::intrinsic_base,
    },
    Intrinsic {
        name: "_rename",
        call: Machine::intrinsic_rename,
    },
    // items.rs
    Intrinsic {
        name: "_row",
        call: Machine::intrinsic_row,
    },
    Intrinsic {
        name: "_next",
        call: Machine::intrinsic_next,
    },
    Intrinsic {
        name: "_len",
        call: Machine::intrinsic_len,
    },
    Intrinsic {
        name: "_push",
        call: Machine::intrinsic_push,
    },
    Intrinsic {
        name: "_pop",
        call: Machine::intrinsic_pop,
    },
    Intrinsic {
        name: "_put",
        call: Machine::intrinsic_put,
    },
    Intrinsic {
        name: "_items",
        call: Machine::intrinsic_items,
    },
    Intrinsic {
        name: "_scalars",
        call: Machine::intrinsic_scalars,
    },
    Intrinsic {
        name: "_sort_by",
        call: Machine::intrinsic_sort_by,
    },
    Intrinsic {
        name: "_unordered",
        call: Machine::intrinsic_unordered,
    },
    Intrinsic {
        name: "_guess_order",
        call: Machine::intrinsic_guess_order,
    },
    Intrinsic {
        name: "_final_next",
        call: Machine::intrinsic_final_next,
    },
    Intrinsic {
        name: "_left",
        call: Machine::intrinsic_left,
    },
    Intrinsic {
        name: "_reverse_iter",
        call: Machine::intrinsic_reverse_iter,
    },
    Intrinsic {
        name: "_identical",
        call: Machine::intrinsic_identical,
    },
    Intrinsic {
        name: "_zipped",
        call: Machine::intrinsic_zipped,
    },
    Intrinsic {
        name: "_filled",
        call: Machine::intrinsic_filled,
    },
    Intrinsic {
        name: "_range",
        call: Machine::intrinsic_range,
    },
    // numbers.rs
    Intrinsic {
        name: "_twister",
        call: Machine::intrinsic_twister,
    },
    Intrinsic {
        name: "_twister_float",
        call: Machine::intrinsic_twister_float,
    },
    Intrinsic {
        name: "_twister_bits",
        call: Machine::intrinsic_twister_bits,
    },
    Intrinsic {
        name: "_int",
        call: Machine::intrinsic_int,
    },
    Intrinsic {
        name: "_fixed",
        call: Machine::intrinsic_fixed,
    },
    Intrinsic {
        name: "_scientific",
        call: Machine::intrinsic_scientific,
    },
    // program.rs
    Intrinsic {
        name: "_module",
        call: Machine::intrinsic_module,
    },
    Intrinsic {
        name: "_folds_methods",
        call: Machine::intrinsic_folds_methods,
    },
    Intrinsic {
        name: "_ask",
        call: Machine::intrinsic_ask,
    },
    Intrinsic {
        name: "_throw",
        call: Machine::intrinsic_throw,
    },
    Intrinsic {
        name: "_guess",
        call: Machine::intrinsic_guess,
    },
    Intrinsic {
        name: "_assumes",
        call: Machine::intrinsic_assumes,
    },
    Intrinsic {
        name: "_ready",
        call: Machine::intrinsic_ready,
    },
    Intrinsic {
        name: "_missed_call",
        call: Machine::intrinsic_missed_call,
    },
    Intrinsic {
        name: "_part_of",
        call: Machine::intrinsic_part_of,
    },
    Intrinsic {
        name: "_unknown",
        call: Machine::intrinsic_unknown,
    },
    Intrinsic {
        name: "_sandboxed",
        call: Machine::intrinsic_sandboxed,
    },
    Intrinsic {
        name: "_in_library",
        call: Machine::intrinsic_in_library,
    },
    Intrinsic {
        name: "_architecture",
        call: Machine::intrinsic_architecture,
    },
    Intrinsic {
        name: "_frames",
        call: Machine::intrinsic_frames,
    },
    Intrinsic {
        name: "_frame_line",
        call: Machine::intrinsic_frame_line,
    },
    Intrinsic {
        name: "_strerror",
        call: Machine::intrinsic_strerror,
    },
    Intrinsic {
        name: "_carry",
        call: Machine::intrinsic_carry,
    },
    Intrinsic {
        name: "_unwrapped",
        call: Machine::intrinsic_unwrapped,
    },
    Intrinsic {
        name: "_open_agens",
        call: Machine::intrinsic_open_agens,
    },
    Intrinsic {
        name: "_locals_of",
        call: Machine::intrinsic_locals_of,
    },
    Intrinsic {
        name: "_program_names",
        call: Machine::intrinsic_program_names,
    },
    Intrinsic {
        name: "_doctest_run",
        call: Machine::intrinsic_doctest_run,
    },
    Intrinsic {
        name: "_stack_new",
        call: Machine::intrinsic_stack_new,
    },
    Intrinsic {
        name: "_stack_switch",
        call: Machine::intrinsic_stack_switch,
    },
    Intrinsic {
        name: "_stack_leave",
        call: Machine::intrinsic_stack_leave,
    },
    Intrinsic {
        name: "_caller",
        call: Machine::intrinsic_caller,
    },
    Intrinsic {
        name: "_handled",
        call: Machine::intrinsic_handled,
    },
    Intrinsic {
        name: "_places",
        call: Machine::intrinsic_places,
    },
    // project.rs
    Intrinsic {
        name: "_project",
        call: Machine::intrinsic_project,
    },
    Intrinsic {
        name: "_search_path",
        call: Machine::intrinsic_search_path,
    },
    Intrinsic {
        name: "_project_modified",
        call: Machine::intrinsic_project_modified,
    },
    Intrinsic {
        name: "_project_look",
        call: Machine::intrinsic_project_look,
    },
    Intrinsic {
        name: "_project_bytes",
        call: Machine::intrinsic_project_bytes,
    },
    Intrinsic {
        name: "_project_follow",
        call: Machine::intrinsic_project_follow,
    },
    Intrinsic {
        name: "_argv",
        call: Machine::intrinsic_argv,
    },
    Intrinsic {
        name: "_environment",
        call: Machine::intrinsic_environment,
    },
    // text.rs
    Intrinsic {
        name: "_type_name",
        call: Machine::intrinsic_type_name,
    },
    Intrinsic {
        name: "_write",
        call: Machine::intrinsic_write,
    },
    Intrinsic {
        name: "_text",
        call: Machine::intrinsic_text,
    },
    Intrinsic {
        name: "_pack",
        call: Machine::packed,
    },
    Intrinsic {
        name: "_unpack",
        call: Machine::unpacked,
    },
    Intrinsic {
        name: "_xml_events",
        call: Machine::xml_events,
    },
    Intrinsic {
        name: "_renamed_code",
        call: Machine::renamed_code,
    },
    Intrinsic {
        name: "_codec",
        call: Machine::intrinsic_codec,
    },
    Intrinsic {
        name: "_re_compile",
        call: Machine::intrinsic_re_compile,
    },
    Intrinsic {
        name: "_re_find",
        call: Machine::intrinsic_re_find,
    },
    Intrinsic {
        name: "_spelled",
        call: Machine::intrinsic_spelled,
    },
    Intrinsic {
        name: "_addressed",
        call: Machine::intrinsic_addressed,
    },
    Intrinsic {
        name: "_percent_fields",
        call: Machine::intrinsic_percent_fields,
    },
    Intrinsic {
        name: "_percent_spelled",
        call: Machine::intrinsic_percent_spelled,
    },
    Intrinsic {
        name: "_stderr",
        call: Machine::intrinsic_stderr,
    },
];

impl Machine {
    /// Returns the sentinel for no value, used where `None` is a value.
    pub(in crate::machine) fn end(&self) -> Value {
        self.library.end.clone()
    }

    /// Returns an entry of the table as a value.
    pub(in crate::machine) fn intrinsic(&self, name: &str) -> Value {
        self.bound_name("", name).unwrap_or(Value::None)
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

    /// Returns the plain value of a library's scalar.
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

    /// Returns the plain value of an instance of a subclass of `int`, `float` or `str`, or of a
    /// library's scalar.
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

    /// Whether a class belongs to a library that the runtime replaces.
    pub(in crate::machine) fn is_library_class(&self, class: crate::value::ObjectId) -> bool {
        match self.heap.get(class) {
            Object::Class(class) => crate::fold::type_name::library(class).is_some(),
            _ => false,
        }
    }
}

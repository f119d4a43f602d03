//! The machine without a program.

use std::sync::OnceLock;

use super::classes::instance_dict;
use super::gc;
use super::objects::user_hash;
use super::stdlib::stdin;
use super::{After, Machine, Settings, import, record};
use crate::value::{Heap, ObjectId};

/// Names of the core whose files most programs need, such as those of `map` and unpacking: executed
/// once for all.
const OFTEN: [&str; 2] = ["_map", "_list"];

impl Machine {
    /// Returns a machine with the builtins and without a program, of which the machines of programs
    /// are copies.
    pub(super) fn started() -> &'static Self {
        static STARTED: OnceLock<Machine> = OnceLock::new();
        STARTED.get_or_init(|| {
            let settings = Settings::default();
            let mut machine = Self {
                heap: Heap::new(),
                frames: Vec::new(),
                stacks: crate::machine::eval::stacks::Stacks::default(),
                generators: super::eval::generators::Generators::default(),
                dropped: gc::Dropped::default(),
                own_dicts: instance_dict::OwnDicts::default(),
                own_keys: user_hash::OwnKeys::default(),
                reads_itself: false,
                twisters: Vec::new(),
                runtime: super::runtime::Runtime::new(),
                library: import::Library::new(ObjectId(0), crate::value::Value::None),
                input: stdin::Input::new(""),
                record: record::Record::new(&settings),
                after: After::Push,
                waiting: None,
                settings,
                budget: super::budget::Budget::new(),
                ending: super::Ending::default(),
                doubts: super::Doubts::default(),
                stand_ins: super::stand_ins::StandIns::default(),
                appended: super::Appended::default(),
            };
            machine.prepare();
            for name in OFTEN {
                machine.library_name("", &name.into());
            }
            machine
        })
    }
}

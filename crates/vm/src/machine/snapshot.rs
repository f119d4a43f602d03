//! The machine without a program.

use std::collections::HashMap;
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
                generators: Vec::new(),
                generator_codes: Vec::new(),
                generator_frames: HashMap::new(),
                dropped: gc::Dropped::default(),
                own_dicts: instance_dict::OwnDicts::default(),
                own_keys: user_hash::OwnKeys::default(),
                reads_itself: false,
                twisters: Vec::new(),
                classes: HashMap::new(),
                modules: HashMap::new(),
                named: HashMap::new(),
                replaced: HashMap::new(),
                registered: Vec::new(),
                builtins: ObjectId(0),
                core: ObjectId(0),
                library: import::Library::new(ObjectId(0), crate::value::Value::None),
                input: stdin::Input::new(""),
                record: record::Record::new(&settings),
                after: After::Push,
                waiting: None,
                settings,
                instructions: 0,
                budget: super::budget::Budget::new(),
                bytes: 0,
                probability: 1.0,
                recursion_limit: 1000,
                outcome: None,
                unsupported: None,
                unknown: Vec::new(),
                assumed: Vec::new(),
                stand_ins: super::stand_ins::StandIns::default(),
                skips: false,
                behind: None,
                is_behind: false,
            };
            machine.prepare();
            for name in OFTEN {
                machine.library_name("", &name.into());
            }
            machine
        })
    }
}

//! Machines with the runtime and without a program.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use super::classes::instance_dict;
use super::gc;
use super::objects::user_hash;
use super::stdlib::stdin;
use super::{After, Machine, Settings, parts, record};
use crate::value::{Heap, ObjectId};

/// Most runtimes that are kept, by what programs need of it.
const MOST_PREPARED: usize = 128;

impl Machine {
    /// A machine with the runtime and without a program: made once for each set of parts that programs need.
    pub(super) fn prepared(set: usize) -> Arc<Self> {
        static PREPARED: Mutex<BTreeMap<usize, Arc<Machine>>> = Mutex::new(BTreeMap::new());
        let kept = || PREPARED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(machine) = kept().get(&set) {
            return Arc::clone(machine);
        }
        let machine = {
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
                prelude: ObjectId(0),
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
            };
            machine.prepare(&parts::files(set));
            Arc::new(machine)
        };
        let mut kept = kept();
        if kept.len() >= MOST_PREPARED {
            kept.clear();
        }
        kept.insert(set, Arc::clone(&machine));
        machine
    }
}

//! The prompt for a language model: the sections of ORCA's prompt (its Figure 6), in our own words.

use super::blocks::Blocks;
use codexec_unknown::llm::Message;

/// The task and the output format.
const SYSTEM: &str = "\
# Role
You find runtime errors in Python 3.11 code without running it. You are given the control-flow graph of a \
program as numbered blocks. You plan how an execution walks through the blocks, one block at a time, and keep a symbol \
table.

# Blocks
Each block lists its statements, and where the execution goes next.
- A statement in parentheses is a condition. Go on by `Next, if True` or `Next, if False`, as its value is.
- `iterator -> x, Iterate Over -> xs` is the head of a for loop. While there is another item it is bound to x \
and the way is `Next, if True`; after the last one the way is `Next, if False`. You come back to this \
block before every item.
- `<END>` is the end of the program.

# Walk
Begin with Block: 1. For every block that the execution visits, in the order of the visits, and once for each \
visit, write:

Block: <number>
Observation: what the statements do to the variables.
Reasoning: whether a statement raises an exception, by the types and values of its operands; else \
how a condition comes out.
Action: what you do: update the symbol table and name the next block, or stop.
Symbol Table: {'<name>': (<value>, <type>), ...}
Is Error: False

The symbol table stands on one line. It holds all variables after the block, each with its value as a Python \
literal and its type.

# Errors
If a statement raises an exception that no handler catches, the execution stops in that block. Write, instead \
of the last line:

Is Error: True
Error Type: <class of the exception>
Block: <number of the block>
<STOP>

# End
Do not visit a block that the execution does not reach. After the last block of an execution without an error, \
write <STOP> on a line of its own.";

/// A note for programs that lack imports and were run with them.
const IMPORTED: &str = "\
# Imports
The code uses modules, and names of modules, that it does not import. They are imported before it begins.

";

/// The conversation about a program.
pub(super) fn messages(blocks: &Blocks, stdin: Option<&str>, lacks_imports: bool) -> Vec<Message> {
    let imported = if lacks_imports { IMPORTED } else { "" };
    let mut asked = format!("{imported}# Control-flow graph\n{}", blocks.text());
    if let Some(stdin) = stdin.filter(|stdin| !stdin.is_empty()) {
        let stdin = stdin.trim_end_matches('\n');
        asked.push_str(&format!("# Standard input\n{stdin}\n"));
    }
    vec![Message::system(SYSTEM), Message::user(asked.trim_end())]
}

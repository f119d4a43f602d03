//! Blocks of programs and their successors.

use super::*;

const PROGRAM: &str = "\
xs = [1, 2]
total = 0
for x in xs:
    if x > 1:
        break
    elif x < 0:
        continue
    else:
        total += x
while total:
    total -= 1
print(total)
";

#[test]
fn a_program_is_written_as_blocks() {
    let blocks = Blocks::of(PROGRAM).unwrap();
    let text = "\
Block: 1
Statement:
    xs = [1, 2]
    total = 0
Next: Go to Block: 2

Block: 2
Statement:
    iterator -> x, Iterate Over -> xs
Next, if True: Go to Block: 3
Next, if False: Go to Block: 6

Block: 3
Statement:
    (x > 1)
Next, if True: Go to Block: 6
Next, if False: Go to Block: 4

Block: 4
Statement:
    (x < 0)
Next, if True: Go to Block: 2
Next, if False: Go to Block: 5

Block: 5
Statement:
    total += x
Next: Go to Block: 2

Block: 6
Statement:
    while total:
Next, if True: Go to Block: 7
Next, if False: Go to Block: 8

Block: 7
Statement:
    total -= 1
Next: Go to Block: 6

Block: 8
Statement:
    print(total)
Next: <END>

";
    assert_eq!(blocks.text(), text);
    assert_eq!(blocks.at_line(6), Some((4, 0)));
    assert_eq!(blocks.at_line(2), Some((1, 1)));
    assert_eq!(blocks.at_line(7), None);
    assert!(blocks.get(8).unwrap().may_end() && !blocks.get(7).unwrap().may_end());
    assert!(blocks.get(0).is_none() && blocks.get(9).is_none());
}

#[test]
fn handlers_definitions_and_empty_loops_have_their_blocks() {
    let source = "\
def f(x):
    return x
try:
    y = f(1)
except ValueError:
    y = 2
for _ in range(3):
    pass
";
    let blocks = Blocks::of(source).unwrap();
    let texts: Vec<String> = (1..=blocks.len() as u32)
        .map(|n| blocks.get(n).unwrap().statements[0].text.clone())
        .collect();
    assert_eq!(texts[0], "def f(x):\n    return x");
    assert_eq!(texts[1..3], ["y = f(1)", "except ValueError:"]);
    assert_eq!(blocks.get(2).unwrap().handlers, [3]);
    assert_eq!(blocks.get(2).unwrap().next, Next::Always(Some(5)));
    assert!(blocks.repeats(5) && !blocks.repeats(1));
    assert!(
        blocks
            .text()
            .contains("Next, if an exception is raised: Go to Block: 3\n")
    );
    // After a branch that leaves, the other one continues.
    let leaves = "for x in y:\n    if x:\n        break\n    else:\n        z = x\n    print(z)\n";
    assert_eq!(Blocks::of(leaves).unwrap().sizes(), [1, 1, 2]);
    assert!(Blocks::of("").unwrap().is_empty());
    assert!(Blocks::of("x = = 1").is_err());
    // What no compiler takes, and the parser does.
    assert_eq!(Blocks::of("break\nreturn 1\n").unwrap().len(), 0);
}

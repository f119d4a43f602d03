//! `codexec diff` as a user calls it: verdicts, what they say, exit codes.

use crate::support::{BINARY, can_run, output_of, stderr, stdout, written};

/// Exit code and output of a comparison of two texts.
fn diff(old: &str, new: &str) -> (i32, String) {
    let dir = tempfile::tempdir().unwrap();
    let old = written(dir.path(), "old.py", old);
    let new = written(dir.path(), "new.py", new);
    let run = output_of(&["diff", &old, &new, "--no-packages"]);
    let code = run.status.code().unwrap();
    (code, format!("{}{}", stdout(&run), stderr(&run)))
}

const SAME: i32 = 0;
const DIFFERENT: i32 = 1;
const TROUBLE: i32 = 2;
const NOT_DISTINGUISHED: i32 = 3;

#[test]
fn changed_pairs_differ_and_no_kept_pair_does() {
    if !can_run() {
        return;
    }
    let pairs = include_str!("../fixtures/diff_pairs.txt");
    let (mut changed, mut kept) = (0, 0);
    for block in pairs.split("\n## ").skip(1) {
        let (title, body) = block.split_once('\n').unwrap();
        let (old, new) = body.split_once("=>\n").unwrap();
        let (code, text) = diff(old, new);
        if title.starts_with("changed") {
            changed += 1;
            assert_eq!(code, DIFFERENT, "{title}\n{text}");
            assert!(text.starts_with("different\n  "), "{title}\n{text}");
        } else {
            kept += 1;
            let verdict = text.starts_with("same\n") || text.starts_with("not distinguished\n  ");
            assert!(verdict, "{title}\n{text}");
            assert!([SAME, NOT_DISTINGUISHED].contains(&code), "{title}\n{text}");
        }
    }
    assert!(changed >= 35 && kept >= 18, "{changed} {kept}");
}

#[test]
fn plain_values_show_a_difference_or_that_none_is_left() {
    if !can_run() {
        return;
    }
    let old = "def last(xs: list[int], n: int) -> int:\n    return sum(x for x in xs if x < n)\n";
    let (code, text) = diff(old, &old.replace("x < n", "x <= n"));
    assert_eq!(code, DIFFERENT, "{text}");
    assert!(
        text.contains("  last, result: ") && text.contains("where xs is ["),
        "{text}"
    );
    let new = "def _small(xs, n):\n    for x in xs:\n        if not x >= n:\n            yield x\n\n\ndef last(xs: list[int], n: int) -> int:\n    return sum(_small(xs, n))\n";
    assert_eq!(diff(old, new), (SAME, "same\n".to_owned()));
    // What no value reaches may differ.
    let guarded = |last: &str| {
        format!(
            "def f(n: int) -> int:\n    if n > 3 and n < 3:\n        return {last}\n    return 0\n"
        )
    };
    let (code, text) = diff(&guarded("1"), &guarded("2"));
    assert_eq!(code, NOT_DISTINGUISHED, "{text}");
    assert!(text.contains("line 3 of old was not executed"), "{text}");
}

#[test]
fn the_order_of_unknown_calls_and_clean_up_are_compared() {
    if !can_run() {
        return;
    }
    let old = "from shop import charge, ship\n\ndef fulfil(order):\n    a = charge(order)\n    b = ship(order)\n    return a, b\n";
    let new = "from shop import charge, ship\n\ndef fulfil(order):\n    b = ship(order)\n    a = charge(order)\n    return a, b\n";
    let (code, text) = diff(old, new);
    assert_eq!(code, DIFFERENT, "{text}");
    let renamed = "from shop import charge, ship\n\nRETRIES = 3\n\ndef fulfil(order):\n    return charge(order), ship(order)\n";
    assert_eq!(diff(old, renamed), (SAME, "same\n".to_owned()));
    let file = "def count(path):\n    handle = open(path)\n    try:\n        return sum(1 for line in handle if line.strip())\n    finally:\n        handle.close()\n";
    let with = "def count(path):\n    with open(path) as handle:\n        return sum(1 for line in handle if line.strip())\n";
    assert_eq!(diff(file, with), (SAME, "same\n".to_owned()));
    let (code, text) = diff(file, &with.replace("line.strip()", "line"));
    assert_eq!(code, DIFFERENT, "{text}");
}

#[test]
fn what_made_a_value_is_shown() {
    if !can_run() {
        return;
    }
    let (_, text) = diff("x = count + 1\n", "x = count + 2\n");
    let want = "different\n  x: (count + 1) (here 2) -> (count + 2) (here 3)\nwhere count is 1\n";
    assert_eq!(text, want);
    let (_, text) = diff("send(message, 1)\n", "send(message, 2)\n");
    assert!(text.contains("send(message, 1)"), "{text}");
}

#[test]
fn what_cannot_be_known_is_not_called_the_same() {
    if !can_run() {
        return;
    }
    // Equal for whatever was drawn, by other operations.
    let (code, text) = diff("x = count * 2\n", "x = count + count\n");
    assert_eq!(code, NOT_DISTINGUISHED, "{text}");
    assert!(text.contains("(count + count)"), "{text}");
    // A changed line that no run reaches.
    let old = "def f(x):\n    if x is None and x is not None:\n        return 1\n    return 2\n";
    let (code, text) = diff(old, &old.replace("return 1", "return 3"));
    assert_eq!(code, NOT_DISTINGUISHED, "{text}");
    assert!(text.contains("line 3 of"), "{text}");
    // Nothing is made up: what does not run does not matter.
    let old = "x = 1\nif x > 2:\n    x = 5\n";
    let (code, text) = diff(old, &old.replace('5', "6"));
    assert_eq!((code, text.as_str()), (SAME, "same\n"));
}

#[test]
fn ends_are_compared() {
    if !can_run() {
        return;
    }
    let (code, text) = diff("x = [1][0]\n", "x = [1][2]\n");
    assert_eq!(code, DIFFERENT);
    let want = "  end: finished -> raised IndexError: list index out of range\n";
    assert!(text.contains(want), "{text}");
    let (code, _) = diff(
        "x = 1\nraise ValueError(x)\n",
        "x = 1\n\nraise ValueError(x)\n",
    );
    assert_eq!(code, SAME);
}

#[test]
fn a_stray_return_ends_a_version_and_is_compared() {
    if !can_run() {
        return;
    }
    let (code, text) = diff("return count + 1\nx = 1\n", "return count + 2\nx = 1\n");
    assert_eq!(code, DIFFERENT, "{text}");
    assert!(text.contains("  return: (count + 1)"), "{text}");
    assert!(text.contains("ended at `return` on line 1"), "{text}");
}

#[test]
fn what_cannot_be_compared_is_told_from_a_difference() {
    let dir = tempfile::tempdir().unwrap();
    let good = written(dir.path(), "good.py", "x = 1\n");
    let run = output_of(&["diff", &good, "there_is_none.py"]);
    assert_eq!(run.status.code(), Some(TROUBLE));
    assert!(stderr(&run).contains("there_is_none.py"));
    assert_eq!(output_of(&["diff", &good]).status.code(), Some(TROUBLE));
    if can_run() {
        let broken = written(dir.path(), "broken.py", "def f(:\n");
        let run = output_of(&["diff", &good, &broken]);
        assert_eq!(run.status.code(), Some(TROUBLE));
        assert!(stderr(&run).contains("broken.py:1:7"), "{}", stderr(&run));
    }
}

/// Two versions of a project: one file is the same, one differs in text, one behaves differently.
fn versions(root: &std::path::Path) {
    let (old, new) = (root.join("old"), root.join("new"));
    for version in [&old, &new] {
        std::fs::create_dir_all(version.join("shop")).unwrap();
        written(version, "shop/__init__.py", "");
        written(version, "shop/rate.py", "RATE = 3\n");
    }
    let price = |rate: &str| {
        format!("from .rate import RATE\n\ndef price(n):\n    return n * RATE{rate}\n")
    };
    written(&old, "shop/price.py", price(""));
    written(&new, "shop/price.py", price(" + 1"));
    written(&old, "text.py", "def f(a):\n    return a\n");
    written(&new, "text.py", "def f(a):\n    b = a\n    return b\n");
    written(&old, "gone.py", "x = 1\n");
    written(&new, "broken.py", "x = (\n");
    written(&old, "broken.py", "x = 1\n");
}

#[test]
fn projects_are_compared_file_by_file() {
    if !can_run() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    versions(dir.path());
    let path = |name: &str| dir.path().join(name).display().to_string();
    let run = output_of(&["diff", &path("old"), &path("new"), "--no-packages"]);
    let text = stdout(&run);
    assert!(
        text.contains("broken.py: not compared: new version, line 1: "),
        "{text}"
    );
    assert!(text.contains("gone.py: removed\n"), "{text}");
    assert!(
        text.contains("shop/price.py: different\n  result_of_price: "),
        "{text}"
    );
    assert!(text.contains("text.py: same\n"), "{text}");
    assert!(!text.contains("rate.py"), "{text}");
    assert_eq!(run.status.code(), Some(DIFFERENT));
    let json = output_of(&[
        "diff",
        &path("old"),
        &path("new"),
        "--no-packages",
        "--json",
    ]);
    let document: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(document["files"][2]["verdict"], "different");
    let same = output_of(&["diff", &path("old"), &path("old"), "--no-packages"]);
    assert_eq!(stdout(&same), "same: no Python file has another text\n");
    assert_eq!(same.status.code(), Some(SAME));
}

#[test]
fn files_that_import_what_changed_are_compared_too() {
    if !can_run() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let (old, new) = (dir.path().join("old"), dir.path().join("new"));
    for (version, rate, text) in [(&old, "3", "a"), (&new, "4", "(a)")] {
        std::fs::create_dir_all(version.join("shop")).unwrap();
        written(version, "shop/__init__.py", "");
        let source = format!("def rated(n):\n    return n * {rate}\n");
        written(version, "shop/rate.py", source);
        let source = "from .rate import rated\n\ndef price(n):\n    return rated(n) + 1\n";
        written(version, "shop/price.py", source);
        let source = "def show():\n    from shop import price\n    return price.price(2)\n";
        written(version, "main.py", source);
        let source = "import shop.rate\n\ndef other(n):\n    return n\n";
        written(version, "other.py", source);
        written(version, "alone.py", "def alone(n):\n    return n\n");
        written(
            version,
            "text.py",
            format!("def f(a):\n    return {text}\n"),
        );
        written(version, "of_text.py", "import text\n");
    }
    let path = |name: &str| dir.path().join(name).display().to_string();
    let run = output_of(&["diff", &path("old"), &path("new"), "--no-packages"]);
    let text = stdout(&run);
    for wanted in [
        "shop/rate.py: different\n",
        "text.py: same\n",
        "shop/price.py: different\n  result_of_price: ",
        "main.py: different\n  result_of_show: 7 -> 9\n",
        "2 files with another text: 1 different, 1 same\n\
         3 files with the same text that reach those by imports: 2 different, 1 not distinguished\n",
    ] {
        assert!(text.contains(wanted), "{wanted}{text}");
    }
    for unsaid in ["alone.py", "of_text.py", "other.py"] {
        assert!(!text.contains(unsaid), "{text}");
    }
    assert_eq!(run.status.code(), Some(DIFFERENT));
}

#[test]
fn revisions_of_a_repository_are_compared() {
    let has_git = std::process::Command::new("git")
        .arg("--version")
        .output()
        .is_ok();
    if !can_run() || !has_git {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    versions(dir.path());
    let work = dir.path().join("old");
    let git = |args: &[&str]| {
        let mut command = std::process::Command::new("git");
        command.args(["-c", "user.name=x", "-c", "user.email=x@y"]);
        let done = command.args(args).current_dir(&work).output().unwrap();
        assert!(done.status.success(), "{args:?}: {}", stderr(&done));
    };
    git(&["init", "-q", "."]);
    git(&["add", "-A"]);
    git(&["commit", "-qm", "old"]);
    let price = std::fs::read_to_string(dir.path().join("new/shop/price.py")).unwrap();
    written(&work, "shop/price.py", &price);
    git(&["commit", "-qam", "new"]);
    let compared = |range: &str| {
        let mut command = std::process::Command::new(BINARY);
        command.args(["diff", range, "--no-packages"]);
        command.current_dir(&work).output().unwrap()
    };
    let run = compared("HEAD~1..");
    assert!(
        stdout(&run).starts_with("shop/price.py: different\n"),
        "{}",
        stderr(&run)
    );
    assert!(stdout(&run).ends_with("1 file with another text: 1 different\n"));
    let wrong = compared("nothing..HEAD");
    assert!(stderr(&wrong).contains("revision nothing cannot be checked out"));
    assert_eq!(wrong.status.code(), Some(TROUBLE));
    assert!(stderr(&compared("x.py")).contains("name a second version"));
}

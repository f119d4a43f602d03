//! Input statements and what becomes of them, form by form.

use super::*;

fn inlined(source: &str, stdin: &str) -> Inlined {
    inline_input(source, stdin).unwrap()
}

/// The program is inlined in full, as `expected`.
#[track_caller]
fn whole(source: &str, stdin: &str, expected: &str) {
    let result = inlined(source, stdin);
    assert_eq!(result.source, expected);
    assert!(result.complete, "{}", result.source);
}

/// The program is inlined to `expected`, with `left` still to be read.
#[track_caller]
fn part(source: &str, stdin: &str, expected: &str, left: &str) {
    let result = inlined(source, stdin);
    assert_eq!(
        (result.source.as_str(), result.stdin.as_str()),
        (expected, left)
    );
    assert!(!result.complete);
}

#[test]
fn straight_lines() {
    whole("s = input()\n", "a b\n", "s = 'a b'\n");
    whole("n = int(input())\n", " -7 \n", "n = -7\n");
    whole("x = float(input())\n", "3\n", "x = 3.0\n");
    whole("w = input().split()\n", "a b\n", "w = ['a', 'b']\n");
    whole(
        "a = list(map(int, input().split()))\n",
        "1 2\n",
        "a = [1, 2]\n",
    );
    whole(
        "a, b = map(int, input().split())\n",
        "1 2\n",
        "a, b = 1, 2\n",
    );
    whole(
        "a, *b = map(int, open(0).read().split())\n",
        "1 2\n3",
        "a, *b = 1, 2, 3\n",
    );
    whole(
        "a = [int(x) - 1 for x in input().split()]\n",
        "1 2\n",
        "a = [0, 1]\n",
    );
    whole(
        "a = [*map(int, input().split())]\n",
        "1 2\n",
        "a = [1, 2]\n",
    );
    whole("a = tuple(input())\n", "ab\n", "a = ('a', 'b')\n");
    whole(
        "print(sum(map(int, input().split())))\n",
        "1 2\n",
        "print(sum([1, 2]))\n",
    );
    whole(
        "a, b = int(input()), input()\n",
        "1\nx\n",
        "a, b = 1, 'x'\n",
    );
    whole("print(-int(input())**2)\n", "-3\n", "print(-(-3)**2)\n");
    whole("print(int(input()).real)\n", "3\n", "print((3).real)\n");
    whole("x = 1if int(input())else 2\n", "3\n", "x = 1if 3 else 2\n");
}

#[test]
fn streams() {
    let import = "import sys\n";
    let program = |text: &str| format!("{import}{text}");
    let case = |text: &str, stdin, expected: &str| whole(&program(text), stdin, &program(expected));
    case("s = sys.stdin.readline()\n", "a\nb\n", "s = 'a\\n'\n");
    case("s = sys.stdin.readline()\n", "a", "s = 'a'\n");
    case("s = sys.stdin.readline()\n", "", "s = ''\n");
    case("s = sys.stdin.readline().rstrip()\n", "a\n", "s = 'a'\n");
    case("s = sys.stdin.read()\n", "a\nb", "s = 'a\\nb'\n");
    case("s = sys.stdin.readlines()\n", "a\nb", "s = ['a\\n', 'b']\n");
    case(
        "for l in sys.stdin:\n    print(l)\n",
        "a\nb\n",
        "for l in ['a\\n', 'b\\n']:\n    print(l)\n",
    );
    case(
        "s = sys.stdin.buffer.read().split()\n",
        "a b",
        "s = [b'a', b'b']\n",
    );
    case(
        "input = sys.stdin.readline\nn = int(input())\ns = input()\n",
        "1\nx\n",
        "input = sys.stdin.readline\nn = 1\ns = 'x\\n'\n",
    );
    whole(
        "from sys import stdin as f\nread = f.readline\na = read().split()\n",
        "1 2\n",
        "from sys import stdin as f\nread = f.readline\na = ['1', '2']\n",
    );
    whole("s = open(0).readlines()\n", "a\n", "s = ['a\\n']\n");
}

#[test]
fn loops() {
    whole(
        "n = int(input())\na = [input() for _ in range(n)]\n",
        "2\nx\ny\n",
        "n = 2\na = ['x', 'y']\n",
    );
    whole(
        "n, m = map(int, input().split())\na = [list(map(int, input().split())) for i in range(n)]\n",
        "2 1\n3\n4\n",
        "n, m = 2, 1\na = [[3], [4]]\n",
    );
    whole(
        "print(sum(int(input()) for _ in range(2)))\n",
        "1\n2\n",
        "print(sum([1, 2]))\n",
    );
    // in sequence if the variable does not count
    whole(
        "for i in range(1, 3):\n    x = input()\n",
        "a\nb\n",
        "inputs = iter(['a', 'b'])\nfor i in range(1, 3):\n    x = next(inputs)\n",
    );
    whole(
        "while True:\n    n = int(input())\n    if n == 0:\n        break\n    print(n)\nprint(9)\n",
        "2\n0\n",
        "inputs = iter([2, 0])\nwhile True:\n    n = next(inputs)\n    if n == 0:\n        break\n    \
         print(n)\nprint(9)\n",
    );
    whole(
        "for _ in range(int(input())):\n    n = int(input())\n    for j in range(n):\n        \
         print(input())\n",
        "2\n1\na\n2\nb\nc\n",
        "inputs = [1, 2]\ninputs_2 = iter(['a', 'b', 'c'])\nfor _ in range(2):\n    n = inputs[_]\n    \
         for j in range(n):\n        print(next(inputs_2))\n",
    );
}

#[test]
fn a_read_whose_failure_is_caught() {
    whole(
        "for i in range(2):\n    try:\n        n = int(input())\n    except ValueError:\n        \
         continue\n    print(n)\n",
        "1\n2\n",
        "inputs = [1, 2]\nfor i in range(2):\n    try:\n        n = inputs[i]\n    \
         except ValueError:\n        continue\n    print(n)\n",
    );
    // `f` may fail before anything is read
    let unsure =
        "try:\n    n = list(map(f, input().split()))\nexcept NameError:\n    pass\nx = input()\n";
    part(unsure, "1\n2\n", unsure, "1\n2\n");
}

#[test]
fn functions() {
    whole(
        "def main():\n    n = int(input())\n    for i in range(n):\n        print(input())\n\n\
         if __name__ == '__main__':\n    main()\n",
        "2\na\nb\n",
        "def main():\n    n = 2\n    inputs = ['a', 'b']\n    for i in range(n):\n        \
         print(inputs[i])\n\nif __name__ == '__main__':\n    main()\n",
    );
    whole(
        "I = lambda: int(input())\ndef L(t=int): return [t(x) for x in input().split()]\n\
         n = I()\na = L()\nb = L(str)\n",
        "1\n2 3\nc\n",
        "I = lambda: int(input())\ndef L(t=int): return [t(x) for x in input().split()]\n\
         n = 1\na = [2, 3]\nb = ['c']\n",
    );
    whole(
        "def solve():\n    n = int(input())\n    print(n)\n    return n\nsolve()\nsolve()\n",
        "1\n2\n",
        "inputs = iter([1, 2])\ndef solve():\n    n = next(inputs)\n    print(n)\n    return n\n\
         solve()\nsolve()\n"
            .replace("inputs = iter([1, 2])\ndef", "def")
            .replace(
                "solve()\nsolve()\n",
                "inputs = iter([1, 2])\nsolve()\nsolve()\n",
            )
            .as_str(),
    );
}

#[test]
fn prompts_are_still_printed() {
    whole(
        "n = int(input('n? '))\n",
        "3\n",
        "print('n? ', end=\"\")\nn = 3\n",
    );
    whole(
        "if True: n = int(input('n? '))\n",
        "3\n",
        "if True: print('n? ', end=\"\"); n = 3\n",
    );
    part(
        "x = 1 + int(input('n? '))\n",
        "3\n",
        "x = 1 + int(input('n? '))\n",
        "3\n",
    );
}

#[test]
fn where_the_order_is_uncertain_the_rest_is_left() {
    // whether `b` reads the second line or the third depends on what runs
    part(
        "import random\na = input()\nif random.random() < 2:\n    x = input()\nb = input()\n",
        "1\n2\n3\n",
        "import random\na = '1'\nif random.random() < 2:\n    x = input()\nb = input()\n",
        "2\n3\n",
    );
    // no one reads after it
    whole(
        "import random\na = input()\nif random.random() < 2:\n    x = input()\n",
        "1\n2\n",
        "import random\na = '1'\nif random.random() < 2:\n    x = '2'\n",
    );
    // a function that may have returned
    part(
        "def f(x):\n    a = input()\n    if g(x):\n        return\n    b = input()\n\
         def g(x):\n    return x\nf(1)\nc = input()\n",
        "1\n2\n3\n",
        "def f(x):\n    a = '1'\n    if g(x):\n        return\n    b = input()\n\
         def g(x):\n    return x\nf(1)\nc = input()\n",
        "2\n3\n",
    );
    // a loop that may have ended
    part(
        "for i in range(2):\n    x = input()\n    if hash(x) == 1:\n        break\ny = input()\n",
        "1\n2\n3\n",
        "for i in range(2):\n    x = input()\n    if hash(x) == 1:\n        break\ny = input()\n",
        "1\n2\n3\n",
    );
    // left early for code that this input does not reach otherwise
    let early = "def f():\n    for i in range(3):\n        x = input()\n        if hash(x) == 1:\n            \
                 break\n        if x == '2':\n            return\n    y = input()\nf()\n";
    part(early, "1\n2\n3\n", early, "1\n2\n3\n");
    // an exception may have come between
    part(
        "try:\n    a = int(input())\n    b = int(input())\nexcept ValueError:\n    pass\nc = input()\n",
        "1\n2\n3\n",
        "try:\n    a = int(input())\n    b = int(input())\nexcept ValueError:\n    pass\nc = input()\n",
        "1\n2\n3\n",
    );
}

#[test]
fn what_cannot_be_seen_through_is_left() {
    let same = |source: &str| {
        let stdin = "1\n2\n";
        let result = inlined(source, stdin);
        assert_eq!(
            (result.source.as_str(), result.stdin.as_str()),
            (source, stdin)
        );
        assert!(!result.complete, "{source}");
    };
    for source in [
        "f = eval('input')\nx = input()\n",
        "import os\nx = input()\ny = os.read(0, 1)\n",
        "import sys\nx = input()\ny = sys.stdin.buffer.read()\n",
        "import sys\nx = input()\nsys.stdin.seek(0)\n",
        "x = open('/dev/stdin').read()\n",
        "import mine\nx = input()\n",
        "a = input()\nb = input()\nprint(a is b)\n",
        "def g():\n    yield input()\nfor x in g():\n    print(x)\n",
        "class A:\n    def f(self):\n        return input()\nx = A().f()\n",
        "def f(g):\n    return g()\nx = f(input)\n",
        "for line in iter(input, ''):\n    print(line)\n",
        "fs = [input]\nx = fs[0]()\n",
        "print(f'{input()}')\n",
        "while True:\n    try:\n        x = input()\n    except EOFError:\n        break\n",
    ] {
        same(source);
    }
    // not Python's
    whole(
        "def input():\n    return 5\nx = input()\ny = x\n",
        "1\n",
        "def input():\n    return 5\nx = input()\ny = x\n",
    );
}

#[test]
fn conversions_that_fail_still_fail() {
    whole("n = int(input())\n", "x\n", "n = int('x')\n");
    whole(
        "a, b = map(int, input().split())\n",
        "1 2 3\n",
        "a, b = map(int, ['1', '2', '3'])\n",
    );
    part(
        "a = input()\nb = input()\n",
        "x\n",
        "a = 'x'\nb = input()\n",
        "",
    );
}

// The modules that need no browser: states, values, loops, queries, links, comparison.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { module, repository, run, trace, withoutCodexec } from "./support.mjs";

let execution, values, query, syntax, visits, loops, link, comparison, stack, moves, align, chart, models, caught, frames, heap, odd, view, inline, model;
before(async () => {
  [execution, values, query, syntax, visits, loops, link, comparison, stack, moves, align, chart, models, caught, frames, heap, odd, view, inline, model] = await Promise.all(
    ["execution", "values", "query", "syntax", "visits", "loops", "link", "compare", "stack", "moves", "align", "chart", "model", "caught", "frames", "heap", "odd", "view", "inline", "model"].map(module),
  );
});

const ALIASES = `
class Node:
    def __init__(self, value):
        self.value = value
        self.next = None

def grow(items):
    items.append(len(items))
    del items[0]
    return items

a = [1]
b = a
c = [[1], a, (a, {1, 2})]
a.append(a)
n = Node(3)
n.next = n
for i in range(3):
    grow(b)
    x = i
    del x
`;

function states(read) {
  const found = [];
  for (let step = 0; step < read.count; step++) {
    const bindings = execution.bindingsAt(read, read.frameAt[step], step);
    found.push(bindings.map(({ name, value }) => [name, value.type, value.text, value.objects]));
  }
  return found;
}

describe("states", { skip: withoutCodexec }, () => {
  const examples = readdirSync(join(repository, "examples")).filter((name) => name.endsWith(".py"));
  for (const name of [...examples, "aliases"]) {
    test(`${name}: changes and whole states give the same states`, () => {
      const program = name === "aliases" ? ALIASES : join(repository, "examples", name);
      const whole = trace(program, ["--engine", "run"], "aliases.py");
      const changes = run(program, [], "aliases.py");
      const expected = whole.steps.map((step) =>
        Object.entries(step.state).map(([key, value]) => [key, value.type, value.text, value.objects ?? null]),
      );
      assert.deepEqual(states(execution.readExecution(whole)), expected);
      assert.deepEqual(states(execution.readExecution(changes)), expected);
    });
  }

  test("a trace without frames has those of its calls", () => {
    const whole = trace("def f(n):\n    return n + 1\nx = f(f(1))\n", ["--engine", "run"], "frames.py");
    const { frames, ...bare } = whole;
    bare.steps = whole.steps.map(({ frame, ...step }) => step);
    assert.equal(frames.length, 3);
    const read = execution.readExecution(bare);
    assert.deepEqual([...read.frameAt], whole.steps.map((step) => step.frame ?? 0));
  });
});

test("values: every canonical text is read, and its objects are numbered in order", () => {
  const objects = (text, numbers) => {
    const found = [];
    const visit = (node) => {
      if (node.kind === "atom") return;
      found.push([node.type, node.object]);
      for (const entry of node.entries) {
        if (entry.key !== null) visit(entry.key);
        visit(entry.value);
      }
    };
    visit(values.readValue(text, numbers));
    return found;
  };
  assert.deepEqual(objects("[[1], [1, [...]], ([1, [...]], {1, 2})]", [2, 3, 1, 1, 1, 1, 4]), [
    ["list", 2],
    ["list", 3],
    ["list", 1],
    ["list", 1],
    ["tuple", null],
    ["list", 1],
    ["list", 1],
    ["set", 4],
  ]);
  assert.deepEqual(objects("<Node v=3 next=<Node ...> seen=[3]>", [5, 5, 6]), [
    ["Node", 5],
    ["Node", 5],
    ["list", 6],
  ]);
  const mixed =
    "[frozenset({3}), set(), {}, Counter({'a': 2, 'b': 1}), OrderedDict({'a': 1}), <bytearray>, <date>, <function>, range(0, 3), 1j, (1+2j), -1e-05, b'x', 'it\\'s'...<88 more>]";
  assert.deepEqual(
    objects(mixed, [13, 14, 15, 16, 17, 18, 11]).map(([type]) => type),
    ["list", "frozenset", "set", "dict", "Counter", "OrderedDict", "bytearray", "date"],
  );
  assert.equal(values.readValue("[1, 2, ...<44 more>]", [1]).cut, "...<44 more>");
  assert.equal(values.readValue("[1]", [1, 2]).kind, "atom", "other numbers than objects");
  for (const odd of ["", "[", "<", "<a b>", "{1: }", "{".repeat(5000), "a b", "['x", "]"]) {
    assert.equal(values.readValue(odd, null).kind, "atom", odd.slice(0, 10));
  }
  assert.equal(values.unquote("'a\\nb\\u00e9\\''"), "a\nbé'");
  assert.equal(values.numberOf("-1e-05"), -1e-5);
});

test("queries are read", () => {
  const parse = query.parseQuery;
  assert.equal(parse("  "), null);
  assert.deepEqual(parse("x > 10"), { kind: "compare", name: "x", attributes: [], operator: ">", literal: "10" });
  assert.deepEqual(parse("self.a.b='q'"), {
    kind: "compare",
    name: "self",
    attributes: ["a", "b"],
    operator: "==",
    literal: "'q'",
  });
  assert.deepEqual(parse("x changed"), { kind: "changed", name: "x" });
  assert.deepEqual(parse("line:7"), { kind: "line", line: 7 });
  assert.deepEqual(parse("line: lib/a b.py : 7"), { kind: "line", line: 7, file: "lib/a b.py" });
  assert.deepEqual(parse("f:g()"), { kind: "call", name: "g" });
  for (const text of ["line:abc", "line:", "line:7:", "x >", "x =", "len(grid) > 3", "grid[0] == 3", "grid[0] changed", "x > y", "x > 3 and y < 2", "call:", "raised"]) {
    assert.equal(query.isMistaken(parse(text)), true, text);
  }
  for (const text of ["x > 10", "x == -1e5", "x == 'a'", "x == [1]", "x == None", "x == deque([])", "x changed", "line:7", "call:f", "some words", "<Node v=3>", "a -> b", "'x > 3'", "raises"]) {
    assert.equal(query.isMistaken(parse(text)), false, text);
  }
  assert.deepEqual(parse("printed:total is"), { kind: "printed", text: "total is" });
  assert.deepEqual(parse("raises"), { kind: "raises" });
  assert.deepEqual(parse("call:f"), { kind: "call", name: "f" });
  assert.deepEqual(parse("some words"), { kind: "text", text: "some words" });
  assert.equal(query.holds("10", ">", "9"), true);
  assert.equal(query.holds("'b'", ">", "\"a\""), true);
  assert.equal(query.holds("[1, 2]", "==", "[1,2]"), true);
  assert.equal(query.holds("nan", "<", "1"), false);
});

test("queries are answered", { skip: withoutCodexec }, () => {
  const read = execution.readExecution(
    run("class A:\n    pass\ndef f(n):\n    return n\na = A()\nfor i in range(4):\n    a.size = f(i) * 5\n    print('got', i)\n1 / 0\n", [], "query.py"),
  );
  const steps = (text) => query.search(read, query.parseQuery(text)).map((hit) => hit.text);
  assert.deepEqual(steps("i > 1"), ["i = 2", "i = 3"]);
  assert.equal(steps("a.size >= 10").length, 2);
  assert.equal(steps("call:f").length, 4);
  assert.deepEqual(steps("printed:GOT 3"), ["prints got 3"]);
  assert.deepEqual(steps("raises"), ["ZeroDivisionError: division by zero"]);
  assert.equal(steps("line:8").length, 4);
  assert.equal(steps("nothing of this").length, 0);
});

test("syntax: loops, names that lines bind, conditions", () => {
  const read = syntax.readSyntax(
    "for a, (b, *c) in x:\n    if a:\n        y = z = 1\n    elif b:\n        q.r += 1\n    else:\n        pass\n\nwhile True:\n    w = [i for i in x]\n# end\n",
  );
  assert.deepEqual(
    read.loops.map(({ kind, line, bodyFirst, last, targets }) => [kind, line, bodyFirst, last, targets]),
    [
      ["for", 1, 2, 7, ["a", "b", "c"]],
      ["while", 9, 10, 10, []],
    ],
  );
  assert.deepEqual(read.assigned.get(3), ["y", "z"]);
  assert.deepEqual(read.assigned.get(5), ["q"]);
  assert.deepEqual([...read.conditions.keys()].sort(), [2, 4, 9]);
  assert.equal(read.lines.length, 11);
});

test("loops: runs and iterations", { skip: withoutCodexec }, () => {
  const source = "for i in range(2):\n    for j in range(3):\n        if j == 1 and i: break\n        k = j\nwhile i < 5:\n    i += 1\n";
  const read = execution.readExecution(run(source, [], "loops.py"));
  const seen = visits.readVisits(read);
  const runs = syntax.readSyntax(source).loops.map((loop) => loops.runsOf(read, seen, 0, 0, loop));
  assert.deepEqual(
    runs.map((all) => all.map((one) => one.iterations.length)),
    [[2], [3, 2], [4]],
  );
  const outer = runs[0];
  assert.equal(loops.positionIn(outer, outer[0].iterations[1] + 1).at, 1);
});

describe("values at the ends of lines", { skip: withoutCodexec }, () => {
  /** For each line what stands there as of a step, counted from 1. */
  function shown(source, name) {
    const read = new model.Model({ label: "", trace: run(source, [], name) });
    return (step, line) => {
      const facts = inline.lineFacts(read, inline.framesShown(read, step - 1), 0, line, step - 1);
      if (facts === null) return null;
      const { condition, printed } = facts;
      return [
        ...(condition === null ? [] : [String(condition)]),
        ...facts.values.map((item) => `${item.name} = ${item.value?.text}`),
        ...(printed === null ? [] : [printed.trimEnd()]),
      ].join(", ");
    };
  }

  test("what an earlier iteration did does not look like what is so now", () => {
    const at = shown("for x in [1, 5]:\n    if x > 3:\n        kind = 'big'\n    else:\n        kind = 'small'\n    print(x, kind)\n", "stale.py");
    assert.deepEqual([1, 2, 3, 5, 6].map((line) => at(4, line)), ["x = 1", "false", null, "kind = 'small'", "1 small"]);
    assert.deepEqual([1, 2, 3, 5, 6].map((line) => at(5, line)), ["x = 5", null, null, null, null], "the second begins");
    assert.deepEqual([1, 2, 3, 5, 6].map((line) => at(7, line)), ["x = 5", "true", "kind = 'big'", null, null]);
    assert.deepEqual([1, 2, 3, 5, 6].map((line) => at(9, line)), ["x = 5", "true", "kind = 'big'", null, "5 big"], "at the end the last one is left");
  });

  test("an inner loop is of the iteration around it, and a condition that is asked next has no answer", () => {
    const at = shown("n = 0\nwhile n < 2:\n    for k in range(2):\n        a = k\n    n += 1\nlast = a\n", "inner.py");
    // 1 n = 0, 2 while, 3 for, 4 a, 5 for, 6 a, 7 for, 8 n = 1, 9 while, 10 for
    assert.deepEqual([2, 4, 5].map((line) => at(7, line)), ["true", "a = 1", null]);
    assert.deepEqual([2, 4, 5].map((line) => at(8, line)), ["", "a = 1", "n = 1"]);
    assert.deepEqual([2, 4, 5].map((line) => at(9, line)), ["true", null, null]);
    assert.deepEqual([3, 4].map((line) => at(10, line)), ["k = 0", null], "the first iteration of the second run");
  });
});

test("loops: the next iteration that changes something", { skip: withoutCodexec }, () => {
  const source =
    "total = 0\nfor i in range(6):\n    seen = 'x'\n    seen = 'y'\n    for j in range(2):\n        if i in (2, 5) and j == 1:\n            total += 1\n";
  const read = execution.readExecution(run(source, [], "changes.py"));
  const seen = visits.readVisits(read);
  const all = syntax.readSyntax(source).loops;
  const [[outer], inner] = all.map((loop) => loops.runsOf(read, seen, 0, 0, loop));
  const next = (which, position) => loops.nextChange(read, 0, loops.targetsIn(all, all[which]), position);
  assert.deepEqual(loops.targetsIn(all, all[0]), ["i", "j"]);
  assert.deepEqual([-1, 0, 1, 2, 4, 5].map((at) => next(0, { run: outer, at })), [0, 2, 2, 5, 5, -1]);
  assert.deepEqual([-1, 0, 1].map((at) => next(1, { run: inner[2], at })), [1, 1, -1]);
  assert.equal(next(1, { run: inner[3], at: -1 }), -1);
});

test("moves: over, out, next visit", { skip: withoutCodexec }, () => {
  const read = execution.readExecution(run("def f(n):\n    m = n\n    return m\nx = f(1)\ny = f(x)\n", [], "moves.py"));
  const calls = stack.readCalls(read);
  const after = moves.stepOver(read, calls, 0);
  assert.equal(execution.valueAt(read, 0, "x", after).text, "1");
  const inside = moves.stepOut(read, calls, 2);
  assert.equal(inside, after);
  assert.equal(read.lines[moves.nextVisit(read, 2)], read.lines[2]);
});

describe("chains of exceptions", { skip: withoutCodexec }, () => {
  /** As the trace tells it, or, without `causes`, as the steps show it. */
  function chainOf(source, step, told = false) {
    const trace = run(source, [], "chain.py");
    if (!told) delete trace.causes;
    const model = new models.Model({ label: "trace", trace });
    return model.chainOf(step?.(model) ?? model.errorStep).map((one) => `${caught.becauseText(one)} (${one.line})`);
  }

  test("a trace tells of the messages, and of what was never raised", () => {
    const called = "def f():\n    raise OSError('gone')\ntry:\n    f()\nexcept OSError:\n    try:\n        1 / 0\n    except ZeroDivisionError:\n        [][0]\n";
    assert.deepEqual(chainOf(called, undefined, true), ["while handling ZeroDivisionError: division by zero (7)", "while handling OSError: gone (2)"]);
    assert.deepEqual(chainOf("raise OSError from KeyError(1)\n", undefined, true), ["caused by KeyError: 1 (null)"]);
    assert.deepEqual(chainOf("try:\n    1 / 0\nexcept ZeroDivisionError:\n    raise OSError from None\n", undefined, true), []);
  });

  test("a raise in a handler, and in what it calls", () => {
    assert.deepEqual(chainOf("try:\n    {}['k']\nexcept KeyError:\n    1 / 0\n"), ["while handling KeyError (2)"]);
    const called = "def f():\n    raise OSError('gone')\ndef g():\n    x = 1\n    1 / (x - 1)\ntry:\n    f()\nexcept OSError:\n    try:\n        g()\n    except ZeroDivisionError:\n        [][0]\n";
    assert.deepEqual(chainOf(called), ["while handling ZeroDivisionError (5)", "while handling OSError: gone (2)"]);
  });

  test("from a name, from another value, from None", () => {
    const source = (cause) => `def f(s):\n    try:\n        return int(s)\n    except ValueError as error:\n        raise OSError(\n            'x',\n        ) from ${cause}\nf('q')\n`;
    assert.deepEqual(chainOf(source("error")), ["caused by ValueError (3)"]);
    assert.deepEqual(chainOf(source("KeyError(1)")), ["caused by KeyError(1) (null)"]);
    assert.deepEqual(chainOf(source("None")), []);
    const kept = "try:\n    int('q')\nexcept ValueError as error:\n    kept = error\nx = 1\nraise OSError from kept\n";
    assert.deepEqual(chainOf(kept), ["caused by ValueError (2)"]);
  });

  test("raising again is no other exception, and what is over is in no chain", () => {
    const again = "def f():\n    try:\n        1 / 0\n    except ZeroDivisionError:\n        raise\ntry:\n    f()\nexcept ZeroDivisionError as error:\n    raise KeyError('k') from error\n";
    const chain = chainOf(again);
    assert.match(chain[0], /^caused by ZeroDivisionError/);
    assert.ok(!chain.some((text) => text.startsWith("while handling")));
    assert.deepEqual(chainOf("for i in range(2):\n    try:\n        {}['k']\n    except KeyError:\n        x = 1\n    if i:\n        1 / 0\n"), []);
    assert.deepEqual(chainOf("def f():\n    try:\n        {}['k']\n    except KeyError:\n        return 1\nf()\n1 / 0\n"), []);
  });

  test("a caught exception has a chain, too", () => {
    const source = "try:\n    try:\n        {}['k']\n    except KeyError:\n        raise OSError('o')\nexcept OSError:\n    pass\n";
    assert.deepEqual(chainOf(source, (model) => model.caught.at(-1).raised), ["while handling KeyError (3)"]);
  });
});

test("calls are told apart by arguments and what they return", { skip: withoutCodexec }, () => {
  const source = "def down(n, path):\n    n -= 1\n    if n > 0:\n        return down(n, path + 'x' * 20)\n    return n\ndef none():\n    pass\ny = down(2, 'a')\nnone()\n";
  const model = new models.Model({ label: "trace", trace: run(source, [], "calls.py") });
  const all = Array.from({ length: model.calls.count }, (_, block) => frames.blockText(model, block));
  assert.deepEqual(all, ["<module>", "down(n=2, path='a') → 0", "down(n=1, path='axxxxxxxxxxxxx…) → 0", "none → None"]);
  const end = model.calls.ends[2];
  assert.equal(frames.leftAt(model, end), 2);
  assert.equal(frames.leftAt(model, end - 1), null);
  assert.equal(frames.returnText(model, 2, end), "→ 0");
  assert.equal(frames.returnText(model, 2, end - 1), "");
  for (let block = 0; block < model.calls.count; block++) {
    for (const step of [model.calls.starts[block], model.calls.ends[block]]) assert.equal(frames.blockAt(model, step, model.calls.levels[block]), block);
  }
});

test("objects: only containers without numbers lack references", { skip: withoutCodexec }, () => {
  const lacks = (source, without) => {
    const traced = run(source, [], "references.py");
    if (without) for (const step of traced.steps) for (const value of Object.values(step.changed)) delete value.objects;
    return heap.lacksNumbers(execution.readExecution(traced));
  };
  const plain = "import math\nclass A: pass\nx = 1\ny = (1, 'a', 2j)\nz = '[1]'\nf = frozenset({1})\nr = range(3)\nb = b'x'\nn = None\nw = '(' * 5000\n";
  assert.equal(lacks(plain, false), false);
  assert.equal(lacks(plain, true), false);
  for (const more of ["q = [1]", "q = (1, [2])", "q = A()", "q = {}", "q = set()", "q = iter([1])"]) {
    assert.equal(lacks(plain + more + "\n", false), false, more);
    assert.equal(lacks(plain + more + "\n", true), true, more);
  }
});

test("objects: what a box leaves out is counted", { skip: withoutCodexec }, () => {
  const model = new models.Model({ label: "trace", trace: run("a = list(range(3000))\nb = list(range(50))\nc = [1]\n", [], "long_list.py") });
  const { boxes } = heap.heapAt(model, model.execution.count - 1);
  assert.deepEqual(boxes.map((box) => [box.rows.length, box.cut]), [[40, "… 2,960 more"], [40, "… 10 more"], [1, null]]);
});

test("objects: what a step changed in them is marked", { skip: withoutCodexec }, () => {
  const source = "class A:\n    pass\na = [1, (2, [3]), 4]\nd = {'x': a, 'y': 1}\no = A()\no.n = 1\ns = {1}\na[2] = 5\nd['y'] = 2\nd['z'] = a\no.n = 2\ns.add(7)\na[1] = (2, a[1][1])\na[1][1].append(8)\nq = 0\n";
  const model = new models.Model({ label: "trace", trace: run(source, [], "cells.py") });
  const marked = (line) => {
    const step = [...model.execution.lines].lastIndexOf(line);
    return heap.heapAt(model, step).boxes.flatMap((box) => box.rows.flatMap((row, at) => (row.changed ? [`${box.type} ${at}`] : [])));
  };
  const expected = { 3: [], 4: [], 8: ["list 2"], 9: ["dict 1"], 10: ["dict 2"], 11: ["A 0"], 12: ["set 1"], 13: [], 14: ["list 1"], 15: [] };
  for (const [line, cells] of Object.entries(expected)) assert.deepEqual(marked(Number(line)), cells, `line ${line}`);
});

test("characters that are not seen are escaped", () => {
  assert.equal(odd.escaped("a\x1b[31m\u202e\u2066\ufeff\0\r\u200b\x9b\ud800b"), "a\\x1b[31m\\u202e\\u2066\\ufeff\\x00\\r\\u200b\\x9b\\ud800b");
  for (const seen of ["tab\tline\n", "שלום é 漢字", "👩‍💻 👩🏽‍🔧 ❤️‍🔥", "\\u202e", ""]) assert.equal(odd.escaped(seen), seen);
  assert.equal(odd.escaped("a\u200db"), "a\\u200db");
  assert.deepEqual(odd.piecesOf("x\u202ey"), ["x", { escape: "\\u202e", title: "U+202E right-to-left override" }, "y"]);
  for (let length = 0; length < 8; length++) assert.equal(odd.escaped(view.brief("👍👍👍👍", length)).includes("\\u"), false);
});

test("small shares are told apart", () => {
  const texts = [0, 0.0004, 0.001, 0.0123, 0.05, 0.0994, 0.0999, 0.1, 0.7, 0.999, 1].map(view.finePercent);
  assert.deepEqual(texts, ["0%", "under 0.1%", "0.1%", "1.2%", "5.0%", "9.9%", "10%", "10%", "70%", "over 99%", "100%"]);
});

test("moves: what is least sure is a step, or else a made up value", { skip: withoutCodexec }, () => {
  const plain = run("a = 1\nb = 2\nc = 3\n", [], "sure.py");
  const read = execution.readExecution(plain);
  const made = [{ line: 3, sure: 0.4 }, { line: 2, sure: 0.9 }, { line: 2, sure: 0.3 }, { line: 1, sure: 1 }, { line: 1 }, { line: 9, sure: 0.1 }];
  assert.deepEqual(moves.leastSure(read, made), [1, 2]);
  assert.deepEqual(moves.leastSure(read), []);
  plain.steps[0].confidence = 0.5;
  assert.deepEqual(moves.leastSure(execution.readExecution(plain), made), [0]);
});

test("links", () => {
  assert.deepEqual(link.readLink("#tab=2&step=5"), { tab: 1, step: 4 });
  assert.deepEqual(link.readLink("#step=0"), { tab: null, step: null });
  assert.equal(link.writeLink(0, 1, 4), "#step=5");
  assert.equal(link.writeLink(1, 2, 4), "#tab=2&step=5");
});

test("comparison: equal, a wrong value, another way", { skip: withoutCodexec }, () => {
  const source = "a = 1\nb = a + 1\nif b > 2:\n    c = 1\nd = 0\n";
  const real = run(source, [], "compare.py");
  const wrong = structuredClone(real);
  wrong.steps[1].changed.b.text = "3";
  const read = execution.readExecution;
  assert.deepEqual(comparison.compare(read(real), read(real)).wrong, []);
  const result = comparison.compare(read(wrong), read(real));
  assert.deepEqual(result.marks, [1]);
  assert.deepEqual(result.wrong, [1, 2, 3]);
  wrong.steps[3].line = 4;
  assert.equal(comparison.compare(read(wrong), read(real)).divergence, 3);
  assert.equal(comparison.sameText("<A>", "<A x=1>"), true);
  assert.equal(comparison.sameText("<A x=2>", "<A x=1>"), false);
});

describe("two versions", { skip: withoutCodexec }, () => {
  const OLD = "def f(n):\n    total = 0\n    for k in range(n):\n        total += k\n    return total\n\nx = f(3)\nprint(x)\n";

  function paired(old, fresh) {
    const [left, right] = [run(old, [], "old.py"), run(fresh, [], "new.py")].map((trace) => execution.readExecution(trace));
    const lines = align.sameLines(old.split("\n"), fresh.split("\n"));
    return { left, right, lines, pair: align.pairUp(left, right, lines) };
  }

  test("lines correspond by their text", () => {
    const lines = align.sameLines(["a", "b", "c", "d", "e"], ["a", "x", "c", "d", "y", "z", "e"]);
    assert.deepEqual([...lines.toNew.entries()].sort(), [[1, 1], [3, 3], [4, 4], [5, 7]]);
    assert.equal(lines.toOld.has(2), false);
  });

  test("a version with another line and the same values does not part", () => {
    const { pair, left } = paired(OLD, OLD.replace("    total = 0\n", "    # starts at nothing\n    total = 0\n    limit = n\n"));
    assert.equal(pair.parts, null);
    assert.deepEqual(pair.oldMarks, []);
    assert.ok([...pair.rowOfOld].every((row, at) => pair.old[row] === at && pair.fresh[row] >= at && at < left.count));
  });

  test("they part where a value becomes another, and where another way is gone", () => {
    const value = paired(OLD, OLD.replace("total += k", "total += 2 * k"));
    const at = value.pair.parts;
    assert.equal(value.left.lines[at.old], 4);
    assert.equal(value.left.lines[at.old], value.right.lines[at.new]);
    assert.equal(execution.valueAt(value.left, value.left.frameAt[at.old], "total", at.old).text, "1");
    assert.equal(execution.valueAt(value.right, value.right.frameAt[at.new], "total", at.new).text, "2");

    const way = paired(OLD, OLD.replace("    return total\n", "    if total:\n        return 7\n    return total\n"));
    assert.equal(way.left.lines[way.pair.parts.old], 5);
    assert.equal(way.right.lines[way.pair.parts.new], 5);
    assert.deepEqual([way.pair.old[way.pair.parts.row], way.pair.fresh[way.pair.parts.row]], [way.pair.parts.old, way.pair.parts.new]);
  });

  test("every step of both has its turn", () => {
    const others = [
      OLD.replace("    return total", "    if n == 4:\n        return 7\n    n = 9\n    return total"),
      OLD.replace("range(n)", "range(n + 3)"),
      "a = 1\nb = 2\n" + OLD,
      OLD + "print('more')\nprint('and more')\n",
      "pass\n",
    ];
    for (const [old, fresh] of others.flatMap((text) => [[OLD, text], [text, OLD]])) {
      const { pair, left, right } = paired(old, fresh);
      const seen = (steps) => [...new Set(steps)].filter((step) => step >= 0);
      assert.deepEqual(seen(pair.old), [...Array(left.count).keys()]);
      assert.deepEqual(seen(pair.fresh), [...Array(right.count).keys()]);
      assert.deepEqual([pair.old.at(-1), pair.fresh.at(-1)], [left.count - 1, right.count - 1], "both end in the last row");
      for (let row = 1; row < pair.old.length; row++) {
        const [one, other] = [pair.old[row] - pair.old[row - 1], pair.fresh[row] - pair.fresh[row - 1]];
        assert.ok(one >= 0 && one <= 1 && other >= 0 && other <= 1 && one + other > 0);
      }
      assert.ok([...pair.rowOfNew].every((row, at) => pair.fresh[row] === at));
    }
  });
});

describe("charts", () => {
  test("many points become few with the same mean", () => {
    const points = Array.from({ length: 10_000 }, (_, at) => [at, at % 2]);
    const thin = chart.thinned(points);
    assert.ok(thin.length <= 600 && thin.length > 300);
    const mean = thin.reduce((sum, point) => sum + point[1], 0) / thin.length;
    assert.ok(Math.abs(mean - 0.5) < 0.01);
    assert.deepEqual(chart.thinned(points.slice(0, 7)), points.slice(0, 7));
  });

  test("axes have round ticks, and one point has room", () => {
    const axes = chart.axesOf([{ name: "a", points: [[0, 0.52], [10, 2.3]] }], false);
    assert.deepEqual(axes.yTicks, [0.5, 1, 1.5, 2, 2.5]);
    assert.deepEqual(chart.axesOf([{ name: "a", points: [[3, 5]] }], false).y.domain().map(Number.isFinite), [true, true]);
    assert.deepEqual(chart.axesOf([], true).x.domain(), [0, 1]);
    assert.deepEqual([0, 0.5, 12_000, 2.5e-4, 1e7].map(chart.short), ["0", "0.5", "12,000", "2.5e-4", "1.0e7"]);
  });

  test("something is never nothing, and counts have whole ticks", () => {
    const { columns, ticks } = chart.columnsOf([["1", 1], ["2", 0], ["3", 10_000]]);
    assert.ok(columns[0].y < columns[1].y && columns[2].y < columns[0].y);
    assert.ok(ticks.length > 2);
    assert.deepEqual(chart.columnsOf([["a", 1]]).ticks.map((tick) => tick.text), ["0", "1"]);
  });

  test("the nearest point is found", () => {
    assert.equal(chart.nearest([[0, 1], [5, 1], [9, 1]], 6), 1);
    assert.equal(chart.nearest([], 6), -1);
  });
});

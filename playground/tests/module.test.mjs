// The module in node: requests and answers, limits, what is made up; and the parts of the page that need no browser.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { planner, source, Trapped, withoutModule } from "./support.mjs";

const { words } = await source("arguments.ts");
const { packed, unpacked } = await source("link.ts");

/** The text of a name after the last step that changed it. */
function last(answer, name) {
  return answer.trace.steps.findLast((step) => step.changed?.[name] !== undefined)?.changed[name].text;
}

describe("module", { skip: withoutModule }, () => {
  it("plans a program with its input and arguments", async () => {
    const answer = (await planner()).plan({
      source: "import sys\nx = int(input()) * int(sys.argv[1])\nprint(x)\n",
      stdin: "6\n",
      arguments: ["7"],
      name: "answer.py",
    });
    assert.equal(answer.trace.program.id, "answer.py");
    assert.equal(last(answer, "x"), "42");
    assert.equal(answer.trace.steps.at(-1).output, "42\n");
    assert.deepEqual(answer.trace.outcome, { kind: "finished" });
    assert.equal(answer.stopped, undefined);
    assert.ok(answer.milliseconds > 0);
  });

  it("says which values are one object", async () => {
    const { trace } = (await planner()).plan({ source: "a = []\nb = a\n" });
    assert.deepEqual(trace.steps[0].changed.a.objects, trace.steps[1].changed.b.objects);
  });

  it("gives the first steps of what never ends", async () => {
    const one = await planner();
    const endless = one.plan({ source: "n = 0\nwhile True:\n    n += 1\n", max_steps: 100 });
    assert.equal(endless.trace.outcome.kind, "step_limit");
    assert.equal(endless.trace.steps.length, 100);
    // One line that never ends has no step of its own.
    const line = one.plan({ source: "x = 1\nany(i < 0 for i in range(10 ** 12))\n", max_milliseconds: 200 });
    assert.equal(line.trace.outcome.kind, "timeout");
    assert.equal(last(line, "x"), "1");
    const grows = one.plan({ source: "x = [0]\nwhile True:\n    x = x + x\n" });
    assert.match(grows.stopped, /more memory/);
    assert.ok(grows.trace.steps.length > 20);
  });

  it("makes up what a package gives that is not there, and marks it", async () => {
    const answer = (await planner()).plan({ source: "import requests\nr = requests.get('x')\nif r.ok:\n    y = 1\n" });
    assert.deepEqual(answer.trace.outcome, { kind: "finished" });
    assert.equal(answer.made_up[0].what, "requests");
    assert.deepEqual(answer.decisions.map(({ what, taken }) => `${what} ${taken}`), ["requests.get().ok is true"]);
    const bound = answer.trace.steps.find((step) => step.changed?.r !== undefined);
    assert.equal(bound.changed.r.origin, "injected");
  });

  it("has files beside the program: modules, packages and data", async () => {
    const files = [
      { path: "shop/__init__.py", text: "from shop.prices import PRICES\n" },
      { path: "shop/prices.py", text: "PRICES = {'pen': 3}\n" },
      { path: "plain.py", text: "def double(n):\n    return 2 * n\n" },
      { path: "data.csv", text: "1,2\n" },
    ];
    const source = "import os\nfrom shop import PRICES\nimport plain\nx = plain.double(PRICES['pen'])\nd = open('data.csv').read()\nnames = sorted(os.listdir('.'))\n";
    const answer = (await planner()).plan({ source, files });
    assert.deepEqual(answer.trace.outcome, { kind: "finished" });
    assert.equal(last(answer, "x"), "6");
    assert.equal(last(answer, "d"), "'1,2\\n'");
    assert.equal(last(answer, "names"), "['data.csv', 'plain.py', 'shop']");
    assert.deepEqual(answer.trace.files.map((file) => file.path), ["prog.py", "shop/__init__.py", "shop/prices.py", "plain.py"]);
    const out = (await planner()).plan({ source: "x = open('../secret').read()\n", files: [{ path: "../secret", text: "no" }] });
    assert.notEqual(last(out, "x"), "'no'", "what is outside is not there");
  });

  it("gives other worlds where made up values decide", async () => {
    const source = "import shop\nif shop.open():\n    x = 1\nelse:\n    x = 2\n";
    const { others, ...first } = (await planner()).plan({ source, worlds: 3 });
    assert.equal(last(first, "x"), "1");
    assert.deepEqual(others.map((world) => last(world, "x")), ["2"]);
    assert.ok(first.probability > 0 && others[0].decisions.some((one) => one.other));
    const alone = (await planner()).plan({ source });
    assert.equal(alone.others, undefined);
  });

  it("makes up names only where it is asked to, and knows modules by their names", async () => {
    const one = await planner();
    const text = "y = math.floor(2.5)\nz = rows\n";
    assert.equal(one.plan({ source: text }).trace.outcome.exception, "NameError");
    const injected = one.plan({ source: text, inject: true });
    assert.equal(last(injected, "y"), "2");
    assert.deepEqual(injected.made_up.map(({ what }) => what), ["rows"]);
  });

  it("takes the way that leads further, and ends loops on what is made up", async () => {
    const one = await planner();
    const guarded = one.plan({ source: "if not rows:\n    raise ValueError\ndone = 1\n", inject: true });
    assert.equal(last(guarded, "done"), "1");
    const loop = one.plan({ source: "n = 0\nwhile queue.waits():\n    n += 1\n", inject: true });
    assert.deepEqual(loop.trace.outcome, { kind: "finished" });
    assert.equal(last(loop, "n"), "2");
  });

  it("lets a program handle the file that it expects to miss", async () => {
    const text = "try:\n    open('a')\nexcept FileNotFoundError:\n    x = 1\n";
    assert.equal(last((await planner()).plan({ source: text }), "x"), "1");
  });

  it("says in CPython's words what is no Python", async () => {
    const one = await planner();
    const long = `${"# filler\n".repeat(400)}print 'a'\n`;
    for (const text of ["print 'a'\n", long]) {
      const { outcome } = one.plan({ source: text }).trace;
      assert.match(outcome.message, /Missing parentheses in call to 'print'/);
    }
  });

  it("says so where a network could be asked", async () => {
    const answer = (await planner()).plan({ source: "x = 'a'\nwhile True:\n    x += x\n" });
    assert.match(answer.stopped, /line 3: .*a network could be asked, and there is none here/);
  });

  it("refuses a request that it cannot read", async () => {
    const one = await planner();
    assert.throws(() => one.plan({ sauce: "" }), /the request cannot be read/);
    assert.equal(last(one.plan({ source: "x = 1\n" }), "x"), "1");
  });

  it("traps on what is nested too deeply for the stack, and says so", async () => {
    const one = await planner();
    assert.throws(() => one.plan({ source: `x = ${"-".repeat(50_000)}1\n` }), Trapped);
    assert.equal(last((await planner()).plan({ source: "x = 1\n" }), "x"), "1");
  });
});

describe("page", () => {
  it("takes arguments apart as a shell does", () => {
    assert.deepEqual(words("a  'b c' \"d \\\" e\" f\\ g x'y'z"), ["a", "b c", 'd " e', "f g", "xyz"]);
    assert.deepEqual(words("  "), []);
  });

  it("packs programs into links", async () => {
    const files = [{ path: "a.py", text: "x = 1\n" }];
    const given = [{ line: 3, kind: "call", what: "rows", value: "[...]" }];
    const shared = { source: "print('ä €')\n".repeat(50), stdin: "1\n", arguments: "", inject: true, fold: "operators", files, given };
    const text = await packed(shared);
    assert.match(text, /^[\w-]+$/);
    assert.ok(text.length < 180);
    assert.deepEqual(await unpacked(text), shared);
    await assert.rejects(unpacked("nothing"));
  });

  it("refuses links that unpack to too much", async () => {
    const text = await packed({ source: "a".repeat(2_000_000), stdin: "", arguments: "", inject: false, fold: "methods", files: [], given: [] });
    await assert.rejects(unpacked(text), /too large/);
  });
});

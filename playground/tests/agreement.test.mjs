// The module and the binary say the same of the same program: its steps and how it ends.

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { checker, output, planner, repository, traced, Trapped, withoutChecker, withoutCodexec, withoutModule } from "./support.mjs";

const FOLDERS = ["tests/fixtures/plan", "tests/fixtures/methods", "examples"];
/** Of programs that miss values. */
const INCOMPLETE = ["tests/fixtures/unknown", "tests/fixtures/check", "tests/fixtures/docs"];
/** As many steps as the binary writes. */
const STEPS = 1024;
/** Programs on which they may differ, and why. README.md says more of each kind. */
const KNOWN = JSON.parse(readFileSync(new URL("known_differences.json", import.meta.url), "utf8"));

function programsOf(folders) {
  return folders.flatMap((folder) =>
    readdirSync(join(repository, folder))
      .filter((name) => name.endsWith(".py"))
      .map((name) => join(folder, name)),
  );
}

/** What is compared of a trace. */
function compared(trace) {
  return { steps: trace.steps, outcome: trace.outcome };
}

/** Where two traces differ first, in words; null where they do not. */
function difference(own, other) {
  const [a, b] = [compared(own), compared(other)];
  const most = Math.max(a.steps.length, b.steps.length);
  for (let at = 0; at < most; at++) {
    const [one, two] = [a.steps[at], b.steps[at]];
    if (JSON.stringify(one) === JSON.stringify(two)) continue;
    return `step ${at + 1}: ${JSON.stringify(one)?.slice(0, 400)} but the binary has ${JSON.stringify(two)?.slice(0, 400)}`;
  }
  return JSON.stringify(a.outcome) === JSON.stringify(b.outcome)
    ? null
    : `outcome: ${JSON.stringify(a.outcome)} but the binary has ${JSON.stringify(b.outcome)}`;
}

/** The lines that are gone through, and how it ends. */
function way({ steps, outcome }) {
  return `${steps.map(({ line, event }) => `${event} ${line}`).join(", ")}, ${outcome.kind}`;
}

/** Of programs that miss values, those that go another way than the binary says, by what `plan` makes of a request. */
function otherWays(plan) {
  const programs = programsOf(INCOMPLETE).flatMap((path) => [path, `${path} --inject`]);
  const differ = {};
  for (const program of programs) {
    const [path, ...options] = program.split(" ");
    const source = readFileSync(join(repository, path), "utf8");
    const other = traced(source, options);
    const own = plan({ source, inject: options.length > 0, max_steps: STEPS, max_milliseconds: 60_000 });
    if (way(own.trace) !== way(other)) differ[program] = `${way(own.trace)} but the binary has ${way(other)}`;
  }
  console.log(`${programs.length - Object.keys(differ).length} of ${programs.length} go the same way`);
  return differ;
}

/** That what differs is known, and that what is known still differs. */
function expect(differ, known) {
  const unknown = Object.keys(differ).filter((path) => !Object.hasOwn(known, path));
  assert.deepEqual(unknown.map((path) => `${path}: ${differ[path]}`), []);
  assert.deepEqual(Object.keys(known).filter((path) => !Object.hasOwn(differ, path)), [], "these agree now");
}

/** Calls, and where their arguments are drawn from. */
const FLOATS = [
  ...["exp", "expm1", "exp2", "sinh", "cosh", "tanh"].map((name) => [`math.${name}(?)`, [-5, 5]]),
  ...["log", "log2", "log10", "log1p"].map((name) => [`math.${name}(?)`, [1e-5, 1000]]),
  ...["sin", "cos", "tan", "atan", "asinh"].map((name) => [`math.${name}(?)`, [-100, 100]]),
  ...["asin", "acos", "atanh"].map((name) => [`math.${name}(?)`, [-0.999, 0.999]]),
  ["math.acosh(?)", [1, 50]],
  ["? ** ?", [0, 100], [-10, 10]],
  ["math.atan2(?, ?)", [-50, 50], [-10, 10]],
  ["math.hypot(?, ?)", [-50, 50], [-10, 10]],
];

/** Functions that glibc puts together of others, so that theirs differ from the correctly rounded ones more often. */
const COMPOSED = ["acosh", "asinh", "atanh", "cosh", "log10", "tanh"];

describe("module and binary", { skip: withoutModule || withoutCodexec }, () => {
  it("agree on every fixture, but for the known ones", async () => {
    let instance = await planner();
    const programs = programsOf(FOLDERS);
    const [agree, differ] = [[], {}];
    for (const path of programs) {
      const source = readFileSync(join(repository, path), "utf8");
      const given = join(repository, path.replace(/\.py$/, ".in"));
      const stdin = existsSync(given) ? readFileSync(given, "utf8") : undefined;
      const options = stdin === undefined ? [] : ["--input", stdin];
      const other = traced(source, options);
      let why;
      try {
        const request = { source, stdin, max_steps: STEPS, max_milliseconds: 60_000 };
        why = difference(instance.plan(request).trace, other);
      } catch (error) {
        if (!(error instanceof Trapped)) throw error;
        why = `trap: ${error.message}`;
        instance = await planner();
      }
      if (why === null) agree.push(path);
      else differ[path] = why;
    }
    writeFileSync(join(output, "differences.json"), JSON.stringify(differ, null, 1));
    console.log(`${agree.length} of ${programs.length} agree`);
    expect(differ, KNOWN.fixtures);
  });

  it("go the same way through programs that miss values, but for the known ones", async () => {
    const instance = await planner();
    expect(otherWays((request) => instance.plan(request)), KNOWN.incomplete);
  });

  it("make up the same values where the module has the predictors", { skip: withoutChecker }, async () => {
    const instance = await checker();
    expect(otherWays((request) => instance.ask(request)), KNOWN.predicted);
    const source = "n = limit\nfor row in rows():\n    print(row.count + n)\n";
    const given = [{ line: 3, kind: "attribute", what: "count", value: "5" }];
    const own = instance.ask({ source, inject: true, given });
    assert.equal(difference(own.trace, traced(source, ["--inject", "--set", "3:.count=5"])), null);
    assert.deepEqual(own.edits, [{ ...given[0], option: "3:.count=5" }]);
    assert.throws(() => instance.ask({ source, inject: true, given: [{ ...given[0], value: "f()" }] }), /is no literal of Python/);
    assert.throws(() => instance.plan({ source, inject: true, given }), /the checker's module alone/);
  });

  it("compute the same functions of floats, but for a digit of a few arguments", async () => {
    const instance = await planner();
    let seed = 1;
    const draw = (from, to) => {
      seed = (seed * 48271) % 2147483647;
      return from + ((to - from) * seed) / 2147483647;
    };
    const COUNT = 200;
    const counts = {};
    for (const [call, ...ranges] of FLOATS) {
      const calls = Array.from({ length: COUNT }, () => ranges.reduce((text, [from, to]) => text.replace("?", draw(from, to)), call));
      const source = `import math\n${calls.map((text) => `print(${text})\n`).join("")}`;
      const outputs = ({ steps }) => steps.slice(1).map((step) => step.output);
      const [own, other] = [outputs(instance.plan({ source }).trace), outputs(traced(source))];
      assert.equal(other.length, COUNT);
      counts[call] = other.filter((text, at) => text !== own[at]).length;
    }
    console.log(JSON.stringify(counts));
    for (const [call, count] of Object.entries(counts)) {
      const most = COMPOSED.some((name) => call.startsWith(`math.${name}(`)) ? COUNT / 4 : COUNT / 50;
      assert.ok(count <= most, `${call}: ${count} of ${COUNT} differ`);
    }
  });
});

// The module and the binary find the same errors, as surely and for the same reasons; and the network answers as the binary's does.

import assert from "node:assert/strict";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { checker, found, output, repository, traced, withoutChecker, withoutCodexec } from "./support.mjs";

/** Programs of all sorts: errors of types, names, indices and keys, of made-up input and arguments, and none at all. */
const PROGRAMS = [
  ["a type", "def label(n):\n    return 'item ' + n\n\nprint(label(3))\n"],
  ["an index behind the end", "xs = [3, 1, 2]\nfor i in range(len(xs)):\n    if xs[i] > xs[i + 1]:\n        print(i)\n"],
  ["a key that is not there", "ages = {'ada': 36}\nfor name in ('ada', 'bob'):\n    print(name, ages[name])\n"],
  ["a name that is misspelt", "total = 0\nfor k in range(3):\n    total += k\nprint(totl)\n"],
  ["a method that no module has", "import math\n\ndef area(r):\n    return math.py * r ** 2\n"],
  ["an input that is made up", "n = int(input())\nxs = [int(x) for x in input().split()]\nprint(100 // (n - n))\n"],
  ["a function that nothing calls", "def mean(values):\n    return sum(values) / len(values)\n\ndef shout(text):\n    return text.uper()\n"],
  ["what another function gives", "def first(xs):\n    for x in xs:\n        if x > 10:\n            return x\n\nprint(first([1, 2, 3]) + 1)\n"],
  ["a text that does not parse", "def f(:\n    return 1\n"],
  ["a comment that hides one", "x = 1 / 0  # codexec: ignore[ZeroDivisionError]\n"],
  ["no error", "import json\nrows = json.loads('[1, 2]')\nprint(sum(rows))\n"],
  ["a class", "class Stack:\n    def __init__(self):\n        self.items = []\n\n    def pop(self):\n        return self.item.pop()\n\nStack().pop()\n"],
];
const FOLDERS = ["tests/fixtures/check", "tests/fixtures/check_packages"];

/** What is compared of an answer. Products of a network differ in the last digits. */
function compared(answer) {
  const plain = ({ sentence: _, ...finding }) => ({ ...finding, probability: Number(finding.probability.toFixed(5)) });
  const { findings, error_probability, notes } = answer;
  return JSON.parse(JSON.stringify({ findings: findings.map(plain), error_probability, notes }));
}

describe("findings", { skip: withoutChecker || withoutCodexec }, () => {
  for (const [what, source] of PROGRAMS) {
    it(`are those of the binary: ${what}`, async () => {
      const own = (await checker()).check({ source, name: "-" });
      assert.deepEqual(compared(own), compared(found(source)));
      for (const finding of own.findings) assert.ok(finding.sentence.startsWith(finding.kind));
    });
  }

  it("are those of the binary for the fixtures", async () => {
    const differ = {};
    const names = FOLDERS.flatMap((folder) =>
      readdirSync(join(repository, folder))
        .filter((name) => name.endsWith(".py"))
        .map((name) => join(folder, name)),
    );
    const instance = await checker();
    for (const name of names) {
      const source = readFileSync(join(repository, name), "utf8");
      const [own, other] = [instance.check({ source, name: "-" }), found(source)];
      if (JSON.stringify(compared(own)) !== JSON.stringify(compared(other))) differ[name] = { own: compared(own), other: compared(other) };
    }
    writeFileSync(join(output, "findings.json"), JSON.stringify(differ, null, 1));
    console.log(`${names.length - Object.keys(differ).length} of ${names.length} have the same findings`);
    assert.deepEqual(differ, {});
  });

  it("follow modules beside the program, and tell what they find there", async () => {
    const files = [{ path: "shop.py", text: "def price(name):\n    return {'tea': 3}[name]\n" }];
    const answer = (await checker()).check({ source: "import shop\nprint(shop.price('ink'))\n", files });
    const all = [...answer.findings, ...(answer.elsewhere ?? []).flatMap(({ findings }) => findings)];
    assert.ok(all.some(({ kind }) => kind === "KeyError"), JSON.stringify(answer));
  });

  it("give the same answer twice, from one instance and from two", async () => {
    const source = PROGRAMS[6][1];
    const one = await checker();
    const first = compared(one.check({ source }));
    assert.deepEqual(compared(one.check({ source })), first);
    assert.deepEqual(compared((await checker()).check({ source })), first);
  });

  it("end where a program takes too long, and say so", async () => {
    const source = "def f(n):\n    while True:\n        n += 1\n\ndef g(n):\n    while True:\n        n -= 1\n\nwhile True:\n    pass\n";
    const begun = performance.now();
    const answer = (await checker()).check({ source, max_milliseconds: 500 });
    assert.ok(performance.now() - begun < 20_000);
    assert.ok(Array.isArray(answer.notes));
  });
});

describe("the network", { skip: withoutChecker || withoutCodexec }, () => {
  const source = "x = 17 * 3\nwords = 'a b c'.split()\nn = len(words) + x\nprint(n)\n";

  it("answers what is not computed, as the binary's does", async () => {
    const instance = await checker(true);
    for (const [fold, option] of [
      ["operators", ["--fold", "operators"]],
      ["nothing", ["--fold", "none"]],
    ]) {
      const own = instance.ask({ source, fold, max_milliseconds: 60_000 });
      const other = traced(source, option);
      const values = ({ steps }) => steps.map(({ line, output, changed }) => [line, output, Object.entries(changed ?? {}).map(([name, value]) => [name, value.text, value.origin])]);
      assert.deepEqual(values(own.trace), values(other), fold);
    }
  });

  it("is asked nothing where all is computed", async () => {
    const instance = await checker(true);
    const origins = (answer) => JSON.stringify(answer.trace).includes('"predicted"');
    assert.equal(origins(instance.ask({ source })), false);
    assert.equal(origins(instance.ask({ source, fold: "nothing", max_milliseconds: 60_000 })), true);
  });

  it("has to have its weights", async () => {
    const instance = await checker();
    assert.throws(() => instance.ask({ source, fold: "nothing" }), /no weights/);
    assert.throws(() => instance.learn(new Uint8Array([1, 2, 3])), /./);
  });
});

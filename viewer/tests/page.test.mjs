// The page in a browser.

import assert from "node:assert/strict";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { after, before, describe, test } from "node:test";
import { documentOf } from "../scripts/fill.mjs";
import { LONG, axe, launch, open, pageFile, repository, run, stepOf, times, trace, viewer, withoutCodexec } from "./support.mjs";

const NESTED = `def square(n):
    result = n * n
    return result

total = 0
for i in range(3):
    for j in range(4):
        total += square(j)
    print("total is", total)
`;

const ALIASES = "a = [1]\nb = a\nc = [1]\nd = {'x': a}\n";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

/** Open a page, use it, and check that nothing went wrong in it. */
async function use(url, action, options) {
  const { page, problems, close } = await open(browser, url, options);
  await action(page, problems);
  assert.deepEqual(problems, []);
  await close();
}

function line(page) {
  return page.textContent(".line.ran .number");
}

async function variable(page, name) {
  return (await page.textContent(`.variables tr:has(.name:text-is("${name}")) td.value`)).trim();
}

async function violations(page) {
  await page.evaluate(axe);
  const result = await page.evaluate(() => globalThis.axe.run(document));
  return result.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 120)).join(" | ")}`);
}

/** A prediction with one wrong value, and the execution. */
function wrongPair() {
  const real = run(NESTED);
  const predicted = structuredClone(real);
  predicted.engine = "predict";
  const at = predicted.steps.findIndex((step) => step.changed.total?.text === "5");
  predicted.steps[at].changed.total.text = "6";
  predicted.steps[at].changed.total.origin = "predicted";
  predicted.steps[at].confidence = 0.4;
  const page = {
    version: 1,
    title: "nested.py",
    tabs: [
      { label: "predicted", trace: predicted },
      { label: "executed", trace: real },
    ],
    compare: { predicted: 0, real: 1 },
  };
  return { page, at };
}

function madeUpPage() {
  const injected = trace("n = data.count()\nif n > 3:\n    print(n)\n", ["--inject"], "made_up.py");
  return {
    version: 1,
    title: "made_up.py",
    tabs: [
      {
        label: "world 1",
        probability: 0.7,
        trace: injected,
        made_up: [
          { line: 1, kind: "name", what: "data", value: "<StandIn>" },
          { line: 1, kind: "call", what: "data.count()", value: "4", class: "int", sure: 0.85 },
        ],
        decisions: [{ line: 2, what: "n > 3", taken: "is true", sure: 0.5, other: false }],
      },
      { label: "world 2", probability: 0.3, trace: injected },
    ],
    findings: [{ line: 1, column: 5, message: "NameError: name 'data' is not defined", sure: 0.9 }],
    table: {
      title: "Worlds",
      columns: ["world", "ends", "probability"],
      rows: [
        { cells: ["the first", { text: "finished", mark: "good" }, { text: "70.00", number: true, share: 0.7, interval: [0.6, 0.8] }], tab: 0 },
        { cells: ["the other", { text: "raised", mark: "bad" }, { text: "30.00", number: true, share: 0.3 }], tab: 1 },
      ],
    },
  };
}

const MEAN = "def mean(values):\n    total = sum(values)\n    return total / len(values)\n\nempty = []\nresult = mean(empty)\n";

/** A page as `check --explain` makes it: two findings, one with the execution that ends so. */
function findingsPage() {
  const failing = run(MEAN, [], "mean.py");
  const step = failing.steps.findIndex((one) => one.line === 3);
  return {
    version: 1,
    title: "mean.py",
    summary: "It raises with a probability of 99 %.",
    tabs: [
      { label: "line 1: KeyError", trace: run("x = {}\nx[1]\n", [], "other.py") },
      { label: "line 3: ZeroDivisionError", trace: failing },
    ],
    findings: [
      { line: 1, message: "KeyError: 1", sure: 0.6 },
      {
        line: 3,
        column: 12,
        message: "ZeroDivisionError: division by zero",
        sure: 0.99,
        tab: 1,
        step,
        because: [{ step: 1, line: 5, source: "empty = []", what: "empty = []" }],
      },
    ],
    notes: [{ line: 6, text: "not checked further: too many steps" }, { text: "no input was given" }],
    lines: { 3: 0.99 },
    select: 1,
  };
}

/** A page as `diff --html` makes it. */
function versionsPage() {
  const guarded = MEAN.replace("    return total", "    if not values:\n        return 0\n    return total");
  return {
    version: 1,
    title: "old.py and new.py",
    tabs: [
      { label: "old", trace: run(MEAN, [], "old.py") },
      { label: "new", trace: run(guarded, [], "new.py") },
    ],
    versions: [
      {
        old: 0,
        new: 1,
        verdict: "different",
        witness: ["values is []"],
        differences: [{ what: "mean, result", old: "raised ZeroDivisionError: division by zero", new: "0" }],
      },
    ],
  };
}

/** A page of figures alone. */
function figuresPage() {
  const points = Array.from({ length: 50 }, (_, at) => [at / 10, 3 / (at + 1)]);
  return {
    version: 1,
    title: "Figures",
    summary: "What there is to draw.",
    command: "codexec eval --html",
    tabs: [],
    sections: [
      {
        title: "One",
        parts: [
          { kind: "text", text: "A paragraph." },
          {
            kind: "table",
            title: "Scores",
            columns: ["engine", "right"],
            rows: [{ cells: ["plan", { text: "75.00", number: true, share: 0.75, interval: [0.7, 0.8] }] }],
          },
          { kind: "bars", title: "Steps", of: "steps", histogram: true, note: "mean 4", bars: [["1–3", 10], ["4–7", 0], ["8–15", 2]] },
          { kind: "bars", title: "Operators", of: "operator", bars: [["CRP", 5], ["ROR", 1]] },
          { kind: "curves", title: "Loss", x: "million tokens", series: [{ name: "lines", points }, { name: "programs", points: [[6, 1]] }] },
          {
            kind: "curves",
            title: "Confidence",
            x: "mean confidence",
            y: "right",
            is_calibration: true,
            series: [{ name: "trace", points: [[0.2, 0.1], [0.9, 0.95]], notes: ["10 to 20 %", "90 to 100 %"] }],
          },
          {
            kind: "heat",
            title: "A pointer",
            x: "step",
            columns: ["0", "1"],
            rows: [{ name: "   1 x = '</script><img onerror=alert(1)>'", shares: [1, 0.25] }, { name: "error", shares: [0, 0.75], mark: "bad" }],
          },
        ],
      },
    ],
  };
}

describe("page", { skip: withoutCodexec }, () => {
  for (const name of readdirSync(join(repository, "examples")).filter((file) => file.endsWith(".py"))) {
    test(`${name} opens`, async () => {
      const url = pageFile(name, documentOf(run(join(repository, "examples", name))));
      await use(url, async (page) => {
        assert.equal(await page.textContent("h1"), name);
        for (const key of ["ArrowRight", "End", "Home", "b", "b"]) await page.keyboard.press(key);
        assert.equal(await stepOf(page), 1);
      });
    });
  }

  test("keys step, and say what changed", async () => {
    const url = pageFile("keys", documentOf(run(NESTED)));
    await use(url, async (page) => {
      assert.equal(await line(page), "1");
      await page.keyboard.press("n");
      assert.equal(await line(page), "5");
      assert.match(await variable(page, "total"), /^0/);
      for (const key of ["n", "n"]) await page.keyboard.press(key);
      assert.equal(await line(page), "7");
      await page.keyboard.press("o");
      assert.equal(await line(page), "3", "over the call: its return has run");
      assert.match(await variable(page, "total"), /^0/);
      await page.keyboard.press("c");
      assert.equal(await line(page), "3");
      await page.keyboard.press("End");
      assert.match(await variable(page, "total"), /^42/);
      await page.keyboard.press("p");
      await page.keyboard.press("S");
      assert.equal(await stepOf(page), run(NESTED).steps.length - 2);
      await page.keyboard.press("Home");
      assert.equal(await stepOf(page), 1);
      await page.waitForTimeout(700);
      assert.match(await page.textContent("[aria-live]"), /^Step 1 of \d+, line 1 in <module>/);
      await page.keyboard.press("?");
      assert.equal(await page.isVisible("dialog"), true);
      await page.keyboard.press("Escape");
      assert.equal(await page.isVisible("dialog"), false);
    });
  });

  test("a loop's slider moves within its present run", async () => {
    const url = pageFile("loops", documentOf(run(NESTED)));
    await use(`${url}#step=6`, async (page) => {
      const outer = page.locator(".looper").nth(0);
      const inner = page.locator(".looper").nth(1);
      assert.match(await outer.textContent(), /1 of 3/);
      await outer.getByRole("button", { name: /Next iteration/ }).click();
      assert.match(await outer.textContent(), /2 of 3/);
      assert.match(await variable(page, "i"), /^1/);
      await inner.locator("input").fill("3");
      assert.match(await inner.textContent(), /3 of 4/);
      assert.match(await variable(page, "j"), /^2/);
      await inner.locator("input").focus();
      await page.keyboard.press("ArrowRight");
      assert.match(await variable(page, "j"), /^3/);
      assert.equal(await inner.getByRole("button", { name: /Next change/ }).isDisabled(), true);
      await outer.getByRole("button", { name: /First iteration/ }).click();
      await outer.getByRole("button", { name: /Next change/ }).click();
      assert.match(await outer.textContent(), /2 of 3/);
      assert.match(await variable(page, "total"), /^14/);
      await inner.locator("input").fill("1");
      await inner.getByRole("button", { name: /Next change/ }).click();
      assert.match(await inner.textContent(), /2 of 4/);
      await outer.getByRole("button", { name: /Last iteration/ }).click();
      assert.match(await variable(page, "i"), /^2/);
    });
  });

  test("search lists steps and goes to them", async () => {
    const url = pageFile("search", documentOf(run(NESTED)));
    await use(url, async (page) => {
      await page.keyboard.press("/");
      await page.keyboard.type("total > 20");
      assert.match(await page.textContent(".results h2"), /Results\s*4 steps/);
      await page.keyboard.press("Enter");
      assert.match(await variable(page, "total"), /^28/);
      await page.getByRole("button", { name: "Next result" }).click();
      assert.match(await variable(page, "total"), /^29/);
      await page.fill("#search", "printed:is 42");
      assert.equal(await page.locator(".results .row").count(), 1);
      await page.fill("#search", "no such thing");
      assert.match(await page.textContent(".results h2"), /nothing found/);
      assert.equal(await page.locator(".results .note").count(), 0);
      for (const text of ["line:abc", "total >", "len(total) > 3"]) {
        await page.fill("#search", text);
        assert.ok((await page.textContent(".results h2")).includes(`not understood: ${text}`));
        assert.match(await page.textContent(".results .note"), /x > 10, .*line:helper.py:7, .*call:f/);
      }
      await page.fill("#search", "total == 42");
      assert.match(await page.textContent(".results h2"), /Results\s*1 step(?!s)/);
      await page.fill("#search", "f:square");
      assert.match(await page.textContent(".results h2"), /Results\s*12 steps/);
    });
  });

  test("a variable has a lane, and the way to where it was set", async () => {
    const url = pageFile("lane", documentOf(run(NESTED)));
    await use(`${url}#step=9`, async (page) => {
      await page.click(".variables button.name:text-is('i')");
      assert.equal(await page.textContent(".lane-name"), "i");
      await page.keyboard.press("w");
      assert.equal(await line(page), "6");
      assert.match(await variable(page, "i"), /^0/);
      await page.keyboard.press("W");
      assert.match(await variable(page, "i"), /^1was 0/);
      await page.click("button[aria-label^='change ›']");
      assert.match(await variable(page, "i"), /^2was 1/);
      assert.equal(await page.isDisabled("button[aria-label^='change ›']"), true);
    });
  });

  test("links to steps are followed and written", async () => {
    const { page: pair } = wrongPair();
    const url = pageFile("links", pair);
    await use(`${url}#tab=2&step=5`, async (page) => {
      assert.equal(await stepOf(page), 5);
      assert.equal(await page.textContent(".tabs [aria-pressed=true]"), "executed");
      assert.doesNotMatch(await page.textContent(".about"), /executed/, "the tab says so");
      await page.evaluate(() => (location.hash = "#step=7"));
      await page.waitForFunction(() => document.querySelector(".step-number input").value === "7");
      await page.keyboard.press("n");
      await page.keyboard.press("1");
      await page.waitForFunction(() => location.hash === "#tab=1&step=8");
    });
  });

  test("the theme follows the system, and can be switched", async () => {
    const url = pageFile("theme", documentOf(run(NESTED)));
    await use(
      url,
      async (page) => {
        const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
        assert.equal(await theme(), "dark");
        await page.keyboard.press("t");
        assert.equal(await theme(), "light");
        await page.reload();
        await page.waitForSelector("html[data-ready]");
        assert.equal(await theme(), "light");
      },
      { colorScheme: "dark" },
    );
  });

  test("two names of one object point to one box", async () => {
    const url = pageFile("aliases", documentOf(run(ALIASES)));
    await use(url, async (page) => {
      await page.keyboard.press("End");
      await page.keyboard.press("b");
      const to = (name) => page.getAttribute(`.frame-box [data-name="${name}"] .ref`, "data-to");
      assert.equal(await to("a"), await to("b"));
      assert.notEqual(await to("a"), await to("c"));
      assert.equal(await page.locator(".box").count(), 3);
      assert.equal(await page.locator(".arrows > path").count(), 5);
    });
    const plain = trace(ALIASES, ["--engine", "run"], "plain.py");
    for (const step of plain.steps) for (const value of Object.values(step.state)) delete value.objects;
    await use(pageFile("plain", documentOf(plain)), async (page) => {
      await page.keyboard.press("b");
      assert.match(await page.textContent(".objects"), /has no references/);
    });
    await use(pageFile("without_objects", documentOf(run("x = 1\ny = 'a'\n", [], "without_objects.py"))), async (page) => {
      await page.keyboard.press("b");
      assert.doesNotMatch(await page.textContent(".objects"), /has no references/);
    });
  });

  test("a wrong value is marked with the real one", async () => {
    const { page: pair, at } = wrongPair();
    await use(pageFile("compare", pair), async (page) => {
      await page.keyboard.press("d");
      assert.equal(await stepOf(page), at + 1);
      assert.match(await variable(page, "total"), /6.*really 5/);
      assert.match(await page.textContent(".compared"), /First wrong step/);
      assert.equal(await page.locator(".chip.wrong").count(), 1);
      await page.keyboard.press("Home");
      await page.keyboard.press("l");
      assert.equal(await stepOf(page), at + 1);
      await page.keyboard.press("2");
      assert.equal(await page.locator(".compared").count(), 0);
    });
  });

  test("made up values are marked and listed", async () => {
    await use(pageFile("made_up", madeUpPage()), async (page) => {
      assert.equal(await page.locator(".made-up tbody tr").count(), 2);
      assert.match(await page.textContent(".variables .from-injected"), /made up/);
      assert.match(await page.textContent(".finding-text"), /NameError/);
      await page.keyboard.press("End");
      assert.equal(await page.isEnabled("button[aria-label^='unsure']"), true);
      await page.keyboard.press("l");
      assert.equal(await stepOf(page), 1, "the made up value that is not sure");
      await page.keyboard.press("End");
      await page.click(".made-up button:text-is('line 1') >> nth=1");
      assert.equal(await stepOf(page), 1);
      assert.match(await page.textContent(".strip tr.selected"), /the first.*finished.*\[60.0, 80.0\]/);
      await page.click(".strip button:text-is('the other')");
      assert.match(await page.textContent(".tabs [aria-pressed=true]"), /world 2/);
      assert.equal(await stepOf(page), 1);
    });
  });

  test("a finding opens at the step that raises, with what led there", async () => {
    await use(pageFile("findings", findingsPage()), async (page) => {
      assert.equal(await line(page), "3");
      assert.match(await page.textContent(".tabs [aria-pressed=true]"), /ZeroDivisionError/);
      assert.match(await page.textContent(".findings li.selected"), /99%.*division by zero/);
      assert.match(await page.textContent(".risk-text"), /raises: 99%/);
      await page.click(".because button");
      assert.equal(await line(page), "5");
      await page.click(".tabs button >> nth=0");
      assert.match(await page.textContent(".code"), /x\[1\]/);
      await page.click(".findings li:nth-child(2) > p > button");
      assert.equal(await line(page), "3");
      assert.match(await page.textContent("[aria-label=Notes]"), /line 6.*too many steps.*no input/);
    });
  });

  test("two versions stand side by side, at the step where they part", async () => {
    await use(pageFile("versions", versionsPage()), async (page) => {
      const ran = (side) => page.textContent(`.side:nth-child(${side}) .line.ran .number`);
      assert.deepEqual([await ran(1), await ran(2)], ["3", "3"]);
      assert.match(await page.textContent(".side:nth-child(1) .line.ran"), /return total/);
      assert.match(await page.textContent(".side:nth-child(2) .line.ran"), /if not values/);
      assert.match(await page.textContent(".verdict"), /different.*values is \[\].*ZeroDivisionError.*They part at/);
      assert.equal(await page.locator(".line.added").count(), 2);
      await page.keyboard.press("p");
      assert.deepEqual([await ran(1), await ran(2)], ["2", "2"]);
      assert.match(await page.textContent(".both-variables"), /total00/);
      await page.keyboard.press("d");
      assert.deepEqual([await ran(1), await ran(2)], ["3", "3"]);
      await page.keyboard.press("2");
      await page.keyboard.press("End");
      assert.equal(await ran(2), "4");
      assert.match(await page.textContent(".both-variables tr.wrong"), /resultnot bound≠ 0/);
    });
  });

  test("next and previous go through the steps of both versions, and both print", async () => {
    const old = "n = 3\nfor k in range(n):\n    print('k', k)\nprint('end')\n";
    const fresh = old.replace("n = 3\n", "n = 3\nm = n\nn = 5\n");
    const tabs = [
      { label: "old", trace: run(old, [], "old.py") },
      { label: "new", trace: run(fresh, [], "new.py") },
    ];
    const [left, right] = tabs.map((tab) => tab.trace.steps.length);
    const document = { version: 1, title: "both", tabs, versions: [{ old: 0, new: 1, verdict: "different" }] };
    await use(pageFile("both", document), async (page) => {
      const at = async (side) => {
        const found = /step ([\d,]+) of/.exec(await page.textContent(`.side:nth-child(${side}) .side-head`));
        return found === null ? 0 : Number(found[1]);
      };
      await page.keyboard.press("Home");
      const seen = [new Set(), new Set()];
      for (let row = 0; row < left + right; row++) {
        for (const side of [0, 1]) seen[side].add(await at(side + 1));
        await page.keyboard.press("n");
      }
      assert.deepEqual(seen.map((steps) => [...steps].filter((step) => step > 0).length), [left, right]);
      await page.keyboard.press("Home");
      assert.equal(await page.isDisabled("button[aria-label='Previous step']"), true);
      await page.keyboard.press("End");
      assert.deepEqual([await at(1), await at(2)], [left, right]);
      assert.equal(await page.isDisabled("button[aria-label='Next step']"), true);
      await page.keyboard.press("p");
      assert.ok((await at(1)) + (await at(2)) < left + right);
      assert.equal(await page.locator(".output-row").count(), 6);
      assert.equal(await page.locator(".output-row.wrong").count(), 2);
      assert.match(await page.textContent(".output-row.wrong >> nth=1"), /^\d+k 4$/);
      await page.click(".output-row.wrong >> nth=0 >> button");
      assert.match(await page.textContent(".side:nth-child(2) .line.ran"), /print\('k', k\)/);
      for (const key of ["t", "t"]) {
        assert.deepEqual(await violations(page), []);
        await page.keyboard.press(key);
      }
    });
  });

  test("figures have a chart and its numbers", async () => {
    await use(pageFile("figures", figuresPage()), async (page) => {
      assert.equal(await page.locator("svg.chart").count(), 4);
      assert.equal(await page.locator(".column").count(), 3);
      assert.equal(await page.locator(".counts tbody tr").count(), 2);
      assert.match(await page.textContent(".part-table"), /plan75.00 \[70.0, 80.0\]/);
      const width = await page.locator(".bar-interval").evaluate((bar) => bar.getBoundingClientRect().width);
      const whole = await page.locator(".bar").evaluate((bar) => bar.getBoundingClientRect().width);
      assert.ok(Math.abs(width / whole - 0.1) < 0.02, `${width} of ${whole}`);
      assert.match(await page.getAttribute("svg.chart >> nth=1", "aria-label"), /Loss: lines goes from 3 at 0 to 0.06 at 4.9/);
      assert.equal(await page.locator(".series-2 circle").count(), 1, "one point is seen");
      await page.hover("svg.chart >> nth=1", { position: { x: 100, y: 60 } });
      assert.match(await page.textContent("figure:has-text('Loss') .key"), /lines \S+ at \S+/);
      await page.click("figure:has-text('Steps') summary");
      await page.waitForSelector("figure:has-text('Steps') .numbers td");
      assert.match(await page.textContent("figure:has-text('Steps') .numbers"), /8–152/);
      assert.equal(await page.locator(".heat rect").count(), 3);
      assert.match(await page.textContent(".heat-name >> nth=0"), /<img onerror/);
      assert.match(await page.textContent(".heat-bad title"), /error, step 1: 0.750/);
      await page.click("figure.heat summary");
      await page.waitForSelector("figure.heat .numbers td");
      assert.match(await page.textContent("figure.heat .numbers"), /error10.750/);
      const before = await page.getAttribute("html", "data-theme");
      await page.keyboard.press("t");
      assert.notEqual(await page.getAttribute("html", "data-theme"), before);
    });
  });

  test("an exception that is caught stands at the line that raises it, in the timeline, and is found", async () => {
    const source = "def half(text):\n    return int(text) / 2\n\nfor word in ['4', 'x', '']:\n    try:\n        half(word)\n    except KeyError:\n        pass\n    except ValueError as error:\n        print(error)\ntry:\n    {}['k']\nexcept (KeyError, IndexError):\n    pass\n";
    await use(pageFile("caught", documentOf(run(source, [], "caught.py"))), async (page) => {
      assert.match(await page.textContent(".timeline-key"), /× caught/);
      await page.fill("#search", "raises");
      assert.deepEqual(
        (await page.locator(".results .row").allTextContents()).map((text) => text.replace(/^\d+\s*/, "")),
        ["ValueError, caught on line 9", "ValueError, caught on line 9", "(KeyError, IndexError), caught on line 13"],
      );
      await page.keyboard.press("Enter");
      await page.click(".results .row >> nth=0");
      assert.equal(await line(page), "2");
      assert.equal(await page.textContent(".chip.caught"), "× ValueError, caught on line 9");
      assert.match(await page.textContent(".raised-note"), /Raises ValueError, caught at step \d+, line 9/);
      assert.deepEqual(await violations(page), []);
      await page.click(".raised-note button");
      assert.equal(await line(page), "9");
    });
    await use(pageFile("uncaught", documentOf(run("try:\n    x = 1\nexcept KeyError:\n    pass\nelse:\n    y = 2\n", [], "uncaught.py"))), async (page) => {
      assert.equal(await page.locator(".timeline-key:has-text('caught')").count(), 0);
    });
  });

  test("what an exception was made from stands in the head and at its line, and leads there", async () => {
    const source = "def low():\n    raise ValueError('low')\ndef mid():\n    try:\n        low()\n    except ValueError as error:\n        raise OSError('mid') from error\ntry:\n    mid()\nexcept OSError:\n    1 / 0\n";
    await use(pageFile("chain", documentOf(run(source, [], "chain.py"))), async (page) => {
      const chain = "while handling OSError: mid line 7caused by ValueError: low line 2";
      assert.equal((await page.textContent("header .chain")).trim(), chain);
      await page.keyboard.press("e");
      assert.match(await page.textContent(".line.error"), /✕ ZeroDivisionError: division by zero.*while handling OSError/);
      assert.match(await page.textContent(".raised-note"), /✕ Raises ZeroDivisionError.*caused by ValueError: low/);
      assert.deepEqual(await violations(page), []);
      await page.click(".line.error .chain button >> nth=0");
      assert.equal(await line(page), "7");
      assert.match(await page.textContent(".raised-note"), /Raises OSError, caught at.*caused by ValueError: low/);
      await page.click("header .chain button >> nth=1");
      assert.equal(await line(page), "2");
    }, { bypassCSP: true });
  });

  test("frames of one function are told apart", async () => {
    const source = "def down(n):\n    if n == 0:\n        return 'end'\n    return down(n - 1)\nx = down(2)\n";
    const trace = run(source, [], "frames_of.py");
    const returns = trace.steps.findIndex((step) => step.event === "return");
    await use(`${pageFile("frames_of", documentOf(trace))}#step=${returns}`, async (page) => {
      assert.deepEqual(await page.locator(".stack button").allTextContents(), ["down(n=0)", "down(n=1)", "down(n=2)", "<module>"]);
      await page.keyboard.press("b");
      assert.deepEqual(await page.locator(".frame-box .box-title").allTextContents(), ["<module>", "down(n=2)", "down(n=1)", "down(n=0)"]);
      await page.keyboard.press("n");
      assert.equal((await page.textContent(".stack .left")).trim(), "down(n=0) → 'end'");
      const box = await page.locator(".timeline-box").boundingBox();
      await page.mouse.move(box.x + box.width / 2, box.y + 38 + 15 + 7);
      assert.equal(await page.getAttribute(".timeline-box", "title"), "down(n=2) → 'end'");
      assert.deepEqual(await violations(page), []);
    }, { bypassCSP: true });
  });

  test("boxes are narrow, changed cells are marked, lines are behind text and begin at cells", async () => {
    const source = "a_name_that_is_much_longer_than_others = 'x' * 500\nitems = [1, [2], 3]\nitems[2] = 4\n";
    await use(pageFile("cells", documentOf(run(source, [], "cells.py"))), async (page) => {
      await page.keyboard.press("End");
      await page.keyboard.press("b");
      assert.ok((await page.locator(".frame-box").boundingBox()).width < 320);
      const key = page.locator(".frame-box .key >> nth=0");
      assert.equal(await key.getAttribute("title"), "a_name_that_is_much_longer_than_others");
      assert.ok(await key.evaluate((element) => element.scrollWidth > element.clientWidth));
      assert.equal(await page.locator(".box .changed").count(), 1);
      assert.equal(await page.textContent(".box .changed .text"), "4");
      assert.deepEqual(await violations(page), []);
      const starts = await page.locator(".arrows > path").evaluateAll((paths) => {
        const left = document.querySelector(".heap").getBoundingClientRect().left;
        return paths.map((path) => left + Number(/^M([\d.]+)/.exec(path.getAttribute("d"))[1]));
      });
      const ends = await page.locator(".heap .item:has(.ref)").evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().right));
      starts.forEach((start, at) => assert.ok(Math.abs(start - ends[at]) < 1, `${start} is not ${ends[at]}`));
    }, { bypassCSP: true });
  });

  test("the error has a button, and its step", async () => {
    const url = pageFile("error", documentOf(run("x = 1\ntry:\n    y = x / 0\nfinally:\n    z = 2\n")));
    await use(url, async (page) => {
      await page.click("button.outcome");
      assert.equal(await line(page), "3");
      assert.equal(await page.locator(".line.error").count(), 1);
    });
  });

  test("several files: the file follows the step", async () => {
    const files = run("import helper\nx = helper.twice(2)\n", [], "main.py");
    files.files = [
      { path: "main.py", source: files.program.source },
      { path: "helper.py", source: "def twice(n):\n    return 2 * n\n" },
    ];
    files.frames = [{ function: "<module>" }, { function: "twice", file: 1, parent: 0 }];
    const int = (text) => ({ type: "int", text });
    files.steps = [
      { line: 1, event: "line", function: "<module>", depth: 0, changed: {} },
      { line: 2, event: "line", function: "<module>", depth: 0, frame: 1, changed: { n: int("2") } },
      { line: 1, event: "call", function: "twice", depth: 1, file: 1, frame: 1, changed: {} },
      { line: 2, event: "line", function: "twice", depth: 1, file: 1, frame: 1, changed: {} },
      { line: 2, event: "return", function: "twice", depth: 1, file: 1, changed: { x: int("4") }, value: int("4") },
    ];
    files.outcome = { kind: "finished" };
    await use(pageFile("files", documentOf(files)), async (page) => {
      await page.fill("#search", "line:2");
      assert.deepEqual(await page.locator(".results .row").allTextContents(), ["2 main.py line 2 in <module>", "4 helper.py line 2 in twice"]);
      await page.fill("#search", "line:helper.py:2");
      assert.match(await page.textContent(".results h2"), /1 step(?!s)/);
      await page.fill("#search", "");
      await page.keyboard.press("Escape");
      const chosen = () => page.textContent(".files [aria-pressed=true]");
      assert.equal(await chosen(), "main.py");
      await page.keyboard.press("End");
      assert.equal(await chosen(), "helper.py");
      await page.click(".files button:text-is('main.py')");
      assert.match(await page.textContent(".code"), /import helper/);
    });
  });

  test("no source, no steps, no trace", async () => {
    const bare = run(NESTED);
    delete bare.program.source;
    await use(pageFile("bare", documentOf(bare)), async (page) => {
      assert.match(await page.textContent(".source .note"), /does not have the source/);
      await page.keyboard.press("n");
      assert.equal(await line(page), "5");
    });
    const broken = run("x = (\n", [], "broken.py");
    assert.equal(broken.outcome.kind, "syntax_error");
    await use(pageFile("broken", documentOf(broken)), async (page) => {
      assert.match(await page.textContent(".outcome"), /Syntax error/);
      for (const key of ["n", "End", "c", "o", "u", "w", "b"]) await page.keyboard.press(key);
    });
    const page = await browser.newPage();
    await page.goto(pathToFileURL(join(viewer, "../crates/page/src/page.html")).href);
    assert.equal(await page.textContent(".failure"), "This page has no trace yet.");
    await page.close();
  });

  test("hostile text stays text", async () => {
    const attack = "</script><img src=x onerror=alert(1)>";
    const hostile = run(`x = ${JSON.stringify(attack)}\n__proto__ = [x]\nprint(x)\n1 / 0\n`, [], "hostile.py");
    hostile.outcome.message = attack;
    const document = documentOf(hostile, { title: attack, tab: { note: attack } });
    for (const plain of [false, true]) {
      await use(pageFile(`hostile_${plain}`, document, { plain }), async (page) => {
        await page.keyboard.press("End");
        await page.keyboard.press("b");
        assert.ok((await variable(page, "x")).includes(attack));
        assert.equal(await page.textContent("h1"), attack);
        assert.equal(await page.locator("img").count(), 0);
      });
    }
  });

  test("characters that are not seen or turn text around are marked escapes", async () => {
    const source = "x = 1  # \u202e } \u2066if admin\u2069\nprint('\\u202e abc\\x1b[31m')\nraise ValueError('\\u202e')\n";
    await use(pageFile("odd", documentOf(run(source, [], "odd.py"))), async (page) => {
      await page.keyboard.press("End");
      await page.keyboard.press("b");
      assert.equal(await page.textContent(".line code >> nth=0"), "x = 1  # \\u202e } \\u2066if admin\\u2069");
      assert.equal(await page.getAttribute(".line .odd >> nth=0", "title"), "U+202E right-to-left override");
      assert.equal(await page.textContent(".output pre"), "\\u202e abc\\x1b[31m");
      assert.equal(await page.locator(".chip.printed .odd").count(), 2);
      assert.match(await page.textContent("button.outcome"), /ValueError: \\u202e/);
      assert.doesNotMatch(await page.textContent("body"), /[\u202a-\u202e\u2066-\u2069\x1b]/);
      const selected = await page.evaluate(() => {
        getSelection().selectAllChildren(document.querySelector(".output pre"));
        return getSelection().toString();
      });
      assert.equal(selected, "\\u202e abc\\x1b[31m");
      assert.deepEqual(await violations(page), []);
    }, { bypassCSP: true, colorScheme: "dark" });
  });

  test("it works in a sandboxed frame", async () => {
    const url = pageFile("framed", documentOf(run(NESTED)));
    const html = readFileSync(fileURLToPath(url), "utf8").replaceAll("&", "&amp;").replaceAll('"', "&quot;");
    const path = fileURLToPath(url).replace("framed", "frame");
    writeFileSync(path, `<!DOCTYPE html><iframe sandbox="allow-scripts" width=900 height=700 srcdoc="${html}"></iframe>`);
    const page = await browser.newPage();
    const problems = [];
    page.on("pageerror", (error) => problems.push(error.message));
    await page.goto(`file://${path}`);
    const inside = page.frameLocator("iframe");
    await inside.locator("html[data-ready]").waitFor();
    await inside.getByRole("button", { name: "Next step" }).click();
    assert.equal(await inside.locator(".step-number input").inputValue(), "2");
    await page.keyboard.press("t");
    await page.waitForTimeout(400);
    assert.deepEqual(problems, []);
    await page.close();
  });

  for (const colorScheme of ["light", "dark"]) {
    test(`axe-core finds no violation (${colorScheme})`, async () => {
      const { page: pair } = wrongPair();
      const raised = documentOf(run(`${NESTED}for k in range(70):\n    print(k)\nsquare(1 / 0)\n`, [], "raised.py"));
      for (const [name, document] of Object.entries({
        axe_findings: findingsPage(),
        axe_versions: versionsPage(),
        axe_figures: figuresPage(),
      })) {
        await use(
          pageFile(name, document),
          async (page) => {
            await page.evaluate(() => document.querySelectorAll("details").forEach((one) => (one.open = true)));
            await page.waitForTimeout(100);
            assert.deepEqual(await violations(page), []);
          },
          { colorScheme, bypassCSP: true },
        );
      }
      for (const [name, document] of Object.entries({ axe_compare: pair, axe_made_up: madeUpPage(), axe_raised: raised })) {
        await use(
          `${pageFile(name, document)}#step=9`,
          async (page) => {
            assert.deepEqual(await violations(page), []);
            for (const key of ["d", "b"]) await page.keyboard.press(key);
            await page.fill("#search", "total changed");
            await page.click(".variables button.name >> nth=0");
            assert.deepEqual(await violations(page), []);
            await page.keyboard.press("?");
            assert.deepEqual(await violations(page), []);
          },
          { colorScheme, bypassCSP: true },
        );
      }
    });
  }

  test("figures and versions fit on a phone", async () => {
    for (const [name, document] of Object.entries({ phone_figures: figuresPage(), phone_versions: versionsPage() })) {
      await use(
        pageFile(name, document),
        async (page) => {
          const width = await page.evaluate(() => document.documentElement.scrollWidth);
          assert.ok(width <= 360, `${name} is ${width} wide`);
        },
        { viewport: { width: 360, height: 640 } },
      );
    }
  });

  test("it is usable on a phone and prints", async () => {
    const url = pageFile("phone", documentOf(run(NESTED)));
    await use(
      url,
      async (page) => {
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(width <= 360, `the page is ${width} wide`);
        await page.emulateMedia({ media: "print" });
        await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
        await page.waitForTimeout(100);
        assert.equal(await page.isVisible(".toolbar"), false);
        assert.equal(await page.locator(".line").count(), 9);
      },
      { viewport: { width: 360, height: 640 } },
    );
  });

  test("100,000 steps are ready soon, and keys answer at once", async (context) => {
    const long = run(LONG, ["--max-steps", "100000", "--max-trace", "33554432", "--timeout", "60"], "long.py");
    assert.equal(long.steps.length, 100_000);
    await use(pageFile("long", documentOf(long)), async (page) => {
      const { ready, slowest } = await times(page);
      context.diagnostic(`ready after ${ready} ms, slowest key ${slowest.toFixed(0)} ms`);
      assert.ok(ready < 5000, `ready after ${ready} ms`);
      assert.ok(slowest < 1000, `slowest key ${slowest} ms`);
    });
  });
});

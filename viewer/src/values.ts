// Reads canonical texts of values (docs/trace-format.md, "Values" and "Instances") into trees, and gives
// each object in them its number.

export interface Atom {
  readonly kind: "atom";
  readonly text: string;
}

export interface Entry {
  /** The key of a dict, or null. */
  readonly key: ValueNode | null;
  /** The name of an attribute, or null. */
  readonly label: string | null;
  readonly value: ValueNode;
}

export interface Compound {
  readonly kind: "compound";
  /** `list`, `tuple`, `dict`, …, or the class of an instance. */
  readonly type: string;
  readonly instance: boolean;
  readonly entries: readonly Entry[];
  /** What is left out at its end: `...<44 more>` or `...`. */
  readonly cut: string | null;
  readonly object: number | null;
}

export type ValueNode = Atom | Compound;

const PLAIN_ANGLES = /^<(function|class|module|int \d+ bits)>/;
const LEFT_OUT = /^\.\.\.(<\d+ more>)?/;
const WORD = /^[\p{L}\p{N}_.]+/u;
const CLOSERS: Record<string, string> = { "[": "]", "(": ")", "{": "}" };
const WRAPPERS: Record<string, string> = {
  deque: "deque",
  defaultdict: "defaultdict",
  Counter: "Counter",
  OrderedDict: "OrderedDict",
  frozenset: "frozenset",
};
const UNNUMBERED = new Set(["tuple", "frozenset"]);

/** Canonical texts end at depth 8. */
const DEEPEST = 12;

class Unreadable extends Error {}

class TextReader {
  private at = 0;
  private used = 0;
  private depth = 0;
  private readonly text: string;
  private readonly numbers: readonly number[] | null;

  constructor(text: string, numbers: readonly number[] | null) {
    this.text = text;
    this.numbers = numbers;
  }

  /** The whole text, or an atom where it is of no known shape. */
  whole(): ValueNode {
    try {
      const node = this.value(true);
      const complete = this.at === this.text.length && (this.numbers === null || this.used === this.numbers.length);
      if (complete) return node;
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
    }
    return { kind: "atom", text: this.text };
  }

  private rest(): string {
    return this.text.slice(this.at, this.at + 600);
  }

  private number(type: string, numbered: boolean): number | null {
    if (!numbered || UNNUMBERED.has(type) || this.numbers === null) return null;
    const number = this.numbers[this.used];
    if (number === undefined) throw new Unreadable();
    this.used++;
    return number;
  }

  private take(expected: string): void {
    if (!this.text.startsWith(expected, this.at)) throw new Unreadable();
    this.at += expected.length;
  }

  private value(numbered: boolean): ValueNode {
    if (++this.depth > DEEPEST) throw new Unreadable();
    const node = this.shape(numbered);
    this.depth--;
    return node;
  }

  private shape(numbered: boolean): ValueNode {
    const character = this.text[this.at];
    if (character === undefined) throw new Unreadable();
    if (character === "'" || character === '"') return this.string(this.at);
    if (character === "b" && /^b['"]/.test(this.text.slice(this.at, this.at + 2))) {
      this.at++;
      return this.string(this.at - 1);
    }
    if (character === "<") return this.angle(numbered);
    if (character === "[" || character === "{") return this.brackets(numbered, null);
    if (character === "(") return this.complexOr(numbered);
    const word = WORD.exec(this.rest())?.[0] ?? "";
    if (this.text[this.at + word.length] === "(" && word !== "") {
      if (word === "range") return this.until(this.text.indexOf(")", this.at) + 1);
      if (word === "set") {
        this.take("set()");
        return this.compound("set", [], null, this.number("set", numbered));
      }
      const wrapper = WRAPPERS[word];
      if (wrapper !== undefined) return this.wrapped(word, wrapper, numbered);
    }
    const plain = /^[-+\p{L}\p{N}_.]+/u.exec(this.rest())?.[0];
    if (plain === undefined) throw new Unreadable();
    return this.until(this.at + plain.length);
  }

  private until(end: number): Atom {
    if (end <= this.at) throw new Unreadable();
    const text = this.text.slice(this.at, end);
    this.at = end;
    return { kind: "atom", text };
  }

  private compound(type: string, entries: Entry[], cut: string | null, object: number | null, instance = false): Compound {
    return { kind: "compound", type, instance, entries, cut, object };
  }

  /** A string from its quote; `start` is where its text begins. */
  private string(start: number): Atom {
    const quote = this.text[this.at];
    let end = this.at + 1;
    while (this.text[end] !== quote) {
      if (end >= this.text.length) throw new Unreadable();
      end += this.text[end] === "\\" ? 2 : 1;
    }
    end++;
    const more = /^\.\.\.<\d+ more>/.exec(this.text.slice(end, end + 40));
    this.at = start;
    return this.until(end + (more?.[0].length ?? 0));
  }

  private wrapped(word: string, type: string, numbered: boolean): ValueNode {
    this.take(`${word}(`);
    const object = this.number(type, numbered);
    if (this.text[this.at] === ")") {
      this.at++;
      return this.compound(type, [], null, object);
    }
    const inner = this.brackets(numbered && type !== "frozenset", type);
    this.take(")");
    return { ...inner, type, object };
  }

  private complexOr(numbered: boolean): ValueNode {
    const complex = /^\([-+\d.a-z]+j\)/.exec(this.rest());
    return complex === null ? this.brackets(numbered, null) : this.until(this.at + complex[0].length);
  }

  private brackets(numbered: boolean, wrapper: string | null): Compound {
    const opener = this.text[this.at] ?? "";
    const closer = CLOSERS[opener];
    if (closer === undefined) throw new Unreadable();
    this.at++;
    let type = opener === "[" ? "list" : opener === "(" ? "tuple" : this.isDict(closer) ? "dict" : "set";
    const object = wrapper === null ? this.number(type, numbered) : null;
    if (wrapper !== null) type = wrapper;
    const inside = numbered && type !== "set" && type !== "frozenset";
    const entries: Entry[] = [];
    let cut: string | null = null;
    while (this.text[this.at] !== closer) {
      const left = LEFT_OUT.exec(this.rest());
      if (left !== null) {
        cut = left[0];
        this.at += left[0].length;
        break;
      }
      const first = this.value(inside);
      if (this.text.startsWith(": ", this.at)) {
        this.at += 2;
        entries.push({ key: first, label: null, value: this.value(inside) });
      } else {
        entries.push({ key: null, label: null, value: first });
      }
      if (this.text[this.at] === closer) break;
      this.take(",");
      if (this.text[this.at] === " ") this.at++;
    }
    this.take(closer);
    return this.compound(type, entries, cut, object);
  }

  /** Whether the braces that were opened hold pairs. Decided without taking numbers. */
  private isDict(closer: string): boolean {
    if (this.text[this.at] === closer) return true;
    const left = LEFT_OUT.exec(this.rest());
    if (left !== null) return true;
    const ahead = new TextReader(this.text, null);
    ahead.at = this.at;
    ahead.depth = this.depth;
    ahead.value(false);
    return this.text.startsWith(": ", ahead.at);
  }

  private angle(numbered: boolean): ValueNode {
    const plain = PLAIN_ANGLES.exec(this.rest());
    if (plain !== null) return this.until(this.at + plain[0].length);
    this.at++;
    const name = WORD.exec(this.rest())?.[0];
    if (name === undefined) throw new Unreadable();
    this.at += name.length;
    const object = this.number(name, numbered);
    const entries: Entry[] = [];
    let cut: string | null = null;
    while (this.text[this.at] === " ") {
      this.at++;
      const left = LEFT_OUT.exec(this.rest());
      if (left !== null) {
        cut = left[0];
        this.at += left[0].length;
        break;
      }
      const label = WORD.exec(this.rest())?.[0];
      if (label === undefined) throw new Unreadable();
      this.at += label.length;
      this.take("=");
      entries.push({ key: null, label, value: this.value(numbered) });
    }
    this.take(">");
    return this.compound(name, entries, cut, object, true);
  }
}

/** The tree of a canonical text. A text of no known shape, or with other numbers, is an atom. */
export function readValue(text: string, numbers: readonly number[] | null): ValueNode {
  return new TextReader(text, numbers).whole();
}

/** Whether something in a value has a number where the trace has references. */
export function hasNumbers(node: ValueNode): boolean {
  if (node.kind === "atom") return false;
  if (!UNNUMBERED.has(node.type) || node.instance) return true;
  return node.entries.some((entry) => hasNumbers(entry.value));
}

const ESCAPES: Record<string, string> = { n: "\n", t: "\t", r: "\r", "\\": "\\", "'": "'", '"': '"' };

/** The characters of a string's text, or null where it is no string. */
export function unquote(text: string): string | null {
  const match = /^(['"])(.*)\1$/s.exec(text);
  if (match === null) return null;
  return (match[2] ?? "").replace(/\\(x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}|.)/gs, (_, code: string) => {
    if (code.length > 1) return String.fromCodePoint(parseInt(code.slice(1), 16));
    return ESCAPES[code] ?? code;
  });
}

/** The number that a text says, or null. */
export function numberOf(text: string): number | null {
  if (text === "inf") return Infinity;
  if (text === "-inf") return -Infinity;
  return /^-?\d+(\.\d+)?(e[-+]?\d+)?$/.test(text) ? Number(text) : null;
}

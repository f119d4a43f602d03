// Characters that are not seen, or that change how others are: text is shown with escapes in their place.

/** Control characters but tab and newline, direction, zero width but in an emoji, and halves of characters. */
const ODD =
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200c\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff\p{Cs}]|(?<![\p{Extended_Pictographic}\u{1f3fb}-\u{1f3ff}\ufe0f])\u200d/gu;

const NAMES: Record<number, string> = {
  0x00: "null",
  0x07: "bell",
  0x08: "backspace",
  0x0b: "vertical tab",
  0x0c: "form feed",
  0x0d: "carriage return",
  0x1b: "escape",
  0x7f: "delete",
  0xad: "soft hyphen",
  0x61c: "Arabic letter mark",
  0x200b: "zero width space",
  0x200c: "zero width non-joiner",
  0x200d: "zero width joiner",
  0x200e: "left-to-right mark",
  0x200f: "right-to-left mark",
  0x2028: "line separator",
  0x2029: "paragraph separator",
  0x202a: "left-to-right embedding",
  0x202b: "right-to-left embedding",
  0x202c: "pop directional formatting",
  0x202d: "left-to-right override",
  0x202e: "right-to-left override",
  0x2060: "word joiner",
  0x2066: "left-to-right isolate",
  0x2067: "right-to-left isolate",
  0x2068: "first strong isolate",
  0x2069: "pop directional isolate",
  0xfeff: "zero width no-break space",
};

export interface Odd {
  /** As Python writes it: `\x1b`, `\u202e`. */
  readonly escape: string;
  /** `U+202E right-to-left override`. */
  readonly title: string;
}

function nameOf(code: number): string {
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return "control character";
  return code >= 0xd800 && code < 0xe000 ? "half of a character" : "invisible character";
}

function odd(character: string): Odd {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  const escape = code === 0x0d ? "\\r" : code < 0x100 ? `\\x${hex.padStart(2, "0")}` : `\\u${hex.padStart(4, "0")}`;
  return { escape, title: `U+${hex.toUpperCase().padStart(4, "0")} ${NAMES[code] ?? nameOf(code)}` };
}

/** A text as pieces that can be shown as they are, and what cannot. */
export function piecesOf(text: string): (string | Odd)[] {
  const pieces: (string | Odd)[] = [];
  let at = 0;
  for (const match of text.matchAll(ODD)) {
    if (match.index > at) pieces.push(text.slice(at, match.index));
    pieces.push(odd(match[0]));
    at = match.index + match[0].length;
  }
  if (at < text.length) pieces.push(text.slice(at));
  return pieces;
}

/** A text in which what cannot be shown is escaped: for titles and labels, which have no marks. */
export function escaped(text: string): string {
  return piecesOf(text)
    .map((piece) => (typeof piece === "string" ? piece : piece.escape))
    .join("");
}

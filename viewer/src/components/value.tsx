// Values as text: long ones are cut, with a button for the whole; where a value comes from is said by a
// mark, a colour and a word.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { becauseText } from "../caught.ts";
import { piecesOf } from "../odd.ts";
import type { Origin } from "../types.ts";
import { cutAt, type View } from "../view.ts";

const LONG = 160;

const ORIGINS: Record<Origin, { mark: string; word: string }> = {
  observed: { mark: "", word: "observed" },
  computed: { mark: "=", word: "computed" },
  predicted: { mark: "≈", word: "predicted" },
  injected: { mark: "!", word: "made up" },
};

export function OriginMark({ origin }: { readonly origin: Origin }): JSX.Element | null {
  if (origin === "observed") return null;
  const { mark, word } = ORIGINS[origin];
  return (
    <span class={`origin origin-${origin}`} title={word}>
      <span aria-hidden="true">{mark}</span>
      <span class="hidden">{word}</span>
    </span>
  );
}

/** What the marks mean, of the origins that a trace has. */
export function OriginLegend({ origins }: { readonly origins: readonly Origin[] }): JSX.Element | null {
  const shown = origins.filter((origin) => origin !== "observed");
  if (shown.length === 0) return null;
  return (
    <p class="legend">
      {shown.map((origin) => (
        <span key={origin}>
          <span class={`origin origin-${origin}`} aria-hidden="true">
            {ORIGINS[origin].mark}
          </span>{" "}
          {ORIGINS[origin].word}
        </span>
      ))}
    </p>
  );
}

/** A text with marked escapes for characters that are not seen or turn others around. */
export function Plain({ text }: { readonly text: string }): JSX.Element {
  return (
    <>
      {piecesOf(text).map((piece, index) =>
        typeof piece === "string" ? (
          piece
        ) : (
          <span key={index} class="odd" title={piece.title}>
            {piece.escape}
          </span>
        ),
      )}
    </>
  );
}

export function LongText({ text }: { readonly text: string }): JSX.Element {
  const [whole, setWhole] = useState(false);
  if (text.length <= LONG) return <span class="text"><Plain text={text} /></span>;
  return (
    <span class="text">
      <Plain text={whole ? text : `${cutAt(text, LONG - 20)}…`} />{" "}
      <button type="button" class="small" aria-expanded={whole} onClick={() => setWhole(!whole)}>
        {whole ? "less" : `all ${text.length.toLocaleString("en")} characters`}
      </button>
    </span>
  );
}

export function SureBar({ share, label }: { readonly share: number; readonly label: string }): JSX.Element {
  const level = share < 0.5 ? "low" : share < 0.9 ? "middle" : "high";
  return (
    <span class={`sure sure-${level}`} title={label}>
      <span class="sure-bar" aria-hidden="true">
        <span style={{ width: `${Math.round(share * 100)}%` }} />
      </span>
      <span class="sure-text">{label}</span>
    </span>
  );
}

/** What led to the exception that a step raises, each a way to where that was raised. */
export function Chain({ view, step }: { readonly view: View; readonly step: number }): JSX.Element | null {
  const chain = view.model.chainOf(step);
  if (chain.length === 0) return null;
  return (
    <span class="chain">
      {chain.map((because, index) => {
        const text = becauseText(because);
        return (
          <span key={index}>
            <Plain text={text} />{" "}
            {because.step !== null && (
              <button type="button" class="small" title={`Go to step ${because.step + 1}`} aria-label={`${text}: line ${because.line}`} onClick={() => view.go(because.step)}>
                line {because.line}
              </button>
            )}
          </span>
        );
      })}
    </span>
  );
}

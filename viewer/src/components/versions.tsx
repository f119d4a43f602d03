// Two versions of a program side by side: both sources at steps that correspond, the values of both, and what
// came of comparing them.

import type { JSX } from "preact";
import { DEFINITIONS, bindingsAt, type Value } from "../execution.ts";
import { sameText } from "../compare.ts";
import { stepName, type Beside, type View } from "../view.ts";
import { Outcome } from "./head.tsx";
import { Source } from "./source.tsx";
import { LongText } from "./value.tsx";

export function Side({ view, beside, isOld }: { readonly view: View; readonly beside: Beside; readonly isOld: boolean }): JSX.Element {
  const name = isOld ? "Old" : "New";
  const { same } = beside;
  const differs = isOld
    ? { sign: "-", line: (line: number) => !same.toNew.has(line) }
    : { sign: "+", line: (line: number) => !same.toOld.has(line) };
  return (
    <div class="side">
      <p class="side-head">
        <b>{name}</b>
        <span class="path" title={view.model.execution.trace.program.id}>
          <bdi>{view.model.execution.trace.program.id}</bdi>
        </span>
        <span class="of">{view.step < 0 ? "not begun" : `step ${stepName(view.step)} of ${view.model.execution.count.toLocaleString("en")}`}</span>
        <Outcome view={view} />
      </p>
      <Source view={view} label={`Source of ${name.toLowerCase()}`} differs={differs} />
    </div>
  );
}

function Text({ value }: { readonly value: Value | null }): JSX.Element {
  return value === null ? <span class="note">not bound</span> : <LongText text={value.text} />;
}

/** The names of both at their steps. */
export function BothVariables({ old, fresh }: { readonly old: View; readonly fresh: View }): JSX.Element {
  const values = (view: View): Map<string, Value> =>
    new Map(
      (view.step < 0 ? [] : bindingsAt(view.model.execution, view.frame, view.step))
        .filter((binding) => !DEFINITIONS.has(binding.value.type))
        .map((binding) => [binding.name, binding.value]),
    );
  const [left, right] = [values(old), values(fresh)];
  const names = [...new Set([...left.keys(), ...right.keys()])];
  return (
    <section class="panel both-variables" aria-label="Variables">
      <h2>Variables</h2>
      {names.length === 0 && <p class="note">Nothing is bound.</p>}
      {names.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Old</th>
              <th scope="col">New</th>
            </tr>
          </thead>
          <tbody>
            {names.map((name) => {
              const [one, other] = [left.get(name) ?? null, right.get(name) ?? null];
              const differs = !sameText(one?.text ?? null, other?.text ?? null);
              return (
                <tr key={name} class={differs ? "wrong" : ""}>
                  <th scope="row">{name}</th>
                  <td class="value">
                    <Text value={one} />
                  </td>
                  <td class="value">
                    {differs && <span aria-label="differs">≠ </span>}
                    <Text value={other} />
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** The verdict, what differs and for which values, and where the executions part. */
export function Verdict({ view }: { readonly view: View }): JSX.Element | null {
  const { beside } = view;
  if (beside === undefined) return null;
  const { versions, pair } = beside;
  const { differences = [], witness = [], open = [] } = versions;
  const { parts } = pair;
  return (
    <section class="panel verdict" aria-label="Verdict">
      <h2>
        Verdict <span class={`of ${versions.verdict === "different" ? "bad" : ""}`}>{versions.verdict}</span>
      </h2>
      {witness.length > 0 && (
        <p>
          Where{" "}
          {witness.map((text, index) => (
            <span key={index}>
              {index > 0 && ", "}
              <code>{text}</code>
            </span>
          ))}
          :
        </p>
      )}
      {differences.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">Old</th>
              <th scope="col">New</th>
            </tr>
          </thead>
          <tbody>
            {differences.map((one, index) => (
              <tr key={index}>
                <th scope="row">{one.what}</th>
                <td class="value">{one.old === null ? "not there" : <LongText text={one.old} />}</td>
                <td class="value">{one.new === null ? "not there" : <LongText text={one.new} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {open.length > 0 && (
        <ul>
          {open.map((why, index) => (
            <li key={index}>{why}</li>
          ))}
        </ul>
      )}
      {parts === null ? (
        <p class="note">What is shown here does not part.</p>
      ) : (
        <p>
          They part at{" "}
          <button type="button" class="small" onClick={() => beside.go(parts.row)}>
            step {stepName(parts.old)} of the old
          </button>
          , step {stepName(parts.new)} of the new version.
        </p>
      )}
    </section>
  );
}

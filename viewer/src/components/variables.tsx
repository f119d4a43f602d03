// The call stack, and the variables of one frame as of the present step.

import type { JSX } from "preact";
import { DEFINITIONS, bindingsAt, changesAt, valueAt, type Binding, type Value } from "../execution.ts";
import { realValue } from "../compare.ts";
import { canBeGiven, madeUpOn, placeKey } from "../edits.ts";
import { blockText, callText, leftAt, returnText } from "../frames.ts";
import { lastSet } from "../moves.ts";
import { stackAt } from "../stack.ts";
import type { Origin } from "../types.ts";
import { brief, outcomeText, percent, stepName, type View } from "../view.ts";
import { MADE_UP_ID } from "./made-up.tsx";
import { Chain, LongText, OriginLegend, OriginMark, Plain, SureBar } from "./value.tsx";

const MOST_FRAMES = 30;

/** The function of a frame with its arguments; of several modules with the path. */
export function frameName(view: View, index: number, value?: number): string {
  const { execution, paths } = view.model;
  const frame = execution.frames[index];
  if (frame === undefined) return "";
  if (frame.function === "<module>" && paths.length > 1) return `<module> ${paths[frame.file] ?? ""}`;
  return callText(view.model, index, value);
}

const FRAME_NAME = 30;

export function CallStack({ view }: { readonly view: View }): JSX.Element | null {
  const { model, step } = view;
  if (step < 0 || model.calls.deepest === 0) return null;
  const blocks = stackAt(model.calls, step);
  const shown = blocks.length > MOST_FRAMES ? [...blocks.slice(0, MOST_FRAMES - 1), ...blocks.slice(-1)] : blocks;
  const left = leftAt(model, step);
  return (
    <nav class="stack" aria-label="Call stack">
      {left !== null && (
        <span class="left" title={blockText(model, left, 60)}>
          {brief(callText(model, model.calls.frames[left] ?? 0), FRAME_NAME)} {returnText(model, left, step) || "ends"}
        </span>
      )}
      {shown.map((block, index) => {
        const frame = model.calls.frames[block] ?? 0;
        return (
          <button
            key={block}
            type="button"
            aria-pressed={frame === view.frame}
            title={frameName(view, frame, 60)}
            onClick={() => view.set({ frame: index === 0 ? null : frame })}
          >
            {brief(frameName(view, frame), FRAME_NAME)}
          </button>
        );
      })}
      {blocks.length > MOST_FRAMES && <span>{blocks.length} frames</span>}
    </nav>
  );
}

/** The mark of a made up value; where another one can be given, it leads there. */
function MadeUpMark({ view, binding }: { readonly view: View; readonly binding: Binding }): JSX.Element {
  const { name, value, since } = binding;
  const mark = <OriginMark origin={value.origin} />;
  if (view.give === null) return mark;
  const items = madeUpOn(view.model.execution, view.model.tab.made_up ?? [], since, value.text).filter(canBeGiven);
  const [only, ...more] = items;
  if (only === undefined) return mark;
  const label = `${name} was made up on line ${only.line}: give another value`;
  const edit = (): void => {
    const row = document.querySelector<HTMLElement>(`#${MADE_UP_ID} tr[data-line="${only.line}"]`);
    row?.scrollIntoView({ block: "nearest" });
    if (more.length === 0) view.set({ editing: placeKey(only) });
    else row?.querySelector<HTMLElement>("button.give")?.focus();
  };
  return (
    <button type="button" class="mark-button" title={label} aria-label={label} onClick={edit}>
      {mark}
    </button>
  );
}

function Row({ view, binding }: { readonly view: View; readonly binding: Binding }): JSX.Element {
  const { name, value, since, changed, previous } = binding;
  const { comparison, real, step, frame } = view;
  const other =
    comparison === null || real === null
      ? undefined
      : realValue(comparison, value, valueAt(real.execution, frame, name, step), step);
  const selected = view.state.selected?.name === name && view.state.selected.frame === frame;
  return (
    <tr class={`${changed ? "changed" : ""} ${selected ? "selected" : ""} ${other !== undefined ? "wrong" : ""}`}>
      <th scope="row">
        <button
          type="button"
          class="name"
          aria-pressed={selected}
          onClick={() => view.set({ selected: selected ? null : { frame, name } })}
        >
          {name}
        </button>
      </th>
      <td class={`value from-${value.origin}`}>
        {value.origin === "injected" ? <MadeUpMark view={view} binding={binding} /> : <OriginMark origin={value.origin} />}
        <LongText text={value.text} />
        {changed && (
          <span class="before">{previous === null ? "new" : <>was <LongText text={previous.text} /></>}</span>
        )}
        {other !== undefined && (
          <span class="real">
            ✗ really {other === null ? "not bound" : <LongText text={other.text} />}
          </span>
        )}
      </td>
      <td class="since">
        <button type="button" class="small" aria-label={`${name} was set at step ${since + 1}`} onClick={() => view.go(since)}>
          {stepName(since)}
        </button>
      </td>
    </tr>
  );
}

/** Names that the real execution has here and the prediction has not. */
function missing(view: View, bindings: readonly Binding[]): { name: string; value: Value }[] {
  const { comparison, real, step, frame } = view;
  if (comparison === null || real === null || step >= real.execution.count) return [];
  if (comparison.divergence !== null && step >= comparison.divergence) return [];
  const names = new Set(bindings.map((binding) => binding.name));
  return bindingsAt(real.execution, frame, step).filter((binding) => !names.has(binding.name));
}

function originsOf(bindings: readonly Binding[]): Origin[] {
  const all: Origin[] = ["computed", "predicted", "injected"];
  return all.filter((origin) => bindings.some((binding) => binding.value.origin === origin));
}

export function Variables({ view }: { readonly view: View }): JSX.Element {
  const { model, step, frame } = view;
  const { execution } = model;
  const bindings = step < 0 ? [] : bindingsAt(execution, frame, step);
  const variables = bindings.filter((binding) => !DEFINITIONS.has(binding.value.type) || binding.value.origin === "injected");
  const definitions = bindings.filter((binding) => !variables.includes(binding));
  const gone =
    step < 0 || frame !== execution.frameAt[step] ? [] : changesAt(execution, step).filter((change) => change.value === null);
  const confidence = execution.confidences?.[step];
  const raised = step < 0 ? null : model.caughtAt(step);
  const { selected } = view.state;
  const set = selected === null ? null : lastSet(execution, selected.frame, selected.name, step);
  return (
    <section class="panel variables" aria-label="Variables">
      <h2>
        Variables <span class="of" title={frameName(view, frame, 60)}>of {brief(frameName(view, frame), FRAME_NAME)}</span>
        {confidence !== undefined && confidence < 1 && (
          <SureBar share={confidence} label={`step ${percent(confidence)} sure`} />
        )}
      </h2>
      <CallStack view={view} />
      {raised !== null && (
        <p class="raised-note">
          × Raises {raised.what}, caught at{" "}
          <button type="button" class="small" onClick={() => view.go(raised.handled)}>
            step {stepName(raised.handled)}, line {raised.line}
          </button>{" "}
          <Chain view={view} step={step} />
        </p>
      )}
      {raised === null && step >= 0 && step === model.errorStep && execution.outcome.kind === "raised" && (
        <p class="raised-note">
          ✕ Raises <Plain text={brief(outcomeText(model), 200)} /> <Chain view={view} step={step} />
        </p>
      )}
      {bindings.length === 0 && <p class="note">Nothing is bound.</p>}
      <table>
        <thead class="hidden">
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Value</th>
            <th scope="col">Set at step</th>
          </tr>
        </thead>
        <tbody>
          {variables.map((binding) => (
            <Row key={binding.name} view={view} binding={binding} />
          ))}
          {missing(view, bindings).map(({ name, value }) => (
            <tr key={name} class="wrong">
              <th scope="row">{name}</th>
              <td class="value">
                not bound <span class="real">✗ really {<LongText text={value.text} />}</span>
              </td>
              <td />
            </tr>
          ))}
          {gone.map((change) => (
            <tr key={change.name} class="gone changed">
              <th scope="row">{change.name}</th>
              <td class="value">gone {change.previous !== null && <span class="before">was <LongText text={change.previous.text} /></span>}</td>
              <td />
            </tr>
          ))}
        </tbody>
      </table>
      {definitions.length > 0 && (
        <p class="definitions">
          {definitions.map((binding) => (
            <span key={binding.name} class={binding.changed ? "changed" : ""}>
              {binding.name} <small>{binding.value.type}</small>
            </span>
          ))}
        </p>
      )}
      {selected !== null && (
        <p class="selected-note">
          <b>{selected.name}</b>{" "}
          {set === null ? "is not set yet." : "last set at "}
          {set !== null && (
            <button type="button" class="small" onClick={() => view.go(set)}>
              step {stepName(set)}, line {execution.lines[set]}
            </button>
          )}
        </p>
      )}
      <OriginLegend origins={originsOf(bindings)} />
    </section>
  );
}

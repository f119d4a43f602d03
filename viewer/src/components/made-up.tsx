// The values that were made up. Where the page is served, another value can be given for each.

import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { canBeGiven, editOf, placeKey, withEdit, written } from "../edits.ts";
import { firstOfLine } from "../moves.ts";
import type { Edit, MadeUp } from "../types.ts";
import { brief, percent, type View } from "../view.ts";
import { LongText, SureBar } from "./value.tsx";

export const MADE_UP_ID = "made-up";

function name(item: Pick<Edit, "kind" | "what">): string {
  return item.kind === "call" ? `${item.what}()` : item.kind === "attribute" ? `.${item.what}` : item.what;
}

function Form({ view, item, edit }: { readonly view: View; readonly item: MadeUp; readonly edit: Edit | undefined }): JSX.Element {
  const [value, setValue] = useState(() => written(item, edit));
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    field.current?.select();
    field.current?.form?.scrollIntoView({ block: "nearest" });
  }, [error]);
  const close = (): void => view.set({ editing: null });
  const give = async (wanted: string | null): Promise<void> => {
    if (view.give === null || busy) return;
    setBusy(true);
    const wrong = await view.give(withEdit(view.page, item, wanted));
    setBusy(false);
    setError(wrong);
    if (wrong === null) close();
    else field.current?.focus();
  };
  return (
    <form
      class="edit"
      onSubmit={(event) => {
        event.preventDefault();
        void give(value);
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        close();
      }}
    >
      <input
        ref={field}
        type="text"
        value={value}
        size={14}
        spellcheck={false}
        autocomplete="off"
        aria-label={`Value of ${name(item)} on line ${item.line}, as Python writes it`}
        aria-invalid={error !== null}
        aria-describedby={error === null ? undefined : "edit-error"}
        placeholder="5, 'text', [..., ...], None"
        onInput={(event) => setValue(event.currentTarget.value)}
      />
      <button type="submit" class="small" disabled={busy}>
        {busy ? "planning…" : "plan again"}
      </button>
      {edit !== undefined && (
        <button type="button" class="small" disabled={busy} onClick={() => void give(null)}>
          reset
        </button>
      )}
      <button type="button" class="small" onClick={close}>
        cancel
      </button>
      {error !== null && (
        <p id="edit-error" class="edit-error" role="alert">
          {error}
        </p>
      )}
    </form>
  );
}

function Value({ view, item }: { readonly view: View; readonly item: MadeUp }): JSX.Element {
  const edit = editOf(view.page, item);
  const key = placeKey(item);
  const editing = view.state.editing === key;
  const button = useRef<HTMLButtonElement>(null);
  const was = useRef(false);
  useLayoutEffect(() => {
    if (was.current && !editing) button.current?.focus();
    was.current = editing;
  }, [editing]);
  if (view.give === null || !canBeGiven(item)) return <LongText text={item.value} />;
  if (editing) return <Form view={view} item={item} edit={edit} />;
  return (
    <button
      ref={button}
      type="button"
      class="give"
      title="Give another value"
      aria-label={`${name(item)} on line ${item.line} is ${brief(item.value, 80)}: give another value`}
      onClick={() => view.set({ editing: key })}
    >
      {brief(item.value, 120)} <span aria-hidden="true">✎</span>
    </button>
  );
}

function Row({ view, item }: { readonly view: View; readonly item: MadeUp }): JSX.Element {
  const step = firstOfLine(view.model.execution, item.file ?? 0, item.line);
  const edit = editOf(view.page, item);
  const isGiven = edit !== undefined && edit.unused === undefined;
  return (
    <tr data-line={item.file === undefined ? item.line : undefined} class={isGiven ? "is-given" : ""}>
      <td>
        <button type="button" class="small" disabled={step === null} onClick={() => view.go(step)}>
          line {item.line}
        </button>
      </td>
      <td class="what">
        <code>{brief(item.what, 80)}</code> <small>{item.kind}</small>
      </td>
      <td class="value from-injected">
        <Value view={view} item={item} />
      </td>
      <td>
        {isGiven ? (
          <span class="given-mark">given</span>
        ) : (
          item.sure !== undefined && <SureBar share={item.sure} label={percent(item.sure)} />
        )}
      </td>
    </tr>
  );
}

/** What was given, in the words of the command line. */
function Edits({ view }: { readonly view: View }): JSX.Element | null {
  const edits = view.page.edits ?? [];
  const [error, setError] = useState<string | null>(null);
  const { give } = view;
  if (edits.length === 0) return null;
  const reset = async (left: readonly Edit[]): Promise<void> => {
    if (give !== null) setError(await give(left));
  };
  return (
    <div class="edits">
      <p>
        Given by you:{" "}
        {give !== null && (
          <button type="button" class="small" onClick={() => void reset([])}>
            reset all
          </button>
        )}
      </p>
      <ul>
        {edits.map((edit) => (
          <li key={placeKey(edit)}>
            <code title="as an option of codexec trace and view">--set '{edit.option ?? `${edit.line}:${name(edit)}=${edit.value}`}'</code>{" "}
            {give !== null && (
              <button
                type="button"
                class="small"
                aria-label={`Reset ${name(edit)} on line ${edit.line}`}
                onClick={() => void reset(withEdit(view.page, edit, null))}
              >
                reset
              </button>
            )}
            {edit.unused !== undefined && <span class="note"> not used: {edit.unused}</span>}
          </li>
        ))}
      </ul>
      {error !== null && <p role="alert">{error}</p>}
    </div>
  );
}

export function MadeUpValues({ view }: { readonly view: View }): JSX.Element | null {
  const items = view.model.tab.made_up ?? [];
  if (items.length === 0 && (view.page.edits ?? []).length === 0) return null;
  return (
    <section class="panel made-up" id={MADE_UP_ID} aria-label="Made up values">
      <h2>
        Made up <span class="of">{items.length === 1 ? "1 value" : `${items.length} values`} that the program misses</span>
      </h2>
      <Edits view={view} />
      <table>
        <thead>
          <tr>
            <th scope="col">Line</th>
            <th scope="col">What</th>
            <th scope="col">Value</th>
            <th scope="col">Sure</th>
          </tr>
        </thead>
        <tbody>
          {items.map((item, index) => (
            <Row key={index} view={view} item={item} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

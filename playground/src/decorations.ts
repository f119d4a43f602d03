// What the editor shows of an execution: values behind lines, the lines that ran and come next, and errors under theirs.

import { RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, WidgetType, type DecorationSet } from "@codemirror/view";
import { render, type JSX } from "preact";

/** Behind or under a line. */
export interface Mark {
  readonly line: number;
  /** Classes of the line. */
  readonly classes: string;
  /** What stands behind it; equal keys look the same. */
  readonly behind: { readonly key: string; readonly content: JSX.Element } | null;
  readonly errors: readonly LineError[];
}

export interface LineError {
  readonly message: string;
  /** Column in characters, from 1. */
  readonly column: number;
}

class Behind extends WidgetType {
  private readonly key: string;
  private readonly content: JSX.Element;

  constructor(key: string, content: JSX.Element) {
    super();
    this.key = key;
    this.content = content;
  }

  override eq(other: Behind): boolean {
    return other.key === this.key;
  }

  override toDOM(): HTMLElement {
    const element = document.createElement("span");
    element.className = "behind";
    render(this.content, element);
    return element;
  }

  override updateDOM(element: HTMLElement): boolean {
    render(this.content, element);
    return true;
  }

  override destroy(element: HTMLElement): void {
    render(null, element);
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

class Under extends WidgetType {
  private readonly error: LineError;

  constructor(error: LineError) {
    super();
    this.error = error;
  }

  override eq(other: Under): boolean {
    return other.error.message === this.error.message && other.error.column === this.error.column;
  }

  override toDOM(): HTMLElement {
    const element = document.createElement("div");
    element.className = "error-under";
    element.style.paddingLeft = `${Math.max(0, this.error.column - 1)}ch`;
    element.textContent = `▲ ${this.error.message}`;
    return element;
  }
}

/** The marks of the present text, by lines in their order. */
export const mark = StateEffect.define<readonly Mark[]>();

export const decorations = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(value, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(mark)) continue;
      const builder = new RangeSetBuilder<Decoration>();
      for (const one of effect.value) {
        if (one.line > transaction.state.doc.lines) continue;
        const { from, to } = transaction.state.doc.line(one.line);
        if (one.classes !== "") builder.add(from, from, Decoration.line({ class: one.classes }));
        if (one.behind !== null) {
          builder.add(to, to, Decoration.widget({ widget: new Behind(one.behind.key, one.behind.content), side: 1 }));
        }
        one.errors.forEach((error, index) => {
          builder.add(to, to, Decoration.widget({ widget: new Under(error), side: 2 + index, block: true }));
        });
      }
      return builder.finish();
    }
    return value.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

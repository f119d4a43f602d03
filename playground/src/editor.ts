// The editor of the program: CodeMirror with Python, in the colours of the page.

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, nextDiagnostic, previousDiagnostic } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import {
  EditorView,
  drawSelection,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tagHighlighter, tags } from "@lezer/highlight";
import { decorations } from "./decorations.ts";
import { places } from "./places.ts";

/** The value of the policy's nonce: the style that CodeMirror adds has it. */
const NONCE = "codexec";

const { keyword, operatorKeyword, controlKeyword, definitionKeyword, moduleKeyword } = tags;
const colours = tagHighlighter([
  { tag: [keyword, operatorKeyword, controlKeyword, definitionKeyword, moduleKeyword, tags.self], class: "code-keyword" },
  { tag: [tags.string, tags.special(tags.string)], class: "code-string" },
  { tag: [tags.number, tags.bool, tags.null], class: "code-number" },
  { tag: tags.comment, class: "code-comment" },
  { tag: [tags.function(tags.definition(tags.variableName)), tags.definition(tags.className)], class: "code-definition" },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], class: "code-function" },
  { tag: tags.meta, class: "code-meta" },
]);

export interface Listener {
  /** The text is another one. */
  readonly changed: () => void;
  /** One step on or back is asked for. */
  readonly step: (by: 1 | -1) => void;
  /** A line's number was clicked. */
  readonly line: (line: number) => void;
}

export function makeEditor(parent: Element, text: string, listener: Listener): EditorView {
  const step = (by: 1 | -1) => (): boolean => {
    listener.step(by);
    return true;
  };
  const state = EditorState.create({
    doc: text,
    extensions: [
      EditorView.cspNonce.of(NONCE),
      EditorView.contentAttributes.of({ "aria-label": "Program", autocapitalize: "off", autocorrect: "off" }),
      lineNumbers({
        domEventHandlers: {
          click: (view, block) => {
            listener.line(view.state.doc.lineAt(block.from).number);
            return true;
          },
        },
      }),
      lintGutter(),
      highlightSpecialChars(),
      history(),
      drawSelection(),
      indentOnInput(),
      bracketMatching(),
      indentUnit.of("    "),
      EditorState.tabSize.of(4),
      python(),
      syntaxHighlighting(colours),
      keymap.of([
        { key: "Alt-.", run: step(1) },
        { key: "Alt-,", run: step(-1) },
        { key: "F8", run: nextDiagnostic },
        { key: "Shift-F8", run: previousDiagnostic },
        indentWithTab,
        ...defaultKeymap,
        ...historyKeymap,
      ]),
      places,
      decorations,
      EditorView.updateListener.of((update) => {
        if (update.docChanged) listener.changed();
      }),
    ],
  });
  return new EditorView({ parent, state });
}

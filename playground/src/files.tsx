// The files of the program: the texts that are edited, one of which is seen, and the row of their names.

import type { EditorState, TransactionSpec } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import type { JSX } from "preact";
import { makeEditor, type Listener } from "./editor.ts";
import type { FileText } from "./module.ts";

/** What the program itself is called. */
export const MAIN = "prog.py";

interface File {
  path: string;
  readonly box: HTMLElement;
  readonly editor: EditorView;
}

/** The files, each with an editor, one of which is seen; the first one is the program. */
export class Files {
  private readonly parent: Element;
  private readonly listener: Listener;
  private all: File[] = [];
  private at = 0;

  constructor(parent: Element, listener: Listener, source: string, beside: readonly FileText[]) {
    this.parent = parent;
    this.listener = listener;
    this.put(source, beside);
  }

  private fileOf(path: string, text: string): File {
    const box = document.createElement("div");
    box.className = "editor-file";
    box.hidden = true;
    this.parent.append(box);
    return { path, box, editor: makeEditor(box, text, this.listener) };
  }

  private drop(file: File): void {
    file.editor.destroy();
    file.box.remove();
  }

  /** Other files in place of all. */
  put(source: string, beside: readonly FileText[]): void {
    this.all.forEach((file) => this.drop(file));
    this.all = [{ path: MAIN, text: source }, ...beside].map(({ path, text }) => this.fileOf(path, text));
    this.show(0);
  }

  destroy(): void {
    this.all.forEach((file) => this.drop(file));
  }

  get paths(): string[] {
    return this.all.map((file) => file.path);
  }

  get current(): number {
    return this.at;
  }

  /** The editor that is seen. */
  get editor(): EditorView {
    const file = this.all[this.at];
    if (file === undefined) throw new Error("There is no file.");
    return file.editor;
  }

  private show(index: number): void {
    this.at = index;
    this.all.forEach((file, at) => (file.box.hidden = at !== index));
    this.editor.requestMeasure();
  }

  /** Show another file. */
  open(index: number): void {
    if (index !== this.at && this.all[index] !== undefined) this.show(index);
  }

  /** A new file with a name that is not taken. */
  add(): void {
    const taken = new Set(this.paths);
    const named = (number: number): string => `module${number === 1 ? "" : number}.py`;
    let number = 1;
    while (taken.has(named(number))) number++;
    this.all.push(this.fileOf(named(number), ""));
    this.show(this.all.length - 1);
  }

  /** Take the file away that is seen. */
  remove(): void {
    if (this.at === 0) return;
    const [file] = this.all.splice(this.at, 1);
    if (file !== undefined) this.drop(file);
    this.show(0);
  }

  /** Call the file that is seen otherwise. */
  rename(path: string): void {
    const file = this.all[this.at];
    if (file !== undefined && this.at > 0) file.path = path;
  }

  /** Tell every file. */
  tell(spec: TransactionSpec): void {
    for (const file of this.all) file.editor.dispatch(spec);
  }

  /** Tell every file something of its own. */
  tellEach(spec: (path: string, state: EditorState) => TransactionSpec): void {
    for (const { path, editor } of this.all) editor.dispatch(spec(path, editor.state));
  }

  /** The editor of the program itself. */
  get program(): EditorState | null {
    return this.all[0]?.editor.state ?? null;
  }

  get source(): string {
    return this.all[0]?.editor.state.doc.toString() ?? "";
  }

  /** The files beside the program. */
  get beside(): FileText[] {
    return this.all.slice(1).map(({ path, editor }) => ({ path, text: editor.state.doc.toString() }));
  }
}

interface Props {
  readonly files: Files;
  /** Another file is shown, or the program is another one. */
  readonly changed: (isOther: boolean) => void;
}

export function FileRow({ files, changed }: Props): JSX.Element {
  const act = (what: () => void, isOther = true): void => {
    what();
    changed(isOther);
  };
  return (
    <nav class="files" aria-label="Files">
      {files.paths.map((path, index) =>
        index > 0 && index === files.current ? (
          <span key={index} class="file-now">
            <input
              type="text"
              aria-label="Name of the file"
              spellcheck={false}
              size={Math.max(8, path.length)}
              value={path}
              onInput={(event) => act(() => files.rename(event.currentTarget.value.trim()))}
            />
            <button type="button" class="small" aria-label={`Remove ${path}`} onClick={() => act(() => files.remove())}>
              ×
            </button>
          </span>
        ) : (
          <button key={index} type="button" aria-pressed={index === files.current} onClick={() => act(() => files.open(index), false)}>
            {path}
          </button>
        ),
      )}
      <button type="button" class="small" title="Add a file that the program imports or reads" onClick={() => act(() => files.add())}>
        + file
      </button>
    </nav>
  );
}

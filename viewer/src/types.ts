// The page document and the JSON form of a trace, as docs/trace-format.md says.

export type Origin = "observed" | "predicted" | "computed" | "injected";

export interface JsonValue {
  type: string;
  text: string;
  origin?: Origin;
  objects?: number[];
}

export type EventName = "call" | "line" | "return";

export interface JsonStep {
  line: number;
  event: EventName;
  function: string;
  depth: number;
  file?: number;
  frame?: number;
  state?: Record<string, JsonValue>;
  changed?: Record<string, JsonValue>;
  gone?: string[];
  output?: string;
  value?: JsonValue;
  confidence?: number | null;
}

export interface Outcome {
  kind: string;
  code?: number;
  text?: string;
  exception?: string;
  message?: string;
  line?: number;
  column?: number;
  file?: number;
  step?: number;
  why?: string;
}

/** An exception that led to the one of the outcome, the nearest first. */
export interface Cause {
  /** `raise … from …`, or raised while it was handled. */
  how: "cause" | "context";
  exception: string;
  message?: string;
  /** 0: it was never raised. */
  line: number;
  file?: number;
  step?: number;
}

/** Steps as columns, as pages have long traces. A column that is left out is all zeros. */
export interface Columns {
  lines: number[];
  /** A letter for each step: `c`, `l` or `r`. */
  events: string;
  function_names: string[];
  functions?: number[];
  depths?: number[];
  files?: number[];
  frames?: number[];
  /** How many changes each step makes; of each change its name and its value, -1 where the name goes. */
  changes: number[];
  changed_names: number[];
  changed_values: number[];
  names: string[];
  texts: string[];
  type_names: string[];
  types: number[];
  origin_names: Origin[];
  origins?: number[];
  objects?: [number, number[]][];
  outputs?: [number, string][];
  returned?: [number, number][];
  confidences?: (number | null)[];
}

export interface JsonTrace {
  version: number;
  engine: string;
  python?: string;
  checkpoint?: string;
  confidence?: number | null;
  program: { id: string; source?: string; stdin?: string; arguments?: string[] };
  files?: { path: string; source?: string }[];
  frames?: { function: string; file?: number; parent?: number }[];
  /** One of these two. */
  steps?: JsonStep[];
  columns?: Columns;
  outcome: Outcome;
  causes?: Cause[];
  truncated?: boolean;
  limit?: { tokens?: number; steps?: number };
}

/** A value that was made up so that the execution could go on. */
export interface MadeUp {
  line: number;
  file?: number;
  kind: string;
  what: string;
  value: string;
  class?: string;
  sure?: number;
}

/** A value that was given in place of a made up one. */
export interface Edit {
  line: number;
  kind: string;
  what: string;
  value: string;
  /** How the command line says it. */
  option?: string;
  /** Why it is in no execution. */
  unused?: string;
}

/** A condition that depends on an unsure value, and the way that was taken. */
export interface Decision {
  line: number;
  file?: number;
  what: string;
  taken: string;
  sure: number;
  other: boolean;
}

/** A statement that led to an error: what it did, and the step after which that is seen. */
export interface Because {
  step: number;
  line: number;
  source: string;
  what: string;
}

export interface Finding {
  line: number;
  column?: number;
  file?: number;
  message: string;
  sure?: number;
  tab?: number;
  step?: number;
  because?: Because[];
}

export interface Note {
  line?: number;
  text: string;
}

/** Two versions of a program, as indices of tabs. */
export interface Versions {
  old: number;
  new: number;
  verdict: string;
  differences?: { what: string; old: string | null; new: string | null }[];
  witness?: string[];
  open?: string[];
}

/** Plain text, or a number, a share with its interval, good or bad news. */
export type Cell = string | { text: string; number?: boolean; share?: number; interval?: [number, number]; mark?: "good" | "bad" };

export interface TableData {
  title?: string;
  columns: string[];
  rows: { cells: Cell[]; tab?: number }[];
}

export interface BarsData {
  title: string;
  of: string;
  note?: string;
  histogram?: boolean;
  bars: [string, number][];
}

export interface Series {
  name: string;
  points: [number, number][];
  notes?: string[];
}

export interface CurvesData {
  title: string;
  x: string;
  y?: string;
  is_calibration?: boolean;
  series: Series[];
}

export interface HeatData {
  title: string;
  x: string;
  columns: string[];
  /** A share in 0..=1 for each column. */
  rows: { name: string; shares: number[]; mark?: "good" | "bad" }[];
}

export type Part =
  | { kind: "text"; text: string }
  | ({ kind: "table" } & TableData)
  | ({ kind: "bars" } & BarsData)
  | ({ kind: "curves" } & CurvesData)
  | ({ kind: "heat" } & HeatData);

export interface Section {
  title: string;
  parts: Part[];
}

export interface Tab {
  label: string;
  note?: string;
  trace: JsonTrace;
  made_up?: MadeUp[];
  decisions?: Decision[];
  probability?: number;
}

export interface PageDocument {
  version: number;
  title: string;
  command?: string;
  summary?: string;
  tabs: Tab[];
  compare?: { predicted: number; real: number };
  versions?: Versions[];
  table?: TableData;
  findings?: Finding[];
  notes?: Note[];
  lines?: Record<string, number>;
  sections?: Section[];
  select?: number;
  edits?: Edit[];
  live?: boolean;
}

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

export interface JsonTrace {
  version: number;
  engine: string;
  python?: string;
  checkpoint?: string;
  confidence?: number | null;
  program: { id: string; source?: string; stdin?: string; arguments?: string[] };
  files?: { path: string; source?: string }[];
  frames?: { function: string; file?: number; parent?: number }[];
  steps: JsonStep[];
  outcome: Outcome;
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

/** A condition that depends on an unsure value, and the way that was taken. */
export interface Decision {
  line: number;
  file?: number;
  what: string;
  taken: string;
  sure: number;
  other: boolean;
}

export interface Finding {
  line: number;
  column?: number;
  file?: number;
  message: string;
  sure?: number;
}

export interface Tab {
  label: string;
  note?: string;
  trace: JsonTrace;
  made_up?: MadeUp[];
  decisions?: Decision[];
  probability?: number;
  findings?: Finding[];
}

export interface PageDocument {
  version: number;
  title: string;
  command?: string;
  tabs: Tab[];
  compare?: { predicted: number; real: number };
  table?: { columns: string[]; rows: { cells: string[]; tab?: number }[] };
  select?: number;
  live?: boolean;
}

// The steps of each frame's own events.

import { ownFrame, type Execution } from "./execution.ts";

export interface Visits {
  readonly byFrame: number[][];
  /** The file of each frame's text. */
  readonly fileOf: number[];
}

export function readVisits(execution: Execution): Visits {
  const byFrame: number[][] = execution.frames.map(() => []);
  const fileOf = execution.frames.map((frame) => frame.file);
  for (let step = 0; step < execution.count; step++) byFrame[ownFrame(execution, step)]?.push(step);
  return { byFrame, fileOf };
}

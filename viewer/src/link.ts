// Links to a step: `#step=12`, `#tab=2&step=12`. Steps and tabs are counted from 1.

export interface Place {
  readonly tab: number | null;
  readonly step: number | null;
}

function positive(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text) && Number(text) > 0 ? Number(text) - 1 : null;
}

export function readLink(hash: string): Place {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  return { tab: positive(parts.get("tab")), step: positive(parts.get("step")) };
}

export function writeLink(tab: number, tabs: number, step: number): string {
  return tabs > 1 ? `#tab=${tab + 1}&step=${step + 1}` : `#step=${step + 1}`;
}

/** Put the link into the address without a new entry in the history. Some frames do not allow it. */
export function showLink(link: string): void {
  try {
    history.replaceState(null, "", link);
  } catch {
    // A page of `srcdoc` has no address that could change.
  }
}

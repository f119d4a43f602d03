// Dark and light: what the system prefers, or what was chosen here, remembered where storage is allowed.

export type Theme = "light" | "dark";

const KEY = "codexec-theme";

function remembered(): Theme | null {
  try {
    const value = localStorage.getItem(KEY);
    return value === "light" || value === "dark" ? value : null;
  } catch {
    return null;
  }
}

export function remember(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // The theme then holds for this visit.
  }
}

export function initialTheme(): Theme {
  return remembered() ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}

/** Calls back when the system's preference changes and nothing was chosen here. */
export function followSystem(apply: (theme: Theme) => void): () => void {
  const query = matchMedia("(prefers-color-scheme: dark)");
  const listener = (): void => {
    if (remembered() === null) apply(query.matches ? "dark" : "light");
  };
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}

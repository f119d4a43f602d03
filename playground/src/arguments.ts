// Words of a command line, as a shell would take them apart: blanks separate, quotes and backslashes do not.

export function words(text: string): string[] {
  const found: string[] = [];
  const pattern = /(?:"(?:\\.|[^"\\])*"?|'[^']*'?|\\.|[^\s"'\\])+/gs;
  for (const [word] of text.matchAll(pattern)) {
    found.push(
      word.replace(/"((?:\\.|[^"\\])*)"?|'([^']*)'?|\\(.)/gs, (_, double?: string, single?: string, escaped?: string) =>
        double !== undefined ? double.replace(/\\(["\\$`])/g, "$1") : (single ?? escaped ?? ""),
      ),
    );
  }
  return found;
}

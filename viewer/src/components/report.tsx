// A page of figures: sections with text, tables and charts. It has no execution, and is scrolled and printed as a whole.

import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { followSystem, initialTheme, remember, type Theme } from "../theme.ts";
import type { PageDocument, Part, Section } from "../types.ts";
import { Bars, Curves, Heat } from "./charts.tsx";
import { TableRows } from "./table.tsx";

function PartOf({ part, of }: { readonly part: Part; readonly of: string }): JSX.Element {
  switch (part.kind) {
    case "text":
      return <p>{part.text}</p>;
    case "table":
      return (
        <div class="part-table">
          {part.title !== undefined && <h3>{part.title}</h3>}
          <div class="table-scroll" tabIndex={0} role="region" aria-label={`${part.title ?? "Table"}, ${of}`}>
            <TableRows table={part} />
          </div>
        </div>
      );
    case "bars":
      return <Bars data={part} />;
    case "curves":
      return <Curves data={part} />;
    case "heat":
      return <Heat data={part} />;
  }
}

export function Sections({ sections }: { readonly sections: readonly Section[] }): JSX.Element {
  return (
    <>
      {sections.map((section, index) => (
        <section key={index} class="figures" aria-label={section.title}>
          <h2>{section.title}</h2>
          <div class="parts">
            {section.parts.map((part, place) => (
              <PartOf key={place} part={part} of={section.title} />
            ))}
          </div>
        </section>
      ))}
    </>
  );
}

export function Report({ page }: { readonly page: PageDocument }): JSX.Element {
  const [theme, setTheme] = useState<Theme>(initialTheme);
  useLayoutEffect(() => {
    document.documentElement.dataset["theme"] = theme;
  }, [theme]);
  useEffect(() => followSystem(setTheme), []);
  useEffect(() => {
    document.title = `${page.title} – codexec`;
  }, [page.title]);
  const turn = (): void => {
    const other = theme === "dark" ? "light" : "dark";
    remember(other);
    setTheme(other);
  };
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key === "t" && !event.ctrlKey && !event.metaKey && !event.altKey) turn();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
  return (
    <div class="report">
      <header>
        <h1>{page.title}</h1>
        <span class="head-end">
          <button type="button" title="Dark or light (t)" aria-label="Dark or light" onClick={turn}>
            {theme === "dark" ? "☀" : "☾"}
          </button>
        </span>
      </header>
      <main>
        {page.summary !== undefined && <p class="summary">{page.summary}</p>}
        <Sections sections={page.sections ?? []} />
        {page.command !== undefined && (
          <p class="made-by">
            This page was made by <code>{page.command}</code>
          </p>
        )}
      </main>
    </div>
  );
}

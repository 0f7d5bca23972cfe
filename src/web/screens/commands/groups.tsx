import { memo } from "react";
import type { Group } from "./find";

/** The groups under their headings, each in two columns. Memoized: rerenders only when the results change. */
export const Groups = memo(function Groups({ found }: { found: readonly Group[] }) {
  return found.map(({ group, commands }) => (
    <section key={group} aria-labelledby={`group-${group}`} className="command-group">
      <h2
        id={`group-${group}`}
        className="flex items-baseline gap-3 text-2xl font-semibold tracking-tight capitalize"
      >
        {group}
        <span className="text-sm font-normal text-muted-foreground">{commands.length}</span>
      </h2>
      <ul className="mt-5 gap-x-12 md:columns-2">
        {commands.map(({ name, description }) => (
          <li key={name} id={name} className="command-line">
            <a
              href={`#${name}`}
              className="font-mono font-medium text-link underline-offset-4 hover:underline"
            >
              {name}
            </a>
            : {description}
          </li>
        ))}
      </ul>
    </section>
  ));
});

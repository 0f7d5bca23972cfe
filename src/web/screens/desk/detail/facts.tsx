import type { ReactNode } from "react";
import { CopyButton } from "../../../parts/copy-button";
import { Card, CardTitle } from "../../../ui/card";
import { useHasLevels } from "../parts/levels";

export type Fact = { name: string; value: ReactNode; copy: string | null };

/** `copy`: the text that a button next to the value copies. */
export const fact = (name: string, value: ReactNode, copy: string | null = null): Fact => ({
  name,
  value,
  copy,
});

/** A fact whose value is an id, or other text that is copied more often than read. */
export const idFact = (name: string, id: string): Fact =>
  fact(name, <span className="font-mono text-xs">{id}</span>, id);

/** The level of a thing, for its facts; null in a shop with one level. */
export function useLevelFact({ level }: { level: { name: string } | null }): Fact | null {
  const hasLevels = useHasLevels();
  return hasLevels && level ? fact("Level", level.name) : null;
}

/** A list of facts with a title; leaves out those that are null. */
export function Facts({ title, facts }: { title: string; facts: readonly (Fact | null)[] }) {
  return (
    <Card aria-label={title} className="gap-3">
      <CardTitle>{title}</CardTitle>
      <dl className="grid gap-x-8 gap-y-1 text-sm sm:grid-cols-2">
        {facts
          .filter((one) => one !== null)
          .map(({ name, value, copy }) => (
            <div key={name} className="flex min-h-9 items-center justify-between gap-4">
              <dt className="shrink-0 text-muted-foreground">{name}</dt>
              <dd className="flex min-w-0 items-center text-right wrap-anywhere">
                <div className="min-w-0">{value}</div>
                {copy && (
                  <CopyButton text={copy} label={`Copy ${name.toLowerCase()}`} className="-mr-3.5 md:-mr-2" />
                )}
              </dd>
            </div>
          ))}
      </dl>
    </Card>
  );
}

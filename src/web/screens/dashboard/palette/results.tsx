/* A combobox's list: no native element has these roles while the cursor stays in the field. */
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import { ArrowUpRight, Lock } from "lucide-react";
import { texts } from "@/contract/vocabulary/texts";
import { cn } from "../../../lib/utils";
import type { Section, Target } from "./targets";

type ResultsProps = { at: number; point: (at: number) => void; choose: (target: Target) => void };

/** The results under their headings, numbered in arrow-key order. */
export function Results({
  id,
  sections,
  ...pointing
}: ResultsProps & { id: string; sections: readonly Section[] }) {
  const starts = sections.map((_, nth) =>
    sections.slice(0, nth).reduce((sum, { targets }) => sum + targets.length, 0),
  );
  return (
    <>
      <div
        id={id}
        role="listbox"
        aria-label="Results"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the arrow keys move in it from the field
        tabIndex={-1}
        className="max-h-[min(26rem,60dvh)] overflow-y-auto overscroll-contain p-2 empty:hidden"
      >
        {sections.map(({ heading, targets }, nth) => (
          <div key={heading} role="group" aria-labelledby={`${id}-section-${nth}`}>
            <p
              id={`${id}-section-${nth}`}
              className="px-3 pt-2 pb-1 text-[0.6875rem] font-medium tracking-widest text-muted-foreground uppercase"
            >
              {heading}
            </p>
            {targets.map((target, place) => (
              <Result
                key={target.to || target.name}
                id={`${id}-${(starts[nth] ?? 0) + place}`}
                target={target}
                number={(starts[nth] ?? 0) + place}
                {...pointing}
              />
            ))}
          </div>
        ))}
      </div>
      {sections.length === 0 && (
        <p className="px-3 py-10 text-center text-sm text-muted-foreground">No results found.</p>
      )}
    </>
  );
}

function Result(props: ResultsProps & { id: string; number: number; target: Target }) {
  const { target, number, at } = props;
  const Icon = target.locked ? Lock : target.icon;
  return (
    // The field has focus and handles the keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={props.id}
      role="option"
      aria-selected={number === at}
      aria-disabled={target.locked || undefined}
      onPointerMove={() => props.point(number)}
      onClick={() => props.choose(target)}
      className={cn(
        "flex min-h-11 cursor-pointer items-center gap-3 rounded-md px-3 text-sm aria-selected:bg-primary/18",
        target.locked && "cursor-not-allowed",
      )}
    >
      <Icon aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />
      <span className="font-medium wrap-anywhere">{target.name}</span>
      <span className="min-w-0 flex-1 truncate text-xs text-muted-foreground">
        {target.locked && !target.run ? texts.downloadLocked : target.note}
      </span>
      {target.external && (
        <>
          <ArrowUpRight aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />
          <span className="sr-only">(opens in a new tab)</span>
        </>
      )}
    </div>
  );
}

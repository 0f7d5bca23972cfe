import { importOutcomes } from "@/contract/vocabulary/import-files";
import type { ImportPreview } from "@/contract/wire/desk/imports";
import { outcomeWords } from "../bulk/bulk-words";
import { Outcomes } from "../bulk/outcomes";
import { counted } from "../parts/format";

/** What would become of a file's lines: how many, the first of each kind, and why. */
export function Preview({ seen }: { seen: ImportPreview }) {
  const { lines, sample, over, ignored, unit } = seen;
  const called = unit === "line" ? "Line" : "Entry";
  return (
    <>
      <Outcomes lines={lines} />
      {importOutcomes.map((outcome) => {
        const first = sample.filter((one) => one.outcome === outcome);
        const { name } = outcomeWords[outcome];
        return (
          first.length > 0 && (
            <section key={outcome} aria-label={name} className="flex flex-col gap-2">
              <h3 className="text-sm font-semibold">{name}</h3>
              <ul className="flex flex-col gap-1 rounded-md border bg-well p-3 text-xs leading-5">
                {first.map((one) => (
                  <li key={one.line} className="flex flex-wrap gap-x-3">
                    <span className="tabular-nums text-muted-foreground">{`${called} ${one.line}`}</span>
                    {one.name !== null && <span className="min-w-0 font-mono wrap-anywhere">{one.name}</span>}
                    <span className="min-w-0 wrap-anywhere">{one.sentence}</span>
                  </li>
                ))}
                {lines[outcome] > first.length && (
                  <li>{`and ${(lines[outcome] - first.length).toLocaleString("en-US")} more`}</li>
                )}
              </ul>
            </section>
          )
        );
      })}
      <div className="flex flex-col gap-1 text-sm text-muted-foreground">
        {over > 0 && <p>{`${counted(over, "license is", "licenses are")} over already.`}</p>}
        {ignored.length > 0 && (
          <p className="wrap-anywhere">{`These columns are not imported: ${ignored.join(", ")}.`}</p>
        )}
        <p>
          Each line is decided at its turn, and the shop may have its key or email by then. The result says
          what became of it.
        </p>
      </div>
    </>
  );
}

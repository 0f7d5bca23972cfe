import { importOutcomes } from "@/contract/vocabulary/import-files";
import type { ImportPreview } from "@/contract/wire/desk/imports";
import { outcomeWords } from "../bulk/bulk-words";
import { Outcomes } from "../bulk/outcomes";
import { PatientButton } from "../../../parts/patient-button";
import { NativeSelect } from "../../../ui/native-select";
import { counted } from "../parts/format";

type LevelsProps = {
  seen: ImportPreview;
  pending: boolean;
  ask: (levels: Record<string, string>) => void;
};

/** Asks which levels the file's unknown words mean; their lines are refused until it is said. */
export function Levels({ seen: { levels, known_levels: known }, pending, ask }: LevelsProps) {
  const unknown = levels.filter(({ level }) => level === null);
  if (unknown.length === 0) return null;
  return (
    <form
      aria-label="Levels"
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        const chosen = [...new FormData(event.currentTarget)].filter(([, id]) => id !== "");
        if (!pending) ask(Object.fromEntries(chosen) as Record<string, string>);
      }}
    >
      <p className="text-sm">
        These words name no level here. Say which each means, or its lines are refused.
      </p>
      {unknown.map(({ word }) => (
        <label key={word} className="flex flex-wrap items-center gap-3 text-sm">
          <span className="min-w-0 font-mono wrap-anywhere">{word}</span>
          <NativeSelect
            name={word}
            defaultValue=""
            choices={[["", "Refuse its lines"], ...known.map(({ id, name }) => [id, name] as const)]}
          />
        </label>
      ))}
      <PatientButton type="submit" className="self-start" pending={pending} doing="Checking the file…">
        Preview again
      </PatientButton>
    </form>
  );
}

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

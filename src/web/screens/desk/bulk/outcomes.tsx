import { type ImportOutcome, importOutcomes } from "@/contract/vocabulary/import-files";
import { Card, CardTitle } from "../../../ui/card";
import { outcomeWords } from "./bulk-words";

/** How many lines of a file became what. */
export function Outcomes({ lines }: { lines: Readonly<Record<ImportOutcome, number>> }) {
  return (
    <Card aria-label="Lines" className="gap-3">
      <CardTitle>Lines</CardTitle>
      <dl className="flex flex-col gap-2 text-sm">
        {importOutcomes.map((outcome) => (
          <div key={outcome} className="flex flex-wrap items-baseline gap-x-3">
            <dt className="w-20">{outcomeWords[outcome].name}</dt>
            <dd className="w-14 text-right tabular-nums">{lines[outcome].toLocaleString("en-US")}</dd>
            <dd className="text-muted-foreground max-sm:basis-full">{outcomeWords[outcome].means}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

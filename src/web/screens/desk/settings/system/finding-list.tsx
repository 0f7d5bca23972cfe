import type { Findings } from "@/contract/wire/desk/system";
import { Status } from "../../parts/status";
import { findingWords } from "../../parts/words";

/** What was found of the shop's parts. */
export function FindingList({ findings }: Findings) {
  return (
    <ul className="flex flex-col gap-3 text-sm">
      {findings.map(({ what, state, sentence }) => (
        <li key={`${what} ${sentence}`} className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
          <Status of={state} words={findingWords} />
          <span className="font-medium">{what}</span>
          <span className="min-w-0 basis-full text-muted-foreground wrap-anywhere sm:flex-1 sm:basis-0">
            {sentence}
          </span>
        </li>
      ))}
    </ul>
  );
}

import { CircleMinus, Clock, type LucideIcon } from "lucide-react";
import { licenceEvents } from "@/contract/vocabulary/licence-events";
import { licenceWords, ownWords } from "@/contract/vocabulary/state-words";
import type { Licence } from "@/contract/wire/licences";
import { CopyButton } from "../../../parts/copy-button";
import { useNow } from "../../../hooks/use-now";
import { StateBadge } from "../../../parts/state-badge";
import { cn } from "../../../lib/utils";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "../../../ui/table";
import { isHighlighted, shownWords, statusOf, timeLeftOf, typeOf } from "./licence-status";

const icons: Partial<Record<keyof typeof shownWords, LucideIcon>> = { expired: Clock, inactive: CircleMinus };

/** Why a license is inactive; absent if the status already says so. */
const reasons: Partial<Record<Licence["status"], string>> = {
  refunded: licenceEvents.refunded,
  revoked: licenceWords.revoked.word,
  suspended: licenceEvents.suspended,
  other_mode: ownWords(licenceWords.other_mode).word,
};

export function LicenceTable({ licences }: { licences: readonly Licence[] }) {
  const now = useNow();
  return (
    <Table aria-label="Licenses">
      <TableHeader>
        <TableRow>
          {["Status", "Type", "Key", "Time Left"].map((name) => (
            <TableHead key={name}>{name}</TableHead>
          ))}
        </TableRow>
      </TableHeader>
      <TableBody>
        {licences.map((licence) => (
          <LicenceRow key={licence.key} licence={licence} now={now} />
        ))}
      </TableBody>
    </Table>
  );
}

function LicenceRow({ licence, now }: { licence: Licence; now: Date }) {
  const status = statusOf(licence, now);
  const reason = status === "inactive" && reasons[licence.status];
  const highlighted = isHighlighted(licence, now);
  return (
    <TableRow
      data-highlighted={highlighted || undefined}
      className={cn(highlighted && "border-chart-1 @3xl:*:border-chart-1/70 @3xl:*:bg-primary/6")}
    >
      <TableCell data-label="Status">
        <span className="inline-flex flex-wrap items-center justify-end gap-x-2.5 gap-y-1">
          <StateBadge of={shownWords[status]} icon={icons[status]} />
          {reason && <span className="text-xs text-muted-foreground">{reason}</span>}
        </span>
      </TableCell>
      <TableCell data-label="Type">{typeOf(licence)}</TableCell>
      <TableCell data-label="Key">
        <span className="inline-flex min-w-0 items-center gap-1 font-mono text-[0.6875rem] wrap-anywhere @sm:text-[0.8125rem] @sm:whitespace-nowrap">
          {licence.key}
          <CopyButton text={licence.key} label={`Copy ${licence.key}`} />
        </span>
      </TableCell>
      <TableCell data-label="Time Left">{timeLeftOf(licence, now)}</TableCell>
    </TableRow>
  );
}

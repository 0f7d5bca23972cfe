import { Link } from "react-router";
import type { AuditRow } from "@/contract/wire/desk/rows";
import { Card, CardTitle } from "../../../ui/card";
import { actorName, actorNote } from "../parts/actor";
import { detailsText } from "../audit/details-text";
import { withSpaces } from "../parts/format";
import { When } from "../parts/when";

type Props = {
  entries: readonly AuditRow[];
  /** The currency of the sums in the details, if known. */
  currency?: string | undefined;
};

/** What happened to a thing, newest first, from the log. */
export function Timeline({ entries, currency }: Props) {
  return (
    <Card aria-label="Timeline" className="gap-4">
      <CardTitle>Timeline</CardTitle>
      {entries.length === 0 && <p className="text-sm text-muted-foreground">No activity yet.</p>}
      <ol className="flex flex-col">
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} currency={currency} />
        ))}
      </ol>
    </Card>
  );
}

function Entry({ entry, currency }: { entry: AuditRow; currency: string | undefined }) {
  const { action, actor, at, reason, details } = entry;
  const more = detailsText(details, currency);
  return (
    <li className="relative border-l pb-5 pl-5 text-sm last:border-transparent last:pb-0">
      <span
        aria-hidden="true"
        className="absolute top-1.5 -left-1 size-2 rounded-full bg-muted-foreground ring-4 ring-card"
      />
      <p className="font-medium">{withSpaces(action)}</p>
      <p className="text-xs text-muted-foreground wrap-anywhere">
        <When at={at} /> <span>by</span>{" "}
        {actor.kind === "shop" ? (
          <span>the shop</span>
        ) : (
          <Link
            to={`/desk/audit?actor=${encodeURIComponent(actor.id)}`}
            className="text-soft underline underline-offset-2"
            title={actorNote(actor)}
          >
            {actorName(actor)}
          </Link>
        )}
      </p>
      {reason !== null && <p className="mt-1 text-soft wrap-anywhere">{reason}</p>}
      {more !== "" && <p className="mt-1 text-xs text-muted-foreground wrap-anywhere">{more}</p>}
    </li>
  );
}

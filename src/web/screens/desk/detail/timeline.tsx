import { Link, useLocation } from "react-router";
import type { AuditRow } from "@/contract/wire/desk/rows";
import { Card, CardTitle } from "../../../ui/card";
import { RawEvent } from "../audit/raw-event";
import { pageOf, sentenceOf, subjectName } from "../audit/sentences";
import { actorName, actorNote } from "../parts/actor";
import { DeskLink } from "../parts/desk-link";
import { When } from "../parts/when";

/** What happened to a thing, newest first, from the log. */
export function Timeline({ entries }: { entries: readonly AuditRow[] }) {
  return (
    <Card aria-label="Timeline" className="gap-4">
      <CardTitle>Timeline</CardTitle>
      {entries.length === 0 && <p className="text-sm text-muted-foreground">No activity yet.</p>}
      <ol className="flex flex-col">
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ol>
    </Card>
  );
}

function Entry({ entry }: { entry: AuditRow }) {
  const { actor, at, reason, subject } = entry;
  const { who, text } = sentenceOf(entry);
  const page = pageOf(subject);
  const { pathname } = useLocation();
  return (
    <li className="relative border-l pb-5 pl-5 text-sm last:border-transparent last:pb-0">
      <span
        aria-hidden="true"
        className="absolute top-1.5 -left-1 size-2 rounded-full bg-muted-foreground ring-4 ring-card"
      />
      <div className="flex items-start gap-2">
        <p className="min-w-0 flex-1 wrap-anywhere">
          {who !== null &&
            (actor.kind === "shop" ? (
              <span>{who}</span>
            ) : (
              <Link
                to={`/desk/audit?actor=${encodeURIComponent(actor.id)}`}
                className="font-medium underline-offset-2 hover:underline"
                title={actorNote(actor)}
              >
                {who}
              </Link>
            ))}
          <span>{text}</span>
        </p>
        <RawEvent entry={entry} />
      </div>
      <p className="flex flex-wrap gap-x-1.5 text-xs text-muted-foreground">
        <When at={at} />
        {who === null && actor.kind !== "shop" && <span>{`by ${actorName(actor)}`}</span>}
        {page !== null && page !== pathname && <DeskLink to={page} name={subjectName(subject)} />}
      </p>
      {reason !== null && <p className="mt-1 text-soft wrap-anywhere">{reason}</p>}
    </li>
  );
}

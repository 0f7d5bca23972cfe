import { useQuery } from "@tanstack/react-query";
import { BellRing } from "lucide-react";
import type { OwnerMailKind, OwnerNotices } from "@/contract/wire/desk/notices";
import { writeDesk } from "../../../api/desk/call";
import { thingQuery } from "../../../api/desk/collections";
import { Detailed } from "../detail/detailed";
import { fact, Facts } from "../detail/facts";
import type { Operation } from "../operation/operation";
import { OperationBar } from "../operation/operation-bar";

const kinds: Record<OwnerMailKind, string> = {
  disputes: "New disputes, with their deadline",
  refund_proposals: "Proposed refunds",
  address_proposals: "Proposed addresses of orders",
  stuck_jobs: "Stuck jobs",
  failed_backups: "Failed backups",
};
const names = Object.keys(kinds) as OwnerMailKind[];

/** What this owner is mailed about where nobody reads a staff channel. */
export function Notices() {
  const query = useQuery(thingQuery<OwnerNotices>("me/notices"));
  return (
    <section aria-label="Mails to me" className="flex max-w-2xl flex-col gap-5">
      <div>
        <h2 className="text-lg font-semibold">Mails to me</h2>
        <p className="text-sm text-muted-foreground">
          What needs an owner, in one mail an hour at most, where no staff channel in Discord is read.
        </p>
      </div>
      <Detailed query={query}>
        {(chosen) => (
          <>
            <OperationBar operations={[choose(chosen)]} />
            <Facts
              title="You are mailed about"
              facts={names.map((kind) => fact(kinds[kind], chosen[kind] ? "Yes" : "No"))}
            />
          </>
        )}
      </Detailed>
    </section>
  );
}

const choose = (chosen: OwnerNotices): Operation => ({
  name: "Choose mails",
  icon: BellRing,
  consequence: () => "Changes your own mails only. Every other owner chooses for themselves.",
  fields: names.map((kind) => ({
    name: kind,
    label: kinds[kind],
    type: "check",
    optional: true,
    initial: chosen[kind] ? "on" : "",
  })),
  run: (typed, reason) =>
    writeDesk("me/notices", {
      ...Object.fromEntries(names.map((kind) => [kind, typed[kind] === "on"])),
      reason,
    }),
  done: () => "Your mails are chosen",
});

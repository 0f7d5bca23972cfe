import { useQuery } from "@tanstack/react-query";
import { BellRing } from "lucide-react";
import { chooseOwnerMails, showOwnerMails } from "@/contract/operations/settings";
import { ownerMailKinds } from "@/contract/vocabulary/kinds";
import type { OwnerNotices } from "@/contract/wire/desk/notices";
import { itemQuery } from "../../../api/desk/collections";
import { Detailed } from "../detail/detailed";
import { fact, Facts } from "../detail/facts";
import { deskOperation, type Operation } from "../operation/operation";
import { OperationBar } from "../operation/operation-bar";

/** What this owner is mailed about where nobody reads a staff channel. */
export function Notices() {
  const query = useQuery(itemQuery(showOwnerMails, {}));
  return (
    <section aria-label="Emails to me" className="flex max-w-2xl flex-col gap-5">
      <div>
        <h2 className="text-lg font-semibold">Emails to me</h2>
        <p className="text-sm text-muted-foreground">
          What needs an owner, in one email an hour at most. Sent only if the shop has no staff channel in
          Discord.
        </p>
      </div>
      <Detailed query={query}>
        {(chosen) => (
          <>
            <OperationBar operations={[choose(chosen)]} />
            <Facts
              title="You get emails about"
              facts={ownerMailKinds.map((kind) =>
                fact(chooseOwnerMails.fields[kind].label, chosen[kind] ? "Yes" : "No"),
              )}
            />
          </>
        )}
      </Detailed>
    </section>
  );
}

const choose = (chosen: OwnerNotices): Operation =>
  deskOperation(chooseOwnerMails, {
    name: "Choose emails",
    icon: BellRing,
    consequence: () => "Changes only the emails you get. Other owners choose their own.",
    form: (field) => ownerMailKinds.map((kind) => field(kind, { initial: chosen[kind] ? "on" : "" })),
    sent: (typed) => Object.fromEntries(ownerMailKinds.map((kind) => [kind, typed[kind] === "on"])),
    done: () => "Emails chosen",
  });

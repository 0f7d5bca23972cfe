import { ShieldBan, ShieldOff } from "lucide-react";
import { useState } from "react";
import { addBlock, listBlocks, removeBlock } from "@/contract/operations/settings";
import type { BlockKind } from "@/contract/vocabulary/kinds";
import type { BlockRow } from "@/contract/wire/desk/blocks";
import { NativeSelect } from "../../../ui/native-select";
import { Collection, type CollectionDefinition } from "../collection/collection";
import { deskOperation, type Operation } from "../operation/operation";
import { whenColumn } from "../table/columns";

const kinds: Record<BlockKind, string> = {
  device: "Computers",
  email: "Emails",
  network: "Networks",
  discord: "Discord users",
};

const blocks: CollectionDefinition<BlockRow> = {
  title: "Blocks",
  lead: "Blocked people, computers and networks.",
  list: listBlocks,
  icon: ShieldBan,
  columns: [
    { id: "label", name: "Blocked", cell: ({ label }) => label, leads: true, width: "minmax(0,1.4fr)" },
    { id: "kind", name: "Kind", cell: ({ kind }) => kinds[kind], width: "8rem" },
    { id: "reason", name: "Reason", cell: ({ reason }) => reason, width: "minmax(0,1.6fr)" },
    whenColumn("created_at", "Since", ({ created_at }) => created_at, { phone: "time" }),
  ],
  nameOf: ({ label }) => label,
  empty: "Nobody is blocked.",
};

/** What is blocked, of all kinds or one. */
export function Blocks() {
  const [kind, setKind] = useState("");
  return (
    <Collection
      of={blocks}
      make={[block]}
      operationsOf={(one) => [lift(one)]}
      {...(kind !== "" && { filters: { kind } })}
    >
      <div className="max-w-52">
        <NativeSelect
          aria-label="Kind"
          value={kind}
          onChange={({ target }) => setKind(target.value)}
          choices={[["", "All kinds"], ...Object.entries(kinds)]}
        />
      </div>
    </Collection>
  );
}

/** A customer's computer is a device that staff know only by its owner. */
const typedKinds = {
  email: "An email address",
  network: "An address or network, such as 192.0.2.0/24",
  discord: "A Discord user's id",
  device: "A hardware ID",
  customer: "A customer's computer, by the customer's id",
};

const block = deskOperation(addBlock, {
  name: "Block",
  icon: ShieldBan,
  grave: true,
  consequence: ({ kind = "", value }) =>
    kind === "customer"
      ? `Blocks the computer of customer ${value || "…"}, whoever uses it.`
      : `Blocks ${value || "…"} from registering, buying and using the application.`,
  form: (field) => [
    field("kind", { choices: typedKinds, initial: "email" }),
    field("value", { optional: false }),
  ],
  sent: ({ kind = "", value = "" }) =>
    kind === "customer" ? { kind: "device" as const, customer: value } : { kind: kind as BlockKind, value },
  done: () => "Blocked",
});

const lift = ({ id, label }: BlockRow): Operation =>
  deskOperation(removeBlock, {
    id,
    name: "Unblock",
    icon: ShieldOff,
    consequence: () => `Unblocks ${label}.`,
    done: () => "Unblocked",
  });

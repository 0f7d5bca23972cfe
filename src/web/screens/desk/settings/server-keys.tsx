import { KeySquare, Plus, Trash2 } from "lucide-react";
import { addServerKey, listServerKeys, removeServerKey } from "@/contract/operations/webhooks";
import type { ServerKeyRow } from "@/contract/wire/desk/server-keys";
import { Collection, type CollectionDefinition } from "../collection/collection";
import { deskOperation, type Operation } from "../operation/operation";
import { ShownOnce } from "../parts/shown-once";
import { whenColumn } from "../table/columns";

const keys: CollectionDefinition<ServerKeyRow> = {
  title: "Server keys",
  lead: "Other systems use these to look up orders, licenses and customers.",
  list: listServerKeys,
  icon: KeySquare,
  columns: [
    { id: "name", name: "Name", cell: ({ name }) => name, leads: true },
    whenColumn("created_at", "Created", ({ created_at }) => created_at, { width: "10rem", phone: "time" }),
  ],
  nameOf: ({ name }) => name,
  empty: "No server keys yet.",
};

/** The keys of other systems; each is shown once. */
export const ServerKeys = () => <Collection of={keys} make={[add]} operationsOf={(key) => [remove(key)]} />;

const add = deskOperation(addServerKey, {
  name: "New key",
  icon: Plus,
  consequence: () => "Anyone who has this key can read every order and every email address of the shop.",
  done: ({ name }) => `Key for ${name} created`,
  result: ({ key }) => <ShownOnce text={key} note="Copy this key now. You won't see it again." />,
});

const remove = ({ id, name }: ServerKeyRow): Operation =>
  deskOperation(removeServerKey, {
    id,
    name: "Remove",
    icon: Trash2,
    grave: true,
    consequence: () => `The key for ${name} stops working everywhere right away.`,
    done: () => `Key for ${name} removed`,
  });

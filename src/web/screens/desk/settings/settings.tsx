import { late } from "../../../parts/late";
import { type Section, Sections } from "../collection/sections";
import { listSettings } from "@/contract/operations/settings";
import { mayDo } from "../operation/operation";
import { useMe } from "../parts/me";
import { UnknownDeskPage } from "../parts/unknown-desk-page";

const system: Section = {
  name: "System",
  path: "system",
  screen: late(async () => (await import("./system/system")).System),
};

/** By kind: people, what connects to the shop, what brings licenses, and the shop itself. */
const ofOwners: readonly Section[] = [
  { name: "Staff", path: "staff", screen: late(async () => (await import("./staff")).Staff) },
  { name: "Emails to me", path: "mails", screen: late(async () => (await import("./notices")).Notices) },
  {
    name: "Saved replies",
    path: "replies",
    screen: late(async () => (await import("./replies")).Replies),
  },
  { name: "Blocks", path: "blocks", screen: late(async () => (await import("./blocks")).Blocks) },
  {
    name: "Webhooks",
    path: "webhooks",
    begins: true,
    screen: late(async () => (await import("./webhooks/webhooks")).Webhooks),
  },
  { name: "Server keys", path: "keys", screen: late(async () => (await import("./server-keys")).ServerKeys) },
  { name: "Issue", path: "issue", begins: true, screen: late(async () => (await import("./issue")).Issue) },
  { name: "Import", path: "import", screen: late(async () => (await import("./import")).Import) },
  {
    name: "Shop",
    path: "shop",
    begins: true,
    screen: late(async () => (await import("./shop-settings")).ShopSettings),
  },
  system,
];

/** What the shop is run by. Support finds how it is, and nothing else. */
export function Settings() {
  const me = useMe();
  if (!me.may.includes("system.read")) return <UnknownDeskPage />;
  const sections = mayDo(me, listSettings) ? ofOwners : [system];
  return <Sections title="Settings" base="/desk/settings" sections={sections} />;
}

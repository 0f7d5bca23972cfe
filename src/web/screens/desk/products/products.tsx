import { late } from "../../../parts/late";
import { Sections } from "../collection/sections";

const sections = [
  { name: "Offers", path: "offers", screen: late(async () => (await import("./offers")).Offers) },
  { name: "Levels", path: "levels", screen: late(async () => (await import("./levels")).Levels) },
  { name: "Codes", path: "codes", screen: late(async () => (await import("./codes")).Codes) },
  {
    name: "Releases",
    path: "releases",
    screen: late(async () => (await import("./releases/releases")).Releases),
  },
  { name: "Changelog", path: "changelog", screen: late(async () => (await import("./changelog")).Changelog) },
  {
    name: "Announcements",
    path: "announcements",
    screen: late(async () => (await import("./announcements")).Announcements),
  },
] as const;

/** What the shop sells and publishes. */
export const Products = () => <Sections title="Products" base="/desk/products" sections={sections} />;

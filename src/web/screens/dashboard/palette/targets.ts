import { CreditCard, House, type LucideIcon, SquareTerminal, UserRound } from "lucide-react";
import { brand } from "@/brand/brand";
import { catalogue, find } from "../../commands/find";
import { type Entry, navigation } from "../frame/navigation";

/** Something that the palette leads to. */
export type Target = {
  name: string;
  /** What is said beside the name, and found by as well. */
  note: string;
  icon: LucideIcon;
  to: string;
  external: boolean;
  /** Can be found, but not gone to. */
  locked: boolean;
};

export type Section = { heading: string; targets: readonly Target[] };

/** More would have to be scrolled through; who wants them all has the catalogue. */
const mostCommands = 30;

export const commandCount = catalogue.reduce((sum, { commands }) => sum + commands.length, 0);

const furtherPages: readonly { note: string; entry: Entry }[] = [
  { note: "Account", entry: { name: "Account", icon: UserRound, to: "/dashboard/account" } },
  { note: "Account", entry: { name: "Payments", icon: CreditCard, to: "/dashboard/payments" } },
  { note: brand.shortName, entry: { name: "Commands", icon: SquareTerminal, to: "/commands" } },
  { note: brand.shortName, entry: { name: "Home page", icon: House, to: "/" } },
];

/** What holds every typed word, pages first; without a word the pages alone. */
export function search(typed: string, licensed: boolean): readonly Section[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const pages = pageTargets(licensed).filter(({ name, note }) => {
    const text = `${name} ${note}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const sections = [
    { heading: "Pages", targets: pages },
    { heading: "Commands", targets: words.length === 0 ? [] : commandTargets(typed.trim().toLowerCase()) },
  ];
  return sections.filter(({ targets }) => targets.length > 0);
}

function pageTargets(licensed: boolean): Target[] {
  const pages = [
    ...navigation.flatMap(({ group, entries }) => entries.map((entry) => ({ note: group, entry }))),
    ...furtherPages,
  ];
  return pages.map(({ note, entry: { name, icon, to, external, licensed: needsLicence } }) => ({
    name,
    note,
    icon,
    to,
    external: external ?? false,
    locked: Boolean(needsLicence) && !licensed,
  }));
}

/** Those whose name begins with what was typed come first, then those that hold it. */
function commandTargets(typed: string): Target[] {
  const found = find(typed).flatMap(({ commands }) => commands);
  const rank = ({ name }: { name: string }) => {
    const at = name.toLowerCase().indexOf(typed);
    return at === 0 ? 0 : at > 0 ? 1 : 2;
  };
  return found
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, mostCommands)
    .map(({ name, description }) => ({
      name,
      note: description,
      icon: SquareTerminal,
      to: `/commands#${encodeURIComponent(name)}`,
      external: false,
      locked: false,
    }));
}

import {
  FileDown,
  House,
  type LucideIcon,
  ShieldCheck,
  SquareTerminal,
  UserRound,
  WifiOff,
} from "lucide-react";
import { brand } from "@/brand/brand";
import type { Me } from "@/contract/wire/accounts";
import { catalogue, find } from "../../commands/find";
import { chooseTheme } from "../../../page/theme";
import { themeChoices } from "../../../page/theme-choices";
import { type Entry, navigationOf } from "../navigation";

/** A destination in the palette, or something that it does. */
export type Target = {
  name: string;
  /** Shown next to the name, and searched too. */
  note: string;
  icon: LucideIcon;
  /** The path that it opens; of an action only an identifier. */
  to: string;
  /** Runs instead of opening the path. */
  run?: () => void;
  external: boolean;
  /** Listed, but can't be opened. */
  locked: boolean;
  /** What the action destroys; it then asks for confirmation. */
  asks?: string;
};

export type Section = { heading: string; targets: readonly Target[] };

/** Enough to choose from; the catalogue lists all commands. */
const mostCommands = 30;

export const commandCount = catalogue.reduce((sum, { commands }) => sum + commands.length, 0);

const furtherPages: readonly { note: string; entry: Entry }[] = [
  {
    note: "Email, password and two-factor",
    entry: { name: "Account", icon: UserRound, to: "/dashboard/account" },
  },
  {
    note: "Auth token, sessions and security log",
    entry: { name: "Security", icon: ShieldCheck, to: "/dashboard/settings#security" },
  },
  {
    note: "Download it, or delete your account",
    entry: { name: "Your data", icon: FileDown, to: "/dashboard/settings#data" },
  },
  { note: "Settings", entry: { name: "Offline computer", icon: WifiOff, to: "/dashboard/settings#offline" } },
  ...(commandCount > 0
    ? [{ note: brand.shortName, entry: { name: "Commands", icon: SquareTerminal, to: "/commands" } }]
    : []),
  { note: brand.shortName, entry: { name: "Home page", icon: House, to: "/" } },
];

/** The targets that contain every typed word, pages first; with no words what one can do, since pages stand in the navigation. */
export function search(
  typed: string,
  user: Pick<Me, "active_license" | "staff">,
  actions: readonly Target[] = [],
): readonly Section[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = ({ name, note }: Target) => {
    const text = `${name} ${note}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const sections = [
    { heading: "Pages", targets: words.length === 0 ? [] : pageTargets(user).filter(matches) },
    { heading: "Actions", targets: actions.filter(matches) },
    { heading: "Appearance", targets: themeTargets.filter(matches) },
    { heading: "Commands", targets: words.length === 0 ? [] : commandTargets(typed.trim().toLowerCase()) },
  ];
  return sections.filter(({ targets }) => targets.length > 0);
}

const themeTargets: readonly Target[] = themeChoices.map(([theme, name, icon]) => ({
  name: `${name} theme`,
  note: "Appearance",
  icon,
  to: `theme:${theme}`,
  run: () => chooseTheme(theme),
  external: false,
  locked: false,
}));

function pageTargets(user: Pick<Me, "active_license" | "staff">): Target[] {
  const pages = [
    ...navigationOf(user).flatMap(({ group, entries }) => entries.map((entry) => ({ note: group, entry }))),
    ...furtherPages,
  ];
  // logging out is an action
  return pages
    .filter(({ entry }) => entry.to !== "/logout")
    .map(({ note, entry: { name, icon, to, external, licensed: needsLicence } }) => ({
      name,
      note,
      icon,
      to,
      external: external ?? false,
      locked: Boolean(needsLicence) && !user.active_license,
    }));
}

/** Names that start with the typed text come first, then names that contain it. */
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

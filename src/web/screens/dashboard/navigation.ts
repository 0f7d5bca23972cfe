import {
  BookOpen,
  CreditCard,
  Download,
  House,
  KeyRound,
  LifeBuoy,
  LogOut,
  type LucideIcon,
  MessagesSquare,
  Settings,
  Store,
} from "lucide-react";
import { brand } from "@/brand/brand";
import type { Me } from "@/contract/wire/accounts";

export type Entry = {
  name: string;
  icon: LucideIcon;
  to: string;
  /** Opens another site in a new tab. */
  external?: true;
  /** Locked without an active licence. */
  licensed?: true;
  /** Shown to members of staff only. */
  staff?: true;
};

type Group = { group: string; entries: readonly Entry[] };

/** The side navigation of this account, group by group; a customer's until the account is known. */
export const navigationOf = (user: Pick<Me, "staff"> | null): readonly Group[] =>
  navigation.map(({ group, entries }) => ({
    group,
    entries: entries.filter((entry) => !entry.staff || Boolean(user?.staff)),
  }));

const navigation: readonly Group[] = [
  {
    group: "Main",
    entries: [
      { name: "Dashboard", icon: House, to: "/dashboard" },
      { name: "Download", icon: Download, to: "/dashboard/download", licensed: true },
      { name: "Desk", icon: Store, to: "/desk", staff: true },
    ],
  },
  {
    group: "Support",
    entries: [
      { name: "Documentation", icon: BookOpen, to: brand.links.documentation, external: true },
      { name: "Tickets", icon: LifeBuoy, to: "/dashboard/tickets" },
      { name: "Discord", icon: MessagesSquare, to: brand.links.community, external: true },
    ],
  },
  {
    group: "Account",
    entries: [
      { name: "Settings", icon: Settings, to: "/dashboard/settings" },
      { name: "License", icon: KeyRound, to: "/dashboard/license" },
      { name: "Payments", icon: CreditCard, to: "/dashboard/payments" },
      { name: "Logout", icon: LogOut, to: "/logout" },
    ],
  },
];

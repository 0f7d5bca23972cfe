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
import { isWithout } from "../../page/without";

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
  /** Shown where the shop has it. */
  needs?: "discord";
};

type Group = { group: string; entries: readonly Entry[] };

/** The side navigation of this account, group by group; a customer's until the account is known. */
export const navigationOf = (user: Pick<Me, "staff"> | null): readonly Group[] =>
  navigation.map(({ group, entries }) => ({
    group,
    entries: entries.filter(
      (entry) =>
        (!entry.staff || Boolean(user?.staff)) && !(entry.needs === "discord" && isWithout("discord")),
    ),
  }));

const { community, documentation } = brand.links;

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
      ...(documentation
        ? [{ name: "Documentation", icon: BookOpen, to: documentation, external: true } as const]
        : []),
      { name: "Tickets", icon: LifeBuoy, to: "/dashboard/tickets" },
      ...(community
        ? [
            {
              name: "Discord",
              icon: MessagesSquare,
              to: community,
              external: true,
              needs: "discord",
            } as const,
          ]
        : []),
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

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
  ShieldCheck,
} from "lucide-react";
import { brand } from "@/brand/brand";

export type Entry = {
  name: string;
  icon: LucideIcon;
  to: string;
  /** Opens another site in a new tab. */
  external?: true;
  /** Locked without an active licence. */
  licensed?: true;
};

/** The side navigation, group by group. */
export const navigation: readonly { group: string; entries: readonly Entry[] }[] = [
  {
    group: "Main",
    entries: [
      { name: "Dashboard", icon: House, to: "/dashboard" },
      { name: "Download", icon: Download, to: "/dashboard/download", licensed: true },
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
      { name: "Security", icon: ShieldCheck, to: "/dashboard/security" },
      { name: "Logout", icon: LogOut, to: "/logout" },
    ],
  },
];

import {
  CreditCard,
  KeyRound,
  LifeBuoy,
  MailCheck,
  Package,
  Repeat,
  type LucideIcon,
  RotateCcw,
  ScrollText,
  Settings,
  Sunrise,
  UsersRound,
} from "lucide-react";
import type { DeskMe } from "@/contract/wire/desk/staff";
import type { GoKeys } from "../../../parts/keys";

/**
 * The pages of the desk in the order of its navigation. A new page is a row here (the frame, the palette, the shortcuts
 * and the phone's bar show it) and its screen in `screens.tsx`.
 */
export type DeskPage = {
  name: string;
  to: string;
  icon: LucideIcon;
  /** The letter that leads there after G. */
  key: string;
  /** Stands in the bar at a phone's lower edge; the others are one press further away. At most four. */
  thumb?: true;
  /** The permission without which nobody finds something there. */
  needs?: string;
};

const places: readonly DeskPage[] = [
  { name: "Today", to: "/desk", icon: Sunrise, key: "t", thumb: true },
  { name: "Customers", to: "/desk/customers", icon: UsersRound, key: "c", thumb: true },
  { name: "Payments", to: "/desk/payments", icon: CreditCard, key: "p", thumb: true },
  { name: "Licenses", to: "/desk/licences", icon: KeyRound, key: "l" },
  { name: "Subscriptions", to: "/desk/subscriptions", icon: Repeat, key: "u" },
  { name: "Refunds", to: "/desk/refunds", icon: RotateCcw, key: "r" },
  { name: "Addresses", to: "/desk/corrections", icon: MailCheck, key: "d" },
  { name: "Tickets", to: "/desk/tickets", icon: LifeBuoy, key: "s", thumb: true },
  { name: "Products", to: "/desk/products", icon: Package, key: "o" },
  { name: "Audit", to: "/desk/audit", icon: ScrollText, key: "a" },
  { name: "Settings", to: "/desk/settings", icon: Settings, key: "e", needs: "system.read" },
];

/** The pages that a member of staff finds in the navigation. */
export const deskPagesOf = ({ may }: Pick<DeskMe, "may">): readonly DeskPage[] =>
  places.filter(({ needs }) => needs === undefined || may.includes(needs));

export const goKeysOf = (me: DeskMe): GoKeys =>
  Object.fromEntries(deskPagesOf(me).map(({ key, ...place }) => [key, place]));

/** The page that a path belongs to: that of a customer to Customers. */
export const deskPageOf = (pathname: string): DeskPage | undefined =>
  places.find(({ to }) => pathname === to || (to !== "/desk" && pathname.startsWith(`${to}/`)));

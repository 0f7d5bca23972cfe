import { Archive, BadgePercent, TicketPercent } from "lucide-react";
import type { CodeRow } from "@/contract/desk/codes";
import { minorUnits, money } from "@/contract/money";
import { writeDesk } from "../../../api/desk/call";
import { Collection, type CollectionDefinition } from "../collection/collection";
import { useMe } from "../frame/me";
import { wholeNumber } from "../operation/checks";
import type { Operation } from "../operation/operation";
import { Status } from "../status";
import { When } from "../when";
import { useShopCurrency } from "./use-shop-currency";

function takesOff({ takes_off: off }: CodeRow): string {
  if (off === null) return "–";
  return "percent" in off ? `${off.percent} %` : money(off.amount, off.currency);
}

const codes: CollectionDefinition<CodeRow> = {
  title: "Codes",
  lead: "Promotion codes at Stripe, and what they brought.",
  path: "codes",
  icon: TicketPercent,
  columns: [
    {
      id: "code",
      name: "Code",
      cell: ({ code }) => <code className="font-mono text-sm">{code}</code>,
      leads: true,
    },
    { id: "takes_off", name: "Takes off", cell: takesOff, width: "7rem" },
    {
      id: "uses",
      name: "Used",
      cell: ({ uses, most_uses }) => (most_uses === null ? uses : `${uses} of ${most_uses}`),
      end: true,
      width: "7rem",
    },
    {
      id: "brought",
      name: "Brought",
      cell: ({ brought }) =>
        brought === null ? "–" : `${money(brought.gross, brought.currency)} in ${brought.orders}`,
      end: true,
    },
    {
      id: "expires_at",
      name: "Ends",
      cell: ({ expires_at }) => <When at={expires_at} none="Never" />,
      width: "8rem",
    },
    {
      id: "active",
      name: "State",
      cell: ({ active }) => <Status of={active ? "active" : "retired"} />,
      width: "7rem",
    },
  ],
  nameOf: ({ code }) => code,
  empty: "There are no codes yet.",
};

/** The promotion codes, and what owners do with them. */
export function Codes() {
  const isOwner = useMe().role === "owner";
  const currency = useShopCurrency();
  return (
    <Collection
      of={codes}
      make={isOwner && currency !== null ? [create(currency)] : []}
      operationsOf={(code) => (isOwner && code.active ? [retire(code)] : [])}
    />
  );
}

const create = (currency: string): Operation => ({
  name: "New code",
  icon: BadgePercent,
  consequence: ({ code, off, kind }) =>
    `Buyers who type ${code || "it"} pay ${off || "…"} ${kind === "percent" ? "%" : currency.toUpperCase()} less.`,
  fields: [
    {
      name: "code",
      label: "Code",
      check: (text) =>
        /^[A-Za-z0-9-]{1,64}$/.test(text) ? undefined : "Write 1 to 64 letters, digits and dashes",
    },
    {
      name: "kind",
      label: "Takes off",
      initial: "percent",
      choices: { percent: "Percent of the price", amount: `An amount in ${currency.toUpperCase()}` },
    },
    {
      name: "off",
      label: "How much",
      check: (text) =>
        minorUnits(text, currency) === null ? "Write a number, such as 20 or 4.99" : undefined,
    },
    {
      name: "most_uses",
      label: "How often",
      type: "number",
      optional: true,
      hint: "Empty: as often as people like.",
      check: wholeNumber(1, 1_000_000_000),
    },
  ],
  run: ({ code, kind, off = "", most_uses = "" }, reason) =>
    writeDesk("codes", {
      code,
      ...(kind === "percent" ? { percent: Number(off) } : { amount: minorUnits(off, currency) }),
      ...(most_uses !== "" && { most_uses: Number(most_uses) }),
      reason,
    }),
  done: () => "The code works",
});

const retire = ({ code }: CodeRow): Operation => ({
  name: "Retire",
  icon: Archive,
  grave: true,
  consequence: () => `${code} takes nothing off any more. What was bought with it stays.`,
  run: (_, reason) => writeDesk(`codes/${encodeURIComponent(code)}/retire`, { reason }),
  done: () => `${code} no longer works`,
});

import { Archive, BadgePercent, TicketPercent } from "lucide-react";
import { createCode, listCodes, retireCode } from "@/contract/operations/products";
import type { CodeLasts, CodeRow } from "@/contract/wire/desk/codes";
import { minorUnits, money } from "@/contract/vocabulary/money";
import { useQuery } from "@tanstack/react-query";
import { offersQuery } from "../../../api/offers";
import { Collection, type CollectionDefinition } from "../collection/collection";
import { counted } from "../parts/format";
import { wholeNumber } from "../operation/checks";
import { deskOperation, type Operation, type OperationField } from "../operation/operation";
import { Status } from "../parts/status";
import { When } from "../parts/when";
import { useShopCurrency } from "./use-shop-currency";
import { maxPercent } from "@/contract/vocabulary/bounds";
import { codeWords } from "../parts/words";

function takesOff({ takes_off: off }: CodeRow): string {
  if (off === null) return "–";
  return "percent" in off ? `${off.percent}%` : money(off.amount, off.currency);
}

const codes: CollectionDefinition<CodeRow> = {
  title: "Codes",
  lead: "Promotion codes and their revenue.",
  list: listCodes,
  icon: TicketPercent,
  columns: [
    {
      id: "code",
      name: "Code",
      cell: ({ code }) => <code className="font-mono text-sm">{code}</code>,
      leads: true,
    },
    { id: "takes_off", name: "Discount", cell: takesOff, width: "7rem" },
    {
      id: "lasts",
      name: "Applies to",
      cell: lastsInWords,
      width: "8rem",
    },
    {
      id: "uses",
      name: "Used",
      cell: ({ uses, most_uses }) => (most_uses === null ? uses : `${uses} of ${most_uses}`),
      end: true,
      said: "used",
      width: "7rem",
    },
    {
      id: "brought",
      name: "Revenue",
      cell: ({ brought }) =>
        brought === null
          ? "–"
          : `${money(brought.gross, brought.currency)} in ${counted(brought.orders, "order")}`,
      end: true,
      width: "minmax(0,1.4fr)",
    },
    {
      id: "expires_at",
      name: "Expires",
      cell: ({ expires_at }) => <When at={expires_at} none="Never" />,
      width: "8rem",
      said: "expires",
    },
    {
      id: "active",
      name: "State",
      cell: ({ active }) => <Status of={active ? "active" : "retired"} words={codeWords} />,
      width: "7rem",
      phone: "state",
    },
  ],
  nameOf: ({ code }) => code,
  empty: "No codes yet.",
};

/** `first payment`, `3 months`, `every payment` */
function lastsInWords({ lasts: long }: CodeRow): string {
  if (long === null) return "–";
  if (typeof long === "string") return long === "once" ? "first payment" : "every payment";
  return counted(long.months, "month");
}

const withoutLasts = { ...codes, columns: codes.columns.filter(({ id }) => id !== "lasts") };

/** The promotion codes, and what owners do with them. */
export function Codes() {
  const currency = useShopCurrency();
  const { data: offers = [] } = useQuery(offersQuery);
  const sellsSubscriptions = offers.some(({ recurring }) => recurring !== null);
  return (
    <Collection
      of={sellsSubscriptions ? codes : withoutLasts}
      make={currency !== null ? [create(currency, sellsSubscriptions)] : []}
      operationsOf={(code) => (code.active ? [retire(code)] : [])}
    />
  );
}

const create = (currency: string, sellsSubscriptions: boolean): Operation =>
  deskOperation(createCode, {
    name: "New code",
    icon: BadgePercent,
    consequence: ({ code, off, kind, lasts: long, most_uses, ends }) =>
      `Buyers who enter ${code || "it"} pay ${off || "…"}${kind === "percent" ? "%" : ` ${currency.toUpperCase()}`} less${sellsSubscriptions ? longInWords(long) : ""}${most_uses ? `, up to ${counted(Number(most_uses) || 0, "time")}` : ""}${ends ? `, until the end of ${ends}` : ""}.`,
    form: (field) => [
      field("code"),
      {
        name: "kind",
        label: "Discount",
        initial: "percent",
        choices: { percent: "Percent of the price", amount: `An amount in ${currency.toUpperCase()}` },
      },
      {
        name: "off",
        label: "How much",
        check: (text, { kind }) => (kind === "percent" ? wholePercent(text) : amountIn(currency)(text)),
      },
      ...(sellsSubscriptions ? [lastsField] : []),
      field("most_uses"),
      {
        ...field("expires_at", { type: "date" }),
        name: "ends",
        check: (text) => (endOf(text) > new Date() ? undefined : "Choose today or a later day"),
      },
    ],
    sent: ({ code = "", kind, off = "", lasts: long = "once", most_uses = "", ends = "" }) => ({
      code,
      ...(kind === "percent" ? { percent: Number(off) } : { amount: minorUnits(off, currency) ?? 0 }),
      ...(sellsSubscriptions && { lasts: lastsOf(long) }),
      ...(most_uses !== "" && { most_uses: Number(most_uses) }),
      ...(ends !== "" && { expires_at: endOf(ends).toISOString() }),
    }),
    done: () => "Code created",
  });

const lastsOf = (long: string): CodeLasts => {
  if (long === "once" || long === "forever") return long;
  return { months: Number(long) };
};

const lastsField: OperationField = {
  name: "lasts",
  label: "For subscriptions",
  initial: "once",
  choices: {
    once: "First payment",
    ...Object.fromEntries(
      [2, 3, 6, 12, 24].map((months) => [months, `Payments in the first ${months} months`]),
    ),
    forever: "Every payment",
  },
};

const longInWords = (long = "once") =>
  long === "once"
    ? " once"
    : long === "forever"
      ? " on every payment"
      : `, during the first ${long} months of a subscription`;

const wholePercent = wholeNumber(1, maxPercent);
const amountIn = (currency: string) => (text: string) =>
  minorUnits(text, currency) === null ? "Enter an amount, such as 5 or 4.99" : undefined;

/** The last moment of a typed day, in the time zone of this browser. */
const endOf = (date: string) => new Date(`${date}T23:59:59`);

const retire = ({ code }: CodeRow): Operation =>
  deskOperation(retireCode, {
    id: code,
    name: "Retire",
    icon: Archive,
    grave: true,
    consequence: () => `${code} stops working. Past orders aren't affected.`,
    done: () => `${code} no longer works`,
  });

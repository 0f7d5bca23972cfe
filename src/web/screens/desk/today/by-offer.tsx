import { useQuery } from "@tanstack/react-query";
import { money } from "@/contract/vocabulary/money";
import { type Figures, type FiguresQuery, offerFiguresQuery } from "../../../api/desk/figures";
import { Card, CardTitle } from "../../../ui/card";
import type { Column } from "../table/columns";
import { DeskTable } from "../table/desk-table";
import { rowsBehind, share, whole } from "./measures";

/** What each offer sold on the days that Today shows, retired ones too; nothing where only one did. */
export function ByOffer({ asked, figures }: { asked: FiguresQuery; figures: Figures }) {
  const { data } = useQuery(offerFiguresQuery(asked));
  const sold = (data?.rows ?? [])
    .filter(({ orders, gross, active_licences: active }) => orders > 0 || gross > 0 || active > 0)
    .map((row) => ({ ...row, id: row.offer, currency: data?.currency ?? "" }))
    .toSorted((one, other) => other.gross - one.gross);
  if (sold.length < 2) return null;
  return (
    <Card aria-label="By offer" className="gap-3">
      <CardTitle>By offer</CardTitle>
      <DeskTable
        label="By offer"
        columns={columns}
        rows={sold}
        to={({ offer }) => rowsBehind("payments", figures, offer)}
        nameOf={({ name }) => name}
      />
    </Card>
  );
}

type Row = {
  id: string;
  offer: string;
  name: string;
  retired: boolean;
  currency: string;
  orders: number;
  gross: number;
  net: number;
  conversion: number | null;
  active_licences: number;
};

const columns: readonly Column<Row>[] = [
  {
    id: "offer",
    name: "Offer",
    cell: ({ name, retired }) => (retired ? `${name} (retired)` : name),
    leads: true,
    width: "minmax(0,1.6fr)",
  },
  { id: "orders", name: "Orders", cell: ({ orders }) => whole.format(orders), end: true, said: "orders" },
  {
    id: "conversion",
    name: "Conversion",
    cell: ({ conversion }) => (conversion === null ? "–" : share.format(conversion)),
    end: true,
    phone: "none",
  },
  {
    id: "active",
    name: "Active licenses",
    cell: ({ active_licences: active }) => whole.format(active),
    end: true,
    said: "active",
  },
  { id: "net", name: "Net", cell: ({ net, currency }) => money(net, currency), end: true, said: "net" },
  {
    id: "gross",
    name: "Gross",
    cell: ({ gross, currency }) => money(gross, currency),
    end: true,
    phone: "state",
  },
];

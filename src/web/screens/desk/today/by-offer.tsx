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
  return (
    <Split
      of="Offer"
      rows={sold}
      columns={withConversion}
      to={({ id }) => rowsBehind("payments", figures, id)}
    />
  );
}

/** The same of each level, the lowest first; nothing in a shop with one. */
export function ByLevel({ figures: { by_level: levels, currency } }: { figures: Figures }) {
  const rows = (levels ?? []).map(({ level, ...sums }) => ({ ...level, ...sums, currency }));
  return <Split of="Level" rows={rows} columns={columns} to={() => null} />;
}

type Row = {
  id: string;
  name: string;
  retired?: boolean;
  currency: string;
  orders: number;
  gross: number;
  net: number;
  conversion?: number | null;
  active_licences: number;
};

function Split(props: {
  of: "Offer" | "Level";
  rows: Row[];
  columns: readonly Column<Row>[];
  to: (row: Row) => string | null;
}) {
  const { of, rows, to } = props;
  const title = `By ${of.toLowerCase()}`;
  const columns = [{ ...named, name: of }, ...props.columns];
  if (rows.length < 2) return null;
  return (
    <Card aria-label={title} className="gap-3">
      <CardTitle>{title}</CardTitle>
      <DeskTable label={title} columns={columns} rows={rows} to={to} nameOf={({ name }) => name} />
    </Card>
  );
}

const named: Column<Row> = {
  id: "of",
  name: "",
  cell: ({ name, retired }) => (retired ? `${name} (retired)` : name),
  leads: true,
  width: "minmax(0,1.6fr)",
};

const columns: readonly Column<Row>[] = [
  { id: "orders", name: "Orders", cell: ({ orders }) => whole.format(orders), end: true, said: "orders" },
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

const withConversion = columns.toSpliced(1, 0, {
  id: "conversion",
  name: "Conversion",
  cell: ({ conversion }) => (conversion == null ? "–" : share.format(conversion)),
  end: true,
  phone: "none",
});

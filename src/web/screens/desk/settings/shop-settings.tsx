import { useQuery } from "@tanstack/react-query";
import { SlidersHorizontal } from "lucide-react";
import { useState } from "react";
import { listSettings } from "@/contract/operations/settings";
import type { SettingRow } from "@/contract/wire/desk/system";
import { itemQuery } from "../../../api/desk/collections";
import { Input } from "../../../ui/input";
import { RowsSection, type RowsDefinition } from "../collection/rows-section";

type Row = SettingRow & { id: string };

const settings: RowsDefinition<Row> = {
  title: "Shop",
  lead: "What this shop was started with. Change settings where you start the shop. Secrets are never shown.",
  icon: SlidersHorizontal,
  columns: [
    {
      id: "name",
      name: "Setting",
      cell: ({ name }) => <code className="font-mono text-xs">{name}</code>,
      leads: true,
    },
    { id: "value", name: "Value", cell: valueOf, width: "minmax(0,1.2fr)" },
    {
      id: "meaning",
      name: "Meaning",
      cell: ({ meaning }) => (
        <span className="text-xs leading-5 wrap-anywhere text-muted-foreground">{marked(meaning)}</span>
      ),
      width: "minmax(0,2fr)",
      whole: true,
    },
  ],
  nameOf: ({ name }) => name,
  empty: "No settings match.",
};

/** What the shop is set to, to read. */
export function ShopSettings() {
  const [typed, setTyped] = useState("");
  const { data, error, refetch } = useQuery(itemQuery(listSettings, {}));
  const wanted = typed.trim().toLowerCase();
  const rows = data?.rows
    .filter(({ name, meaning }) => `${name} ${meaning}`.toLowerCase().includes(wanted))
    .map((row) => ({ ...row, id: row.name }));
  return (
    <RowsSection of={settings} rows={rows} problem={error} retry={() => void refetch()}>
      <Input
        type="search"
        aria-label="Find a setting"
        placeholder="Find a setting"
        className="max-w-sm"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
    </RowsSection>
  );
}

/** A setting's sentence, in which what to type stands between backticks. */
const marked = (meaning: string) =>
  meaning
    .split("`")
    .map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : <span key={at}>{part}</span>));

function valueOf({ value, secret, set, otherwise }: Row) {
  if (secret && set) return <span aria-label="Set, and secret">••••••••</span>;
  if (set) return <code className="font-mono text-xs wrap-anywhere">{value ?? "–"}</code>;
  return (
    <span className="text-muted-foreground">{`Not set${otherwise === "" ? "" : ` (${otherwise})`}`}</span>
  );
}

/** Rows under headings, for people. */
export function table(headings: string[], rows: (string | number | null)[][]): string {
  const all = [headings, ...rows.map((row) => row.map((cell) => String(cell ?? "-")))];
  const widths = headings.map((_, at) => Math.max(...all.map((row) => row[at]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** `2025-03-14 10:22`, in UTC. */
export const stamp = (at: Date | null) => at && at.toISOString().slice(0, 16).replace("T", " ");

export const money = (amount: number, currency: string) =>
  `${currency.toUpperCase()} ${(amount / 100).toFixed(2)}`;

/** Bars of one row each, as long as their values, for a glance at a terminal. */
export function bars(rows: { name: string; value: number; says: string }[]): string {
  const most = Math.max(1, ...rows.map(({ value }) => value));
  return rows
    .map(({ name, value, says }) => `${name}  ${"█".repeat(Math.ceil((value / most) * 40))} ${says}`)
    .join("\n");
}

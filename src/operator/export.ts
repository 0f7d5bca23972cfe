import { mkdir, open } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Command } from "commander";
import { audit } from "@/core/audit";
import { commit } from "@/core/commit";
import { Refusal } from "@/core/refusal";
import { accounts } from "@/domain/accounts/tables";
import { keyOf } from "@/domain/licences/issue";
import { licences } from "@/domain/licences/tables";
import { payments } from "@/domain/payments/tables";
import { everyRow } from "@/domain/staff/every-row";
import { atDesk, say, withReason } from "./desk";

type Cell = string | number | boolean | Date | null;

/** `shop export <folder>` */
export const exportVerb = (): Command =>
  withReason(new Command("export"))
    .argument("<folder>", "where the files go; none may be there yet")
    .description("everything as CSV: licences with their keys, accounts, payments. Keep it as safe as money")
    .action((folder: string, { reason, json }: { reason: string; json?: boolean }) =>
      atDesk(async ({ ctx }) => {
        const to = (name: string) => join(resolve(folder), `${name}.csv`);
        await mkdir(resolve(folder), { recursive: true });
        const written = {
          licences: await writeCsv(to("licences"), everyRow(ctx, licences), (row) => ({
            key: keyOf(ctx, row),
            level: row.type,
            days: row.days,
            id: row.id,
            account: row.accountId,
            payment: row.paymentId,
            payment_standing: row.paymentStanding,
            suspended_at: row.suspendedAt,
            revoked_at: row.revokedAt,
            redeemed_at: row.redeemedAt,
            expires_at: row.expiresAt,
            created_at: row.createdAt,
          })),
          accounts: await writeCsv(to("accounts"), everyRow(ctx, accounts), (row) => ({
            id: row.id,
            username: row.username,
            email: row.email,
            created_at: row.createdAt,
            two_factor: row.mfaEnabledAt !== null,
          })),
          payments: await writeCsv(to("payments"), everyRow(ctx, payments), (row) => ({
            id: row.id,
            session: row.sessionId,
            intent: row.intentId,
            state: row.state,
            amount: row.amount,
            currency: row.currency,
            refunded: row.refundedAmount,
            email: row.email,
            account: row.accountId,
            created_at: row.createdAt,
            paid_at: row.paidAt,
          })),
        };
        await commit(ctx.store, [
          audit(ctx, {
            actor: "operator",
            action: "shop.exported",
            subject: "all",
            reason,
            detail: written,
          }),
        ]);
        const counts = Object.entries(written).map(([name, count]) => `${count} ${name}`);
        say(json, { folder: resolve(folder), ...written }, `${counts.join(", ")} are in ${resolve(folder)}.`);
      }),
    );

/** Writes a file that only its owner may read; resolves to how many lines. */
async function writeCsv<R>(
  path: string,
  pages: AsyncIterable<R[]>,
  cells: (row: R) => Record<string, Cell>,
): Promise<number> {
  const file = await open(path, "wx", 0o600).catch(() => {
    throw new Refusal("conflict", { sentence: `${path} is there already, or can't be written.` });
  });
  let count = 0;
  try {
    for await (const rows of pages) {
      const told = rows.map(cells);
      if (count === 0) await file.write(`${Object.keys(told[0] ?? {}).join(",")}\n`);
      await file.write(told.map((one) => `${Object.values(one).map(quoted).join(",")}\n`).join(""));
      count += rows.length;
    }
  } finally {
    await file.close();
  }
  return count;
}

/** RFC 4180; a text that a spreadsheet would take for a formula is kept one. */
function quoted(cell: Cell): string {
  if (cell === null) return "";
  const text = cell instanceof Date ? cell.toISOString() : String(cell);
  const safe = typeof cell === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "@/core/database/database";
import { complainAbout } from "../support/checks/query-plans";

const many = Array(25).fill("?").join(", ");
const deletion = (besides: string) =>
  `delete from "payments" where ("payments"."id" in (${many}) and ${besides})`;
const unpaid =
  '("payments"."state" in (?, ?) and "payments"."created_at" < ? and "payments"."paid_at" is null)';

test("rows that are named by their key must be found by it, and not by another condition's index", async () => {
  const complaints = await complainAbout([
    deletion(unpaid),
    `update "payments" set "email" = ? where ("payments"."id" in (${many}) and "payments"."email_key" = ?)`,
  ]);
  expect(complaints).toEqual([
    expect.stringContaining("INDEX payments_state (state=? AND created_at<?), not by payments.id"),
    expect.stringContaining("INDEX payments_email_key (email_key=?), not by payments.id"),
  ]);
});

test("rows found by their key, or by another column that names one row, are right", async () => {
  const right = [
    deletion(`${unpaid} IS TRUE`),
    'select "id" from "payments" where "payments"."id" = ? limit ?',
    'update "licences" set "key_hash" = ? where ("licences"."id" = ? and "licences"."key_hash" = ?)',
  ];
  expect(await complainAbout(right)).toEqual([]);
});

test("triggers find the rows that they change by an index", async () => {
  const folder = mkdtempSync(join(tmpdir(), "triggers-"));
  const store = await openStore({ url: `file:${join(folder, "shop.db")}` });
  const { rows } = await store.client.execute("SELECT sql FROM sqlite_master WHERE type = 'trigger'");
  store.close();
  rmSync(folder, { recursive: true });
  const updates = rows
    .flatMap(({ sql }) => (sql as string).split(/ BEGIN |; /))
    .filter((part) => part.startsWith("UPDATE"))
    .map((update) => update.replaceAll(/\b(NEW|OLD)\.(`\w+`|\w+)/g, "?"));
  expect(updates.length).toBeGreaterThan(rows.length / 2);
  expect(await complainAbout(updates)).toEqual([]);
});

import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "@/core/database/database";

/** They are written by hand, and what they keep is often missed by nobody for a long time. */
const known = `
  accounts_added
  accounts_change
  accounts_counted
  accounts_email_change
  accounts_new_change
  accounts_removed
  accounts_uncounted
  audit_numbered
  changed_facts
  disputes_counted
  disputes_recounted
  disputes_uncounted
  figure_days_marked
  licences_change
  licences_counted
  licences_new_change
  licences_offered
  licences_ordered
  licences_recounted
  licences_uncounted
  payments_change
  payments_counted
  payments_currency
  payments_email_change
  payments_named_change
  payments_new_change
  payments_owner_change
  payments_recounted
  payments_uncounted
  stripe_refunds_counted
  stripe_refunds_recounted
  stripe_refunds_uncounted
  subscription_runs_counted
  subscription_runs_recounted
  subscription_runs_uncounted
  subscriptions_change
  subscriptions_email_change
  subscriptions_licensed
  subscriptions_new_change
  subscriptions_owner_change
`;

test("a new database has every trigger and view", async () => {
  const folder = mkdtempSync(join(tmpdir(), "ground-"));
  const store = await openStore({ url: `file:${join(folder, "shop.db")}` });
  const { rows } = await store.client.execute(
    "SELECT name FROM sqlite_master WHERE type IN ('trigger', 'view') ORDER BY name",
  );
  store.close();
  rmSync(folder, { recursive: true });
  expect(rows.map(({ name }) => name)).toEqual(known.trim().split(/\s+/));
});

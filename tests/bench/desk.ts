/**
 * `bun run bench desk [ACCOUNTS=1000000] [FOLDER]`: what the desk reads in a shop of that size, with as many tickets and
 * refunds. Prints how long each list, filter, detail, search, count and what asks for attention takes the shop's process
 * (local queries are synchronous: nobody is served meanwhile), and, while an owner exports every payment, how long
 * `/api/health` takes and how much the process's memory grows. FOLDER keeps the database for the next run.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { readConfig } from "@/core/settings/config";
import type { DeskFilters, DeskList } from "@/contract/wire/desk/lists";
import { operator } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { openStore } from "@/core/database/database";
import { fileOf } from "@/core/settings/storage-location";
import { createLog } from "@/core/log/log";
import { openSecrets, rootKeysOf } from "@/core/database/open-secrets";
import { attentionFor } from "@/domain/desk/attention";
import { countForDesk } from "@/domain/desk/count";
import { customerDetails } from "@/domain/desk/customer-details";
import { licenceDetails } from "@/domain/desk/licence-details";
import { listForDesk } from "@/domain/desk/lists";
import { paymentDetails } from "@/domain/desk/payment-details";
import { searchDesk } from "@/domain/desk/search";
import { appoint } from "../support/people/desk";
import { fill, grown } from "../growth/fill";
import { makeVaried } from "../growth/varied";
import { median } from "../support/checks/percentile";
import { exportMeanwhile } from "./desk-export";

const accounts = Number(process.argv[3] ?? 1_000_000);
const kept = process.argv[4];
const folder = kept ? resolve(kept) : await mkdtemp(join(tmpdir(), "latchkey-desk-"));
const secretKey = Buffer.alloc(32, 7).toString("base64");
const settings = { DATA_DIR: join(folder, "data"), SECRET_KEY: secretKey };
const goal = 50;
const rounds = 9;

try {
  const config = readConfig(settings);
  const file = fileOf(config.database.url) ?? "";
  if (!(await Bun.file(file).exists())) await fill(accounts, settings);
  makeVaried(file);
  console.log(`${accounts} accounts: ${(Bun.file(file).size / 1e6).toFixed(0)} MB`);
  const store = await openStore(config.database);
  const secrets = await openSecrets(store, await rootKeysOf(config), { mayBegin: false });
  const ctx: Ctx = {
    store,
    secrets,
    livemode: false,
    currency: "usd",
    timeZone: "UTC",
    log: createLog("error"),
    now: () => new Date(),
  };
  await measureReads(ctx);
  await appoint(ctx, grown.username, "owner");
  store.close();
  await exportMeanwhile(folder, secretKey);
} finally {
  if (!kept) await rm(folder, { recursive: true, force: true });
}

async function measureReads(ctx: Ctx): Promise<void> {
  const list = <L extends DeskList>(name: L, filters: DeskFilters<L>) =>
    listForDesk(ctx, operator, { list: name, filters, page: { after: null, most: 100 } });
  const show = async <L extends DeskList>(name: L, filters: DeskFilters<L>) => {
    const { rows } = await list(name, filters);
    await measure(`${name} ${JSON.stringify(filters)}: ${rows.length} rows`, () => list(name, filters));
    return rows;
  };
  await show("customers", {});
  const [payment] = await show("payments", {});
  const [licence] = await show("licences", {});
  const [bought] = (await list("payments", { status: "refunded" })).rows;
  const customer = licence?.customer?.id ?? "";
  for (const status of [
    "open",
    "processing",
    "succeeded",
    "failed",
    "expired",
    "disputed",
    "refunded",
  ] as const)
    await show("payments", { status });
  await show("payments", { offer: "premium" });
  await show("payments", { offer: "none", status: "succeeded" });
  await show("payments", { customer });
  await show("payments", { customer, offer: "premium", status: "refunded" });
  await show("payments", { from: "2025-06-01", to: "2025-06-02" });
  await show("payments", { status: "disputed", from: "2025-06-01", to: "2025-06-02" });
  for (const status of [
    "active",
    "unredeemed",
    "expired",
    "suspended",
    "disputed",
    "refunded",
    "revoked",
    "other_mode",
  ] as const)
    await show("licences", { status });
  await show("licences", { offer: "premium" });
  await show("licences", { offer: "premium", status: "suspended" });
  await show("licences", { customer, status: "active", offer: "premium" });
  await show("licences", { payment: bought?.id });
  await show("tickets", {});
  await show("tickets", { status: "open" });
  await show("tickets", { waiting_for: "customer" });
  await show("tickets", { status: "closed" });
  await show("refunds", {});
  for (const state of ["proposed", "failed"] as const) await show("refunds", { state });
  for (const filters of [{}, { state: "proposed" }] as const) await show("corrections", filters);
  await show("audit", {});
  await show("audit", { actor: "shop" });
  await show("audit", { actor: "operator" });
  await show("audit", { actor: customer });
  await show("audit", { actor: "shop", action: "licence.redeemed" });
  await show("audit", { actor: "operator", action: "account.signed_in" });
  await show("audit", { action: "payment.refunded" });
  await show("audit", { action: "payment.refunded", from: "2025-06-01", to: "2025-06-02" });
  await show("audit", { subject: `account:${customer}` });
  await measure("a customer", () => customerDetails(ctx, operator, customer));
  await measure("a payment", () => paymentDetails(ctx, operator, payment?.id ?? ""));
  await measure("a licence", () => licenceDetails(ctx, operator, licence?.id ?? ""));
  for (const q of ["customer5", "grown", "grown@example.com", licence?.key ?? "", customer, "%", "500"])
    await measure(`search ${q}`, () => searchDesk(ctx, operator, q));
  await measure("attention", () => attentionFor(ctx, operator));
  const began = performance.now();
  const counted = await countForDesk(ctx, operator, { list: "payments", filters: {} });
  console.log(
    `count of payments: ${counted.count} in ${(performance.now() - began).toFixed(0)} ms, in pieces`,
  );
}

/** Prints the median time of the processor, and of the clock, which a busy machine lengthens. */
async function measure(what: string, read: () => Promise<unknown>): Promise<void> {
  const times: { clock: number; processor: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const [began, used] = [performance.now(), process.cpuUsage()];
    await read();
    const { user, system } = process.cpuUsage(used);
    times.push({ clock: performance.now() - began, processor: (user + system) / 1_000 });
  }
  const processor = median(times.map((one) => one.processor));
  const clock = median(times.map((one) => one.clock));
  const mark = processor > goal ? `  OVER ${goal} ms` : "";
  console.log(`${processor.toFixed(1).padStart(7)} ms (${clock.toFixed(1)} by the clock)  ${what}${mark}`);
}
process.exit(0);

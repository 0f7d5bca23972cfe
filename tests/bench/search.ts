/**
 * `bun run bench search [ACCOUNTS=1000000] [FOLDER]`: how long the desk's search takes, by what is typed, in a shop with as many
 * accounts. The goal is in processor time, which hardly depends on what else the machine is doing. FOLDER keeps the database
 * for the next run.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { eq } from "drizzle-orm";
import { maskKey } from "@/domain/licences/keys/keys";
import { keyOf } from "@/domain/licences/keys/issue";
import { licences } from "@/domain/schema/licences";
import { payments } from "@/domain/schema/payments";
import { searchDesk } from "@/domain/staff-queries/search";
import { operator } from "@/core/base/actor";
import { median } from "../support/checks/percentile";
import { fill, openFilled } from "../growth/fill";

const accounts = Number(process.argv[3] ?? 1_000_000);
const kept = process.argv[4];
const goal = 50;
const rounds = 50;

const folder = kept ? resolve(kept) : await mkdtemp(join(tmpdir(), "latchkey-search-"));
const settings = { DATA_DIR: folder, SECRET_KEY: Buffer.alloc(32, 9).toString("base64") };
try {
  if (!(await Bun.file(join(folder, "shop.db")).exists())) await fill(accounts, settings, console.log);
  await measure();
} finally {
  if (!kept) await rm(folder, { recursive: true, force: true });
}
process.exit(0);

async function measure(): Promise<void> {
  const { ctx, account } = await openFilled(settings);
  const { db } = ctx.store;
  const [paid] = await db.select().from(payments).where(eq(payments.accountId, account.id)).limit(1);
  const [licence] = await db.select().from(licences).where(eq(licences.accountId, account.id)).limit(1);
  if (!paid?.email || !licence) throw new Error("the filled shop lacks a sale");
  const key = keyOf(ctx, licence);
  const typed: Record<string, string | null> = {
    "a letter that most names begin with": "c",
    "the beginning of most names": "customer",
    "a name": account.username,
    "an email": account.email,
    "a guest's email": paid.email,
    "the beginning of most emails": "buyer-",
    "the domain of everybody": "@example.com",
    "a key": key,
    "a masked key": maskKey(key),
    "a key's last group": key.slice(-4),
    "a card's last four": paid.cardLast4,
    "a ticket's number": "#1001",
    "a Discord user's id": "900000000000000000",
    "our id": paid.id,
    "a checkout session": paid.sessionId,
    "a payment intent": paid.intentId,
    "a charge": paid.chargeId,
    "a refund": "re_none",
    "a dispute": "du_none",
    "a subscription": "sub_none",
    "a customer at Stripe": "cus_none",
    "what nobody has": "zzzz",
  };
  const table: Record<string, object> = {};
  for (const [what, text] of Object.entries(typed)) {
    const [took, worked]: [number[], number[]] = [[], []];
    let found = 0;
    for (let round = 0; round < rounds; round += 1) {
      const [began, before] = [performance.now(), process.cpuUsage()];
      const { why: _why, ...rows } = await searchDesk(ctx, operator, text ?? "");
      took.push(performance.now() - began);
      const { user, system } = process.cpuUsage(before);
      worked.push((user + system) / 1_000);
      found = Object.values(rows).flat().length;
    }
    table[what] = {
      found,
      "first ms": round(took[0] ?? 0),
      "median ms": round(median(took)),
      "processor: median ms": round(median(worked)),
      "processor: worst ms": round(Math.max(...worked)),
      goal: Math.max(...worked) <= goal ? "kept" : "MISSED",
    };
  }
  console.table(table);
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}

/**
 * `bun tests/growth/fill.ts ACCOUNTS DATA_DIR`: makes the database of a shop with this many customers, for
 * `DATA_DIR=… npm start`. One of them is `grown`, with the password `grown-large-enough` and three payments. Keys and
 * tokens are valid under the secret of DATA_DIR (or SECRET_KEY); everybody has the same password.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { randomBytes } from "node:crypto";
import { day, hour, minute } from "@/contract/vocabulary/time";
import { readConfig } from "@/core/settings/config";
import type { Ctx } from "@/core/database/context";
import { openStore } from "@/core/database/database";
import { fileOf } from "@/core/settings/storage-location";
import { createLog } from "@/core/log/log";
import { openSecrets, rootKeysOf } from "@/core/database/open-secrets";
import { auditLog, keyValues } from "@/core/database/schema";
import { tokenHash } from "@/core/secrets/secrets";
import { brand } from "@/brand/brand";
import { accountByName } from "@/domain/accounts/sessions/account";
import { apiKeyOf, newApiKey } from "@/domain/accounts/sessions/api-key";
import { hashPassword } from "@/domain/accounts/credentials/passwords";
import { sealedKey } from "@/domain/licences/keys/issue";
import { soldKey } from "@/domain/licences/keys/keys";
import { legalColumns } from "@/domain/payments/checkout/legal-texts";
import { evidenceContext } from "@/domain/payments/checkout/purchase-evidence";
import { accounts, sessions } from "@/domain/schema/accounts";
import { links } from "@/domain/schema/discord";
import { hashOf } from "@/domain/blocks/hashes";
import { devices } from "@/domain/schema/devices";
import { licences } from "@/domain/schema/licences";
import { paymentEvidence, payments, type PaymentState } from "@/domain/schema/payments";
import { ticketFiles, ticketMessages, tickets } from "@/domain/schema/tickets";
import { openBulk } from "./bulk";

export const grown = { username: "grown", password: "grown-large-enough" };

/** Opens a database that was filled: what operations work on, and grown's account. */
export async function openFilled(environment: Record<string, string>) {
  const config = readConfig(environment);
  const store = await openStore(config.database);
  const ctx: Ctx = {
    store,
    secrets: await openSecrets(store, await rootKeysOf(config), { mayBegin: false }),
    livemode: false,
    currency: "usd",
    timeZone: "UTC",
    log: createLog("error"),
    now: () => new Date(),
  };
  const account = await accountByName(ctx, grown.username);
  if (!account) throw new Error(`${grown.username} is missing`);
  return { ctx, account, apiKey: apiKeyOf(ctx, account) ?? "" };
}

/** How long the shop has been selling. */
const age = 730 * day;

/** Fills the database that the settings name, which must not exist yet. Resolves to its size in bytes. */
export async function fill(
  wanted: number,
  environment: Record<string, string | undefined>,
  print: (sentence: string) => void = () => {},
): Promise<number> {
  const config = readConfig(environment);
  const file = fileOf(config.database.url);
  if (!file) throw new Error("only a database file can be filled");
  if (existsSync(file)) throw new Error(`${file} exists already`);
  const store = await openStore(config.database, { sole: true });
  const now = Date.now();
  const log = createLog("error");
  const secrets = await openSecrets(store, await rootKeysOf(config), { mayBegin: true });
  const ctx: Ctx = {
    store,
    secrets,
    livemode: false,
    currency: "usd",
    timeZone: "UTC",
    log,
    now: () => new Date(now),
  };
  // so that a demo adds nobody of its own
  await store.db.insert(keyValues).values({ name: "demo_filled", value: new Date(now).toISOString() });
  store.close();
  const passwordHash = await hashPassword(grown.password, "operator");
  const bulk = openBulk(file);
  const add = {
    account: bulk.table(accounts),
    session: bulk.table(sessions),
    device: bulk.table(devices),
    link: bulk.table(links),
    payment: bulk.table(payments),
    evidence: bulk.table(paymentEvidence),
    licence: bulk.table(licences),
    ticket: bulk.table(tickets),
    message: bulk.table(ticketMessages),
    file: bulk.table(ticketFiles),
    audit: bulk.table(auditLog),
  };
  const logged = (at: Date, action: string, { subject, accountId, actor }: Logged) =>
    add.audit({
      id: idAt(at),
      at,
      actor: actor ?? accountId ?? "shop",
      actorKind: actor ? "staff" : accountId ? "customer" : "shop",
      action,
      subject,
      accountId: accountId ?? null,
      detail: { device: "Firefox on Linux" },
    });

  /** A checkout and what became of it; resolves to the payment's id. */
  const buy = (
    at: Date,
    state: PaymentState,
    accountId: string | null,
  ): { id: string; sessionId: string } => {
    const id = idAt(at);
    const sessionId = `cs_test_${randomBytes(24).toString("hex")}`;
    const isPaid = state !== "expired";
    add.payment({
      id,
      sessionId,
      intentId: isPaid ? `pi_${randomBytes(12).toString("hex")}` : null,
      state,
      method: isPaid ? "card" : null,
      cardBrand: isPaid ? "visa" : null,
      cardLast4: isPaid ? String(Number.parseInt(id.slice(-4), 16) % 10_000).padStart(4, "0") : null,
      chargeId: isPaid ? `ch_${id.replaceAll("-", "")}` : null,
      unitAmount: 500,
      paidAmount: isPaid ? 500 : null,
      refundedAmount: state === "refunded" ? 500 : 0,
      disputeStatus: state === "disputed" ? "lost" : null,
      currency: "usd",
      livemode: false,
      email: isPaid ? `buyer-${id.slice(-12)}@example.com` : null,
      accountId,
      browserHash: tokenHash(sessionId),
      createdAt: at,
      paidAt: isPaid ? at : null,
      soldAt: isPaid ? at : null,
      receiptSentAt: isPaid ? at : null,
    });
    const isDisputable = now - at.getTime() < (isPaid ? 540 : 30) * day;
    const browser = JSON.stringify({ address: "192.0.2.7", userAgent });
    add.evidence({
      paymentId: id,
      ...legalColumns,
      termsAcceptedAt: at,
      buyerSealed: isDisputable ? secrets.seal(browser, evidenceContext(id)) : null,
      receiptMessageId: isPaid ? `<${id}@example.com>` : null,
    });
    logged(at, `payment.${state}`, { subject: id });
    return { id, sessionId };
  };

  const sell = (at: Date, state: PaymentState, owner: string) => {
    const payment = buy(at, state, owner);
    const id = idAt(at);
    const paymentStatus = state === "refunded" ? "refunded" : state === "disputed" ? "revoked" : "good";
    add.licence({
      id,
      ...sealedKey(ctx, id, soldKey(ctx, payment.sessionId)),
      level: brand.premium.type,
      chain: brand.premium.type,
      days: null,
      primaryPaymentId: payment.id,
      orderedAt: at,
      paymentStatus: paymentStatus,
      livemode: false,
      accountId: owner,
      redeemedAt: at,
      createdAt: at,
    });
    logged(at, "licence.redeemed", { subject: id, accountId: owner });
  };

  bulk.begin();
  for (let at = 0; at < wanted; at += 1) {
    if (at % 50_000 === 0) {
      bulk.commit();
      bulk.begin();
      print(`${at} of ${wanted} accounts`);
    }
    // grown is in the middle, so that nothing of theirs is the newest or the oldest
    const isGrown = at === Math.floor(wanted / 2);
    const joined = new Date(now - age + Math.floor((age * at) / wanted));
    const id = idAt(joined);
    const username = isGrown ? grown.username : `customer${at}`;
    const email = `${username}@example.com`;
    add.account({
      id,
      username,
      usernameKey: username,
      email,
      emailKey: email,
      passwordHash,
      ...newApiKey(ctx, id).stored,
      timezone: "UTC",
      createdAt: joined,
      licenceVersion: 1,
    });
    logged(joined, "account.registered", { subject: id, accountId: id });
    if (isGrown) for (const state of ["refunded", "succeeded", "succeeded"] as const) sell(joined, state, id);
    else sell(joined, at % 50 === 1 ? "refunded" : at % 1000 === 7 ? "disputed" : "succeeded", id);
    if (at % 4 === 0) buy(joined, "expired", null);
    const seen = new Date(now - (at % (6 * 24)) * hour - (at % 3600) * 1000);
    add.session({
      tokenHash: tokenHash(id),
      id: idAt(seen),
      accountId: id,
      createdAt: seen,
      lastSeenAt: seen,
      provedAt: seen,
      userAgent,
      address: "192.0.2.7",
    });
    logged(seen, "account.signed_in", { subject: id, accountId: id });
    if (isGrown || at % 5 < 3) {
      const hwid = isGrown ? "grown-machine" : `machine-${at}`;
      const computerHash = hashOf({ secrets }, { hwid });
      const label = { label: "Desktop", os: "Windows 11", version: "1.4.0" };
      add.device({ accountId: id, computerHash, ...label, firstSeenAt: joined, lastSeenAt: seen });
    }
    const discordUserId = String(900_000_000_000_000_000n + BigInt(at));
    if (at % 10 < 3) {
      // because the simulator's server knows none of them
      const away = { member: false, holdsRole: false, checkedAt: seen };
      add.link({ accountId: id, discordUserId, displayName: username, linkedAt: joined, ...away });
    }
    if (isGrown || at % 50 === 0) ticket(at, joined, { id, discordUserId, username });
  }

  function ticket(at: number, opened: Date, by: { id: string; discordUserId: string; username: string }) {
    const id = idAt(opened);
    const closed = new Date(opened.getTime() + day);
    add.ticket({
      id,
      number: at + 1,
      topic: "technical",
      discordUserId: by.discordUserId,
      memberName: by.username,
      accountId: by.id,
      question: "It does not start on my second computer. What can I do?",
      state: "closed",
      openedAt: opened,
      threadId: String(910_000_000_000_000_000n + BigInt(at)),
      firstAnswerAt: opened,
      waitingFor: "member",
      waitingSince: opened,
      closedAt: closed,
      closedBy: "staff",
      stars: 1 + (at % 5),
    });
    for (let message = 0; message < 4; message += 1) {
      const messageId = String(920_000_000_000_000_000n + BigInt(at * 4 + message));
      add.message({
        id: messageId,
        ticketId: id,
        author: message % 2 === 0 ? "member" : "staff",
        authorId: message % 2 === 0 ? by.discordUserId : "930000000000000000",
        authorName: message % 2 === 0 ? by.username : "Staff",
        content: "The same as before: it says that the license is bound to another computer.",
        at: new Date(opened.getTime() + message * minute),
      });
      const file = {
        name: "log.txt",
        size: 2_000,
        url: "https://cdn.example/log.txt",
        state: "lost" as const,
      };
      if (message === 0 && at % 500 === 0)
        add.file({ id: `${messageId}0`, messageId, ticketId: id, ...file });
    }
    logged(opened, "ticket.opened", { subject: id, accountId: by.id, actor: `discord:${by.discordUserId}` });
  }

  bulk.close((index) => print(`index ${index}`));
  return Bun.file(file).size;
}

type Logged = { subject: string; accountId?: string; actor?: string };

const userAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

/** A UUIDv7 of that moment, as `newId` makes one for now. */
const idAt = (at: Date): string => Bun.randomUUIDv7("hex", at.getTime());

if (import.meta.main) {
  const [wanted, folder] = process.argv.slice(2);
  if (!/^[1-9]\d*$/.test(wanted ?? "") || !folder) {
    console.error("usage: bun tests/growth/fill.ts ACCOUNTS DATA_DIR");
    process.exit(2);
  }
  const began = performance.now();
  const bytes = await fill(Number(wanted), { ...process.env, DATA_DIR: resolve(folder) }, (sentence) =>
    console.log(sentence),
  );
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${wanted} accounts, ${(bytes / 1e6).toFixed(0)} MB in ${seconds} s`);
}

import { and, asc, count, eq, getTableColumns, gt, isNotNull, isNull, ne, sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { By } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit, mustHaveChanged, retryOnConflict, type Write } from "@/core/database/commit";
import { ConfigError } from "@/core/settings/config";
import type { Ctx } from "@/core/database/context";
import { failpoint } from "@/core/log/failpoints";
import { rotationFinished, rotationOf } from "@/core/database/open-secrets";
import { parsePayload, type Payload } from "@/core/database/topic";
import { outbox } from "@/core/database/schema";
import { enqueue } from "@/core/jobs/outbox";
import { shopTopics } from "../outbox-topics";
import { tokensContext } from "../discord/sign-on";
import { replaceSignatures } from "../releases/signatures";
import { licences } from "../schema/licences";
import { authorize } from "../permissions";
import { keepPrefix, keyOf, sealedKey } from "../licences/keys/issue";
import { mayMailKey } from "../licences/keys/mailable-key";
import { versionedKey } from "../licences/keys/key-versions";
import { maskKey } from "../licences/keys/keys";
import { accounts, emailConfirmations, mfaSetups, recoveries } from "../schema/accounts";
import { paymentEvidence, payments } from "../schema/payments";
import { licenceKeyReplacedEmail } from "../payments/emails/licence-key-replaced";
import { apiKeyContext } from "../accounts/sessions/api-key";
import { requestContext } from "../application/codes";
import { confirmationContext } from "../accounts/emails/confirm-address";
import { recoveryContext } from "../accounts/recovery/sealed-code";
import { mfaContext } from "../accounts/credentials/second-factor";
import { evidenceContext } from "../payments/checkout/purchase-evidence";
import { stripeSecretContext } from "../payments/reconcile/stripe-endpoints";
import { deviceRequests } from "../schema/devices";
import { linkAttempts, links } from "../schema/discord";
import { stripeEndpoints } from "../schema/stripe-endpoints";
import { webhookDeliveries, webhookEndpoints, webhookEvents } from "../schema/webhooks";
import { webhookAnswerContext, webhookBodyContext, webhookSecretContext } from "../webhooks/sealing";

/** This run's results; an interrupted run leaves less to the next. */
type RotationCounts = {
  resealed: number;
  /** How many unredeemed keys were replaced. */
  reissued: number;
  /** The licences among them whose buyer has no address. */
  unaddressed: string[];
  /** Those whose licence is invalid: nobody gets its new key unless it is restored. */
  withheld: string[];
};

type OnProgress = (done: number, total: number) => void;

/** Values per commit. A running shop waits while a commit is written. */
const atOnce = 100;

/**
 * Reseals everything sealed under the previous secret, page by page, and replaces unredeemed keys that derive from it.
 * How a value is sealed shows whether it is done, so the operator can repeat an interrupted run, even while the shop is
 * running. Afterwards the previous secret is no longer needed.
 */
export async function rotateSecrets(ctx: Ctx, by: By, onProgress?: OnProgress): Promise<RotationCounts> {
  authorize(by, "secrets.rotate");
  const rotated: RotationCounts = { resealed: 0, reissued: 0, unaddressed: [], withheld: [] };
  const rotation = await rotationOf(ctx.store);
  if (!ctx.secrets.before || rotation?.finishedAt !== null) return rotated;
  const total = await countUnderOld(ctx);
  const advance = (many: number) => {
    rotated.resealed += many;
    failpoint("secrets.page-sealed");
    onProgress?.(Math.min(rotated.resealed, total), total);
  };
  do {
    for (const column of sealedColumns) {
      for await (const many of columnPages(ctx, column)) advance(many);
    }
    for await (const page of licencePages(ctx, by, atOnce)) {
      rotated.reissued += page.reissued;
      rotated.unaddressed.push(...page.unaddressed);
      rotated.withheld.push(...page.withheld);
      advance(page.many);
    }
    const revocations = await sealRevocations(ctx);
    if (revocations > 0) advance(revocations);
  } while ((await countUnderOld(ctx)) > 0);
  await replaceSignatures(ctx);
  await commit(ctx.store, [
    rotationFinished(ctx, rotation),
    record(ctx, {
      ...by,
      action: "secrets.rotated",
      subject: "SECRET_KEY",
      detail: { resealed: rotated.resealed, reissued: rotated.reissued },
    }),
  ]);
  return rotated;
}

/** How many values are sealed under the previous secret; reads all of them, so only for the operator. */
export async function countUnderOld(ctx: Ctx): Promise<number> {
  if (!ctx.secrets.before) return 0;
  const columns = [...sealedColumns.map(({ sealed }) => sealed), licences.keySealed];
  const counts = await Promise.all(
    columns.map(async (sealed) => {
      const [row] = await ctx.store.db
        .select({ many: count() })
        .from(sealed.table)
        .where(isUnderOld(ctx, sealed));
      return row?.many ?? 0;
    }),
  );
  const waiting = await revocationsUnderOld(ctx);
  return counts.reduce((sum, many) => sum + many, waiting.length);
}

async function* columnPages(ctx: Ctx, { key, sealed, context }: SealedColumn): AsyncGenerator<number> {
  const { db } = ctx.store;
  const table = sealed.table;
  const name = Object.entries(getTableColumns(table)).find(([, column]) => column === sealed)?.[0] ?? "";
  for (let after = ""; ;) {
    const rows = await db
      .select({ id: sql<string>`${key}`, was: sql<string>`${sealed}` })
      .from(table)
      .where(and(gt(key, after), isUnderOld(ctx, sealed)))
      .orderBy(key)
      .limit(atOnce);
    const last = rows.at(-1);
    if (!last) return;
    await commit(
      ctx.store,
      rows.map(({ id, was }) =>
        db
          .update(table)
          .set({ [name]: reseal(ctx, was, { context: context(id), of: `${sealed.name} of ${id}` }) })
          // if the running shop changed it meanwhile, it is already under the new secret
          .where(and(eq(key, id), eq(sealed, was))),
      ),
    );
    yield rows.length;
    after = last.id;
  }
}

function reseal({ secrets }: Ctx, was: string, { context, of }: { context: string; of: string }): string {
  let text: string;
  try {
    text = secrets.open(was, context);
  } catch {
    throw new ConfigError(`The value ${of} can't be opened with SECRET_KEY_OLD: it was damaged or moved.`);
  }
  return secrets.seal(text, context);
}

async function revocationsUnderOld(ctx: Ctx) {
  const jobs = await ctx.store.db.select().from(outbox).where(eq(outbox.topic, shopTopics.revokeTokens.name));
  return jobs.flatMap(({ key, subject, payload: stored }) => {
    const { sealed } = parsePayload(shopTopics.revokeTokens, stored);
    return sealed.startsWith(`${ctx.secrets.keyPrefix}.`)
      ? []
      : [{ key, subject, stored: stored ?? "", sealed }];
  });
}

async function sealRevocations(ctx: Ctx): Promise<number> {
  const jobs = await revocationsUnderOld(ctx);
  const write = ({ key, subject, stored, sealed }: (typeof jobs)[number]): Write => {
    const context = tokensContext(`revocation:${subject}`);
    const payload: Payload<typeof shopTopics.revokeTokens> = {
      sealed: reseal(ctx, sealed, { context, of: key }),
    };
    return ctx.store.db
      .update(outbox)
      .set({ payload: JSON.stringify(payload) })
      .where(and(eq(outbox.key, key), eq(outbox.payload, stored)));
  };
  if (jobs.length > 0) await commit(ctx.store, jobs.map(write));
  return jobs.length;
}

type Page = { many: number; reissued: number; unaddressed: string[]; withheld: string[] };

/**
 * Reseals and rehashes licence keys, page by page. An unredeemed key that derives from the previous secret is replaced
 * by the one that the same order yields under the new secret, so that an order that is recovered from Stripe later has
 * the key that its buyer was mailed.
 */
async function* licencePages(ctx: Ctx, by: By, atOnce: number): AsyncGenerator<Page> {
  for (let after = ""; ;) {
    // again if a key was redeemed or replaced meanwhile
    const { rows, changes } = await retryOnConflict(() => changePage(ctx, by, { after, most: atOnce }));
    const last = rows.at(-1);
    if (!last) return;
    const reissued = changes.filter((change) => change.reissued);
    yield {
      many: rows.length,
      reissued: reissued.length,
      unaddressed: reissued.flatMap(({ unaddressed }) => unaddressed),
      withheld: reissued.flatMap(({ withheld }) => withheld),
    };
    after = last.licence.id;
  }
}

async function changePage(ctx: Ctx, by: By, { after, most }: { after: string; most: number }) {
  const rows = await readPage(ctx, after, most);
  const changes = rows.map((row) => changeOf(ctx, row, by));
  await commit(
    ctx.store,
    changes.flatMap(({ writes }) => writes),
  );
  return { rows, changes };
}

type Row = Awaited<ReturnType<typeof readPage>>[number];

const readPage = (ctx: Ctx, after: string, most: number) =>
  ctx.store.db
    .select({
      licence: licences,
      sessionId: payments.sessionId,
      keyEditions: payments.keyEditions,
      address: sql<string | null>`coalesce(${payments.giftEmail}, ${payments.email}, ${accounts.email})`,
    })
    .from(licences)
    .leftJoin(payments, eq(payments.id, licences.paymentId))
    .leftJoin(accounts, eq(accounts.id, payments.accountId))
    .where(and(gt(licences.id, after), isUnderOld(ctx, licences.keySealed)))
    .orderBy(asc(licences.id))
    .limit(most);

type Change = { writes: Write[]; reissued: boolean; unaddressed: string[]; withheld: string[] };

function changeOf(ctx: Ctx, { licence, sessionId, keyEditions, address }: Row, by: By): Change {
  const { id } = licence;
  const { before } = ctx.secrets;
  const was = keyOf(ctx, licence);
  const derives =
    sessionId !== null &&
    before !== null &&
    was === versionedKey({ secrets: before }, { sessionId, keyEditions }, licence.paymentIndex);
  const asRead = and(eq(licences.id, id), eq(licences.keySealed, licence.keySealed));
  const put = (key: string) => ctx.store.db.update(licences).set(sealedKey(ctx, id, key));
  if (!derives || licence.redeemedAt !== null) {
    return {
      writes: [put(was).where(asRead), mustHaveChanged("conflict")],
      reissued: false,
      unaddressed: [],
      withheld: [],
    };
  }
  const key = versionedKey(ctx, { sessionId, keyEditions }, licence.paymentIndex);
  const stands = mayMailKey(ctx, licence);
  const mailed = stands && address !== null;
  return {
    writes: [
      put(key).where(and(asRead, isNull(licences.redeemedAt))),
      mustHaveChanged("conflict"),
      ...keepPrefix(ctx),
      ...(mailed ? [enqueue(ctx, { topic: licenceKeyReplacedEmail, subject: id })] : []),
      record(ctx, {
        ...by,
        action: "licence.key_reissued",
        subject: id,
        accountId: null,
        detail: { key: maskKey(key), mailed },
      }),
    ],
    reissued: true,
    unaddressed: stands && address === null ? [id] : [],
    withheld: stands ? [] : [id],
  };
}

/** A column of sealed values, its table's primary key, and what each value is bound to. */
type SealedColumn = { key: SQLiteColumn; sealed: SQLiteColumn; context: (key: string) => string };

/** Every column of sealed values except licence keys, whose hashes change with them. */
export const sealedColumns: SealedColumn[] = [
  { key: accounts.id, sealed: accounts.apiKeySealed, context: apiKeyContext },
  { key: accounts.id, sealed: accounts.mfaSecretSealed, context: mfaContext },
  { key: mfaSetups.accountId, sealed: mfaSetups.secretSealed, context: mfaContext },
  { key: recoveries.id, sealed: recoveries.codeSealed, context: recoveryContext },
  { key: emailConfirmations.id, sealed: emailConfirmations.codeSealed, context: confirmationContext },
  { key: deviceRequests.id, sealed: deviceRequests.hwidSealed, context: requestContext },
  { key: links.accountId, sealed: links.tokensSealed, context: (id) => tokensContext(`link:${id}`) },
  {
    key: linkAttempts.stateHash,
    sealed: linkAttempts.tokensSealed,
    context: (hash) => tokensContext(`attempt:${hash}`),
  },
  { key: webhookEndpoints.id, sealed: webhookEndpoints.secretSealed, context: webhookSecretContext },
  { key: webhookEndpoints.id, sealed: webhookEndpoints.formerSecretSealed, context: webhookSecretContext },
  { key: stripeEndpoints.id, sealed: stripeEndpoints.secretSealed, context: stripeSecretContext },
  { key: webhookEvents.id, sealed: webhookEvents.bodySealed, context: webhookBodyContext },
  { key: webhookDeliveries.id, sealed: webhookDeliveries.answerSealed, context: webhookAnswerContext },
  { key: paymentEvidence.paymentId, sealed: paymentEvidence.buyerSealed, context: evidenceContext },
];

/** Whether a value was sealed under the previous secret; no index helps, so only for the operator. */
const isUnderOld = ({ secrets: { keyPrefix } }: Ctx, sealed: SQLiteColumn): SQL | undefined =>
  and(isNotNull(sealed), ne(sql`substr(${sealed}, 1, ${keyPrefix.length + 1})`, `${keyPrefix}.`));

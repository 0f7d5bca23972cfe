import { and, count, eq, getTableColumns, gt, sql } from "drizzle-orm";
import type { By } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit, type Write } from "@/core/database/commit";
import { ConfigError } from "@/core/settings/config";
import type { Ctx } from "@/core/database/context";
import { failpoint } from "@/core/log/failpoints";
import { rotationFinished, rotationOf } from "@/core/database/open-secrets";
import { parsePayload, type Payload } from "@/core/database/topic";
import { shopTopics } from "../outbox-topics";
import { outbox } from "@/core/database/schema";
import { tokensContext } from "../discord/tokens";
import { replaceSignatures } from "../releases/signatures";
import { licences } from "../schema/licences";
import { authorize } from "../permissions";
import { licencePages } from "./reissue";
import { isUnderOld, type SealedColumn, sealedColumns } from "./sealed-values";

/** This run's results; an interrupted run leaves less to the next. */
type Rotated = {
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
export async function rotateSecrets(ctx: Ctx, by: By, onProgress?: OnProgress): Promise<Rotated> {
  authorize(by, "secrets.rotate");
  const rotated: Rotated = { resealed: 0, reissued: 0, unaddressed: [], withheld: [] };
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
          .set({ [name]: anew(ctx, was, { context: context(id), of: `${sealed.name} of ${id}` }) })
          // if the running shop changed it meanwhile, it is already under the new secret
          .where(and(eq(key, id), eq(sealed, was))),
      ),
    );
    yield rows.length;
    after = last.id;
  }
}

function anew({ secrets }: Ctx, was: string, { context, of }: { context: string; of: string }): string {
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
      sealed: anew(ctx, sealed, { context, of: key }),
    };
    return ctx.store.db
      .update(outbox)
      .set({ payload: JSON.stringify(payload) })
      .where(and(eq(outbox.key, key), eq(outbox.payload, stored)));
  };
  if (jobs.length > 0) await commit(ctx.store, jobs.map(write));
  return jobs.length;
}

import { and, asc, eq, gt, isNull, sql } from "drizzle-orm";
import type { By } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit, mustHaveChanged, type Write } from "@/core/database/commit";
import { retryOnConflict } from "@/core/database/conflict";
import type { Ctx } from "@/core/database/context";
import { enqueue } from "@/core/jobs/outbox";
import { keyOf, sealedKey } from "../licences/keys/issue";
import { mayMailKey } from "../licences/keys/mailable-key";
import { editionKey } from "../licences/keys/key-editions";
import { maskKey } from "../licences/keys/keys";
import { accounts } from "../schema/accounts";
import { licences } from "../schema/licences";
import { payments } from "../schema/payments";
import { isUnderOld } from "./sealed-values";
import { licenceKeyReplacedEmail } from "../payments/emails/licence-key-replaced";

type Page = { many: number; reissued: number; unaddressed: string[]; withheld: string[] };

/**
 * Reseals and rehashes licence keys, page by page. An unredeemed key that derives from the previous secret is replaced
 * by the one that the same order yields under the new secret, so that an order that is recovered from Stripe later has
 * the key that its buyer was mailed.
 */
export async function* licencePages(ctx: Ctx, by: By, atOnce: number): AsyncGenerator<Page> {
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
    was === editionKey({ secrets: before }, { sessionId, keyEditions }, licence.paymentIndex);
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
  const key = editionKey(ctx, { sessionId, keyEditions }, licence.paymentIndex);
  const stands = mayMailKey(ctx, licence);
  const mailed = stands && address !== null;
  return {
    writes: [
      put(key).where(and(asRead, isNull(licences.redeemedAt))),
      mustHaveChanged("conflict"),
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

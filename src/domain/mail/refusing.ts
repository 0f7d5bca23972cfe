import { eq, inArray } from "drizzle-orm";
import { commit, mustHaveChanged, mustNotExist, retryOnConflict, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { factOf } from "@/core/database/key-values";
import { notice } from "../notice";
import { retryFailing } from "@/core/jobs/outbox";
import { keyValues } from "@/core/database/schema";
import { forgetOldUnsent, forgetUnsentWrite, sendUnsent } from "./unsent";

/** The mail server refuses whatever the shop sends: since when, and the first words of its reply. */
export type RefusingServer = { since: string; words: string };

const refusingFact = "mail refusing";
/** The domain of the first recipient whom the server refused, without saying that it is about them, since it last accepted. */
const firstFact = "mail refused";

export async function mailRefusing(ctx: Pick<Ctx, "store">): Promise<RefusingServer | null> {
  const kept = await factOf(ctx, refusingFact);
  return kept === null ? null : (JSON.parse(kept) as RefusingServer);
}

type RefusedDomain = { domain: string; words: string; isBeforeRecipient: boolean };

/**
 * Notes a refusal that doesn't say that it is about its recipient. Resolves to the state of a server that refuses
 * everybody: it does if it refuses before it hears of a recipient, or two of different domains in a row. It ends with
 * {@link noteAcceptance}.
 */
export const noteRefusal = (ctx: Ctx, refused: RefusedDomain): Promise<RefusingServer | null> =>
  retryOnConflict(async () => {
    const refusing = await mailRefusing(ctx);
    if (refusing) return refusing;
    const first = await factOf(ctx, firstFact);
    if (refused.isBeforeRecipient || (first !== null && first !== refused.domain)) return begin(ctx, refused);
    if (first === null) await commit(ctx.store, keepingNew(ctx, firstFact, refused.domain));
    return null;
  });

async function begin(ctx: Ctx, { words }: RefusedDomain): Promise<RefusingServer> {
  const refusing = { since: ctx.now().toISOString(), words };
  const sentence = `The mail server refuses what the shop sends (${words}). Emails wait and are tried again. See shop doctor.`;
  await commit(ctx.store, [
    ...keepingNew(ctx, refusingFact, JSON.stringify(refusing)),
    ...notice(ctx, "mail refusing", { kind: "trouble", sentence }),
  ]);
  await sendUnsent(ctx, "refused");
  return refusing;
}

const keepingNew = ({ store: { db } }: Ctx, name: string, value: string): Write[] => [
  db.insert(keyValues).values({ name, value }).onConflictDoNothing(),
  mustHaveChanged("conflict"),
];

/** Fails a commit once the server refuses everybody: what it refused then waits. */
export const mustNotRefuse = ({ store: { db } }: Ctx): Write =>
  mustNotExist(
    db.select({ name: keyValues.name }).from(keyValues).where(eq(keyValues.name, refusingFact)),
    "conflict",
  );

/** The server accepted an email, so what it refused before was about its recipients, and what waits is tried now. */
export async function noteAcceptance(ctx: Ctx): Promise<void> {
  const refusing = await mailRefusing(ctx);
  await commit(ctx.store, [
    forgetUnsentWrite(ctx, "refused"),
    ctx.store.db.delete(keyValues).where(inArray(keyValues.name, [firstFact, refusingFact])),
  ]);
  if (refusing) for (const topics of [emails, ownersNotices]) await retryFailing(ctx, topics);
}

/** What the topics of emails begin with. */
const [emails, ownersNotices, announcements] = ["mail.", "owner.", "bulk."] as const;

/** Where mail is off, no server refuses any more. */
export async function endRefusing(ctx: Ctx): Promise<void> {
  if (await mailRefusing(ctx)) await noteAcceptance(ctx);
}

/**
 * For every process, several times a minute: resolves to what others noted, and while the server refuses everybody,
 * has one email tried, so that the shop learns when it no longer does.
 */
export async function checkRefusing(
  ctx: Ctx,
): Promise<{ refusing: RefusingServer | null; anyRefused: boolean }> {
  await forgetOldUnsent(ctx);
  const refusing = await mailRefusing(ctx);
  if (!refusing) return { refusing, anyRefused: (await factOf(ctx, firstFact)) !== null };
  // the process that noted it may have died before it put them back
  await sendUnsent(ctx, "refused");
  for (const topics of [emails, ownersNotices, announcements]) {
    if ((await retryFailing(ctx, topics, { most: 1, deferred: topics === announcements })) > 0) break;
  }
  return { refusing, anyRefused: true };
}

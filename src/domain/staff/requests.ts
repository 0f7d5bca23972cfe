import { and, eq, gt } from "drizzle-orm";
import { z } from "zod";
import { minute } from "@/contract/vocabulary/time";
import type { DeskStaff, DiscordStaff } from "@/core/base/actor";
import { commit, mustHaveChanged } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { randomToken, tokenHash } from "@/core/secrets/secrets";
import { Refusal } from "@/core/base/refusal";
import { expectAccount } from "../customers/find";
import { moveLink } from "../discord/change-link";
import { handOut } from "../licences/keys/hand-out";
import { approveRefund } from "../payments/corrections/proposals";
import { expectRefund, refundInWords } from "../payments/refunds/refunds";
import { authorize, expectConfirmed, mayWith } from "../permissions";
import { staffRequests } from "../schema/staff";

const openMilliseconds = 10 * minute;

/** What staff can ask for in Discord although it needs a code of their authenticator. */
const asked = z.discriminatedUnion("operation", [
  z.object({ operation: z.literal("licence.issue"), days: z.number().nullable(), reason: z.string() }),
  z.object({
    operation: z.literal("discord.relink"),
    account: z.string(),
    discordUserId: z.string(),
    displayName: z.string(),
    reason: z.string(),
  }),
  z.object({ operation: z.literal("refund.approve"), refund: z.string() }),
]);
type StoredRequest = z.infer<typeof asked>;

const connectAnew =
  "This needs your authenticator. Reconnect your Discord user in the shop's settings, with your password and a code.";

/**
 * Keeps what a member of staff asks for in Discord, for them to confirm on the desk within ten minutes. Resolves to the
 * token of its link. Refuses with `forbidden` a member who did not connect with password and code while having the role.
 */
export async function storeStaffRequest(
  ctx: Ctx,
  actor: DiscordStaff,
  wanted: StoredRequest,
): Promise<string> {
  authorize(actor, wanted.operation);
  const { proven } = actor;
  if (!proven || !mayWith(proven.role, wanted.operation))
    throw new Refusal("forbidden", { sentence: connectAnew });
  const token = randomToken();
  const row = { accountId: proven.accountId, asked: JSON.stringify(wanted) };
  const expiresAt = new Date(ctx.now().getTime() + openMilliseconds);
  await commit(ctx.store, [
    ctx.store.db.insert(staffRequests).values({ tokenHash: tokenHash(token), ...row, expiresAt }),
  ]);
  return token;
}

/** What a link asks the member of staff to confirm. Refuses with `request_over`. */
export async function requestToConfirm(
  ctx: Ctx,
  actor: DeskStaff,
  token: string,
): Promise<{ operation: StoredRequest["operation"]; facts: { name: string; value: string }[] }> {
  authorize(actor, "desk.read");
  const { wanted } = await requestOf(ctx, actor, token);
  authorize(actor, wanted.operation);
  return { operation: wanted.operation, facts: await factsOf(ctx, wanted) };
}

/**
 * Does what was asked for, once. Resolves to the result, and the key of a new licence. Refuses with `confirm`,
 * `request_over`, or as the operation does.
 */
export async function confirmRequest(
  ctx: Ctx,
  actor: DeskStaff,
  token: string,
): Promise<{ done: string; key: string | null }> {
  const { wanted, hash } = await requestOf(ctx, actor, token);
  authorize(actor, wanted.operation);
  expectConfirmed(ctx, actor, wanted.operation);
  await commit(ctx.store, [
    ctx.store.db.delete(staffRequests).where(eq(staffRequests.tokenHash, hash)),
    mustHaveChanged("request_over"),
  ]);
  if (wanted.operation === "licence.issue") {
    const { days, reason } = wanted;
    return { done: "A new license is issued", key: await handOut(ctx, { days }, { actor, reason }) };
  }
  if (wanted.operation === "discord.relink") {
    const { account: accountId, discordUserId, displayName, reason } = wanted;
    await moveLink(ctx, { accountId, discordUserId, displayName, actor, reason });
    return { done: `${displayName} is connected`, key: null };
  }
  const approved = await approveRefund(ctx, wanted.refund, { actor });
  return { done: `${refundInWords(approved)} is on its way`, key: null };
}

async function requestOf({ store: { db }, now }: Ctx, { accountId }: DeskStaff, token: string) {
  const hash = tokenHash(token);
  const [found] = await db
    .select()
    .from(staffRequests)
    .where(
      and(
        eq(staffRequests.tokenHash, hash),
        eq(staffRequests.accountId, accountId),
        gt(staffRequests.expiresAt, now()),
      ),
    );
  if (!found) throw new Refusal("request_over");
  return { hash, wanted: asked.parse(JSON.parse(found.asked)) };
}

const fact = (name: string, value: string) => ({ name, value });

async function factsOf(ctx: Ctx, wanted: StoredRequest) {
  if (wanted.operation === "licence.issue")
    return [
      fact("License", wanted.days === null ? "for life" : `for ${wanted.days} days`),
      fact("Reason", wanted.reason),
    ];
  if (wanted.operation === "discord.relink")
    return [
      fact("Account", (await expectAccount(ctx, wanted.account)).username),
      fact("Discord user", `${wanted.displayName} (${wanted.discordUserId})`),
      fact("Reason", wanted.reason),
    ];
  const found = await expectRefund(ctx, wanted.refund);
  return [fact("Refund", refundInWords(found)), fact("Reason", found.refund.reason)];
}

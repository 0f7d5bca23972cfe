import { and, eq, gt, isNull, sql } from "drizzle-orm";
import { readUserCode } from "@/contract/vocabulary/typed-codes";
import { record } from "@/core/database/audit";
import { commit, mustHaveChanged } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import type { LimitTable } from "@/contract/vocabulary/limits";
import { byAddress, type Counted, spendAll, takeBack } from "@/core/limits/limits";
import { Refusal } from "@/core/base/refusal";
import { type Requester, stillSignedIn } from "../accounts/sessions/account";
import { proof, type Typed } from "../accounts/credentials/confirm";
import { deviceName } from "../accounts/sessions/user-agent";
import { expectSeat } from "../devices/expect-seat";
import { authorize } from "../permissions";
import { type DeviceRequest, deviceRequests } from "../schema/devices";
import { codeHashes, requestContext } from "./codes";

/**
 * The request of a user code that waits for a decision. Refuses with `device_request_unknown`; wrong codes count for
 * the account and the address.
 */
export async function requestToDecide(
  ctx: Ctx,
  limits: LimitTable,
  requester: Requester,
  userCode: string,
): Promise<DeviceRequest> {
  authorize(requester, "device.decide_sign_in");
  const guess = guessOf(limits, requester);
  await spendAll(ctx, guess);
  const request = await waiting(ctx, userCode);
  if (!request) throw new Refusal("device_request_unknown");
  await takeBack(ctx, guess);
  return request;
}

const guessOf = (limits: LimitTable, { account, browser }: Requester): Counted[] => [
  { limit: limits["device-guess"], who: account.id },
  ...byAddress(limits["device-guess-from"], browser.address),
];

async function waiting(ctx: Ctx, typed: string): Promise<DeviceRequest | null> {
  const code = readUserCode(typed);
  if (code === null) return null;
  const hashes = JSON.stringify(codeHashes(ctx, "user_code", code));
  const [request] = await ctx.store.db
    .select()
    .from(deviceRequests)
    .where(sql`${deviceRequests.userCodeHash} IN (SELECT value FROM json_each(${hashes}))`)
    .limit(1);
  return request && request.decision === null && request.expiresAt > ctx.now() ? request : null;
}

type Decision = Typed & { userCode: string; approve: boolean };

/**
 * Approves or declines an application's request, once. To approve, the owner proves the password (`reauthenticate`), and
 * the account needs a licence and a seat for the computer (`license_required`, `places_full`): its seat is taken when
 * the application fetches the token.
 */
export async function decideRequest(
  ctx: Ctx,
  limits: LimitTable,
  requester: Requester,
  { userCode, approve, ...typed }: Decision,
): Promise<void> {
  authorize(requester, "device.decide_sign_in");
  const request = await requestToDecide(ctx, limits, requester, userCode);
  const { account, actor, browser } = requester;
  if (approve) {
    const hwid = ctx.secrets.open(request.hwidSealed, requestContext(request.id));
    await expectSeat(ctx, account.id, { hwid });
  }
  await commit(ctx.store, [
    ...(approve ? await proof(ctx, limits, requester, typed) : stillSignedIn(ctx, requester)),
    ctx.store.db
      .update(deviceRequests)
      .set(approve ? { decision: "approved", accountId: account.id } : { decision: "declined" })
      .where(
        and(
          eq(deviceRequests.id, request.id),
          isNull(deviceRequests.decision),
          gt(deviceRequests.expiresAt, ctx.now()),
        ),
      ),
    mustHaveChanged("device_request_unknown"),
    record(ctx, {
      actor,
      action: approve ? "device.sign_in_approved" : "device.sign_in_declined",
      subject: account.id,
      accountId: account.id,
      detail: { device: deviceName(browser.userAgent) },
    }),
  ]);
}

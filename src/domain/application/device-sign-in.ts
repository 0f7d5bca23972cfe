import { and, eq, gt, gte, isNull, lt, sql } from "drizzle-orm";
import { hour, inSeconds, minute } from "@/contract/vocabulary/time";
import { application, visitor } from "@/core/base/actor";
import { commit, isConflict, mustHaveChanged, retryOnConflict } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import { randomToken } from "@/core/secrets/secrets";
import { readUserCode } from "@/contract/vocabulary/typed-codes";
import { record } from "@/core/database/audit";
import type { LimitTable } from "@/contract/vocabulary/limits";
import { byAddress, type LimitUse, spendAll, uncount } from "@/core/limits/limits";
import { Refusal } from "@/core/base/refusal";
import { deleteInPages } from "@/core/database/delete-in-pages";
import { authorize } from "../permissions";
import { type DeviceRequest, deviceRequests, deviceTokens } from "../schema/devices";
import { type Requester, mustBeSignedIn } from "../accounts/sessions/account";
import { expectProofOrCredentials, type ProofInput } from "../accounts/credentials/proof";
import { deviceName } from "../accounts/sessions/user-agent";
import { expectSeat, takeSeat } from "../devices/take-seat";
import { isBlocked } from "../blocks/find";
import { countSeats } from "../devices/read";
import { codeHash, codeHashes, newUserCode, requestContext, tokenOf } from "./codes";

const aliveMilliseconds = 15 * minute;
/** How long an application waits between two polls, until it is told to slow down. */
const firstPollSeconds = 5;

type DeviceRequestInput = { hwid: string; label: string; os: string; version: string; address: string };

/** The codes with which an application asks a person to sign it in on a computer (RFC 8628 §3.2). */
export const requestCode = (ctx: Ctx, { hwid, ...shown }: DeviceRequestInput) =>
  retryOnConflict(async () => {
    authorize(visitor, "device.ask_to_sign_in");
    const [id, deviceCode, userCode] = [newId(), randomToken(), newUserCode()];
    const now = ctx.now();
    await commit(ctx.store, [
      ctx.store.db
        .insert(deviceRequests)
        .values({
          ...shown,
          id,
          deviceCodeHash: codeHash(ctx, "device_code", deviceCode),
          userCodeHash: codeHash(ctx, "user_code", userCode),
          hwidSealed: ctx.secrets.seal(hwid, requestContext(id)),
          createdAt: now,
          expiresAt: new Date(now.getTime() + aliveMilliseconds),
          pollSeconds: firstPollSeconds,
        })
        // another request may have that user code
        .onConflictDoNothing(),
      mustHaveChanged("conflict"),
    ]);
    return {
      deviceCode,
      userCode,
      expiresInSeconds: inSeconds(aliveMilliseconds),
      pollSeconds: firstPollSeconds,
    };
  });

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
  const request = await undecidedRequest(ctx, userCode);
  if (!request) throw new Refusal("device_request_unknown");
  await uncount(ctx, guess);
  return request;
}

const guessOf = (limits: LimitTable, { account, browser }: Requester): LimitUse[] => [
  { limit: limits["device-guess"], who: account.id },
  ...byAddress(limits["device-guess-from"], browser.address),
];

async function undecidedRequest(ctx: Ctx, typed: string): Promise<DeviceRequest | null> {
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

type Decision = ProofInput & { userCode: string; approve: boolean };

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
    ...(approve
      ? await expectProofOrCredentials(ctx, limits, requester, typed)
      : mustBeSignedIn(ctx, requester)),
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

/** The answer to an application that polls for its sign-in: its token, or why there is none (RFC 8628 §3.5). */
type PollResult =
  | { token: string }
  | {
      error: "authorization_pending" | "slow_down" | "access_denied" | "expired_token" | "invalid_grant";
    };

/** How much longer an application has to wait after each poll that came too soon. */
const slowDownSeconds = 5;

/**
 * Whether somebody approved an application's request. The first poll after that takes the computer's seat and gets the
 * token; the code is worth nothing from then on.
 */
export const pollForToken = (ctx: Ctx, deviceCode: string): Promise<PollResult> =>
  retryOnConflict(
    async () => {
      authorize(visitor, "device.ask_to_sign_in");
      const now = ctx.now();
      const request = await requestOf(ctx, deviceCode);
      if (!request) return { error: "invalid_grant" };
      if (request.expiresAt <= now) return { error: "expired_token" };
      if (cameTooSoon(request, now)) return slowDown(ctx, request);
      if (request.decision === "declined") return { error: "access_denied" };
      await noteEarlier(ctx, request);
      if (request.decision === null) return { error: "authorization_pending" };
      return issueToken(ctx, { ...request, polledAt: now }, deviceCode);
    },
    // another poll was first, or the request is gone: the next poll finds out
    (error) => isConflict(error) || isGone(error),
  );

/** Another poll got the token, or the account was erased. */
const isGone = (error: unknown) =>
  error instanceof Refusal && ["device_request_unknown", "unauthenticated"].includes(error.code);

async function requestOf(ctx: Ctx, deviceCode: string): Promise<DeviceRequest | null> {
  const hashes = JSON.stringify(codeHashes(ctx, "device_code", deviceCode));
  const [request] = await ctx.store.db
    .select()
    .from(deviceRequests)
    .where(sql`${deviceRequests.deviceCodeHash} IN (SELECT value FROM json_each(${hashes}))`)
    .limit(1);
  return request ?? null;
}

/** A poll in the future came before the clock was set back. */
function cameTooSoon({ polledAt, pollSeconds }: DeviceRequest, now: Date): boolean {
  const since = polledAt ? now.getTime() - polledAt.getTime() : -1;
  return since >= 0 && since < pollSeconds * 1000;
}

async function slowDown(ctx: Ctx, { id }: DeviceRequest): Promise<PollResult> {
  const { db } = ctx.store;
  await commit(ctx.store, [
    db
      .update(deviceRequests)
      .set({ polledAt: ctx.now(), pollSeconds: sql`${deviceRequests.pollSeconds} + ${slowDownSeconds}` })
      .where(eq(deviceRequests.id, id)),
  ]);
  return { error: "slow_down" };
}

/** Notes this poll, unless another one was noted since the request was read. */
async function noteEarlier(ctx: Ctx, { id, polledAt }: DeviceRequest): Promise<void> {
  const seen = polledAt ? eq(deviceRequests.polledAt, polledAt) : isNull(deviceRequests.polledAt);
  await commit(ctx.store, [
    ctx.store.db
      .update(deviceRequests)
      .set({ polledAt: ctx.now() })
      .where(and(eq(deviceRequests.id, id), seen)),
    mustHaveChanged("conflict"),
  ]);
}

/** Takes the computer's seat and exchanges the request for its token, or declines it if no seat is left. */
async function issueToken(ctx: Ctx, request: DeviceRequest, deviceCode: string): Promise<PollResult> {
  const { accountId, label, os, version } = request;
  if (accountId === null) return { error: "access_denied" };
  const actor = application(accountId, null);
  authorize(actor, "device.sign_in");
  const hwid = ctx.secrets.open(request.hwidSealed, requestContext(request.id));
  const seats = await countSeats(ctx, accountId);
  if (seats === 0 || (await isBlocked(ctx, { hwid }))) return decline(ctx, request);
  const token = tokenOf(ctx, deviceCode);
  const { db } = ctx.store;
  const taken = await takeSeat(
    ctx,
    { accountId, seats },
    { hwid, label, os, version },
    {
      actor,
      cause: "signed_in",
      also: ({ id: computer }) => [
        db.delete(deviceRequests).where(isApproved(request)),
        mustHaveChanged("device_request_unknown"),
        db.delete(deviceTokens).where(eq(deviceTokens.deviceId, computer)),
        db
          .insert(deviceTokens)
          .values({ deviceId: computer, tokenHash: codeHash(ctx, "token", token), createdAt: ctx.now() }),
        record(ctx, {
          actor,
          action: "device.signed_in",
          subject: accountId,
          accountId,
          detail: { computer },
        }),
      ],
    },
  );
  return taken.id === null ? decline(ctx, request) : { token };
}

async function decline(ctx: Ctx, request: DeviceRequest): Promise<PollResult> {
  await commit(ctx.store, [
    ctx.store.db.update(deviceRequests).set({ decision: "declined" }).where(isApproved(request)),
    mustHaveChanged("device_request_unknown"),
  ]);
  return { error: "access_denied" };
}

const isApproved = ({ id }: DeviceRequest) =>
  and(eq(deviceRequests.id, id), eq(deviceRequests.decision, "approved"));

/** For this long after a code has expired, the application is told that it has. */
const keptMilliseconds = hour;

export const forgetDeviceRequests = (ctx: Ctx): Promise<void> =>
  deleteInPages(
    ctx,
    deviceRequests.id,
    lt(deviceRequests.expiresAt, new Date(ctx.now().getTime() - keptMilliseconds)),
  );

/** Also those that somebody still waits with. */
export const forgetAllRequests = (ctx: Ctx): Promise<void> =>
  deleteInPages(ctx, deviceRequests.id, gte(deviceRequests.expiresAt, new Date(0)));

import { and, eq, isNull, sql } from "drizzle-orm";
import { application, visitor } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit, mustHaveChanged } from "@/core/database/commit";
import { isConflict, retryOnConflict } from "@/core/database/conflict";
import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { isBlocked } from "../blocks/find";
import { countSeats } from "../devices/read";
import { takeSeat } from "../devices/take-seat";
import { authorize } from "../permissions";
import { type DeviceRequest, deviceRequests, deviceTokens } from "../schema/devices";
import { codeHash, codeHashes, requestContext, tokenOf } from "./codes";

/** What an application is told that asks whether it is signed in: its token, or why there is none (RFC 8628 §3.5). */
export type Polled =
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
export const pollForToken = (ctx: Ctx, deviceCode: string): Promise<Polled> =>
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
      return handOut(ctx, { ...request, polledAt: now }, deviceCode);
    },
    // another poll was first, or the request is gone: the next try tells
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

async function slowDown(ctx: Ctx, { id }: DeviceRequest): Promise<Polled> {
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
async function handOut(ctx: Ctx, request: DeviceRequest, deviceCode: string): Promise<Polled> {
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
        db.delete(deviceRequests).where(approved(request)),
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

async function decline(ctx: Ctx, request: DeviceRequest): Promise<Polled> {
  await commit(ctx.store, [
    ctx.store.db.update(deviceRequests).set({ decision: "declined" }).where(approved(request)),
    mustHaveChanged("device_request_unknown"),
  ]);
  return { error: "access_denied" };
}

const approved = ({ id }: DeviceRequest) =>
  and(eq(deviceRequests.id, id), eq(deviceRequests.decision, "approved"));

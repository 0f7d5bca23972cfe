import { eq, exists, sql } from "drizzle-orm";
import { application } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { preparedRead } from "@/core/database/prepared";
import { isBlocked, isBlockedAmong, keysOfComputer } from "../blocks/find";
import { hashesOf } from "../blocks/hashes";
import { firstSeatFreeAt } from "../devices/seats";
import {
  countDevices,
  findDevice,
  type FoundDevice,
  foundBy,
  isComputer,
  countKeptBy,
  type SeatHolder,
  findDeviceAndSeats,
  slotsAmong,
  valuesOf,
} from "../devices/read";
import { deactivate, noteSeen } from "../devices/seen";
import { takeSeat } from "../devices/take-seat";
import { stableVersions, stableVersionsIn, type Version } from "../releases/current";
import { requiredAmong } from "../releases/feed";
import { authorize } from "../permissions";
import { deviceRemovals, devices } from "../schema/devices";
import { actorOf, type TokenOwner } from "./token-owner";
import { evaluateLicences, type LicenceResult } from "./evaluate-licences";
import { entitlementHere, entitlementOf } from "./seat-entitlement";
import { issueOfflineToken, type OfflineToken } from "./tokens";

/** The answer to the application. Only `VALID` lets it run. */
export type ValidationResult =
  | { code: "VALID"; offlineToken: OfflineToken }
  | Exclude<LicenceResult, { code: "VALID" }>
  /** Staff blocked the device, whichever account has the licence. */
  | { code: "REVOKED"; blocked: true }
  | { code: "NOT_ACTIVATED" }
  | { code: "HWID_MISMATCH"; availableAt: Date | null }
  | { code: "UPDATE_REQUIRED"; minimumVersion: string };

type Machine = { hwid: string; label: string; os: string; version: string };

/**
 * Activates the application on a machine: gives a new machine a seat, accepts a known one again, and refuses one where
 * no seat is left. Takes no seat without a licence, on a blocked machine, or for a version too old to run. `issuer`
 * goes into the token.
 */
export async function activateApplication(
  ctx: Ctx,
  owner: TokenOwner,
  machine: Machine,
  issuer: string,
): Promise<ValidationResult> {
  const { accountId } = owner;
  const actor = actorOf(owner);
  authorize(actor, "device.activate");
  const computer = { hashes: hashesOf(ctx, machine) };
  if (isAnothers(owner, computer)) return mismatch(ctx, owner);
  const [blocked, versions, read] = await Promise.all([
    isBlocked(ctx, computer),
    stableVersions(ctx),
    findDeviceAndSeats(ctx, owner, computer),
  ]);
  const result = mayRun(ctx, owner, machine.version, { blocked, versions });
  if (result.code !== "VALID") return result;
  const also = ({ id }: { id: string }) => onlyTokens(owner, id);
  const taken = await takeSeat(ctx, owner, machine, { actor, cause: "application", read, also });
  if (taken.id === null) return { code: "HWID_MISMATCH", availableAt: taken.availableAt };
  const entitlement = entitlementOf(owner.ladder, owner.active, taken, ctx.now());
  return {
    code: "VALID",
    offlineToken: issueOfflineToken(ctx, issuer, { entitlement, accountId, hwid: machine.hwid }),
  };
}

/** Whether the application may keep running on an activated machine. */
export async function validateApplication(
  ctx: Ctx,
  owner: TokenOwner,
  asked: { hwid: string; version: string },
  issuer: string,
): Promise<ValidationResult> {
  const computer = { hashes: hashesOf(ctx, asked) };
  if (isAnothers(owner, computer)) return mismatch(ctx, owner);
  const { found, ...read } = await readComputer(ctx, owner, computer);
  const result = mayRun(ctx, owner, asked.version, read);
  if (result.code !== "VALID") return result;
  if (!found?.active) return found ? mismatch(ctx, owner) : unknownHere(ctx, owner);
  if (found.device.deactivatedAt !== null) return { code: "NOT_ACTIVATED" };
  await noteSeen(ctx, found.device, { ...computer, version: asked.version });
  const { accountId } = owner;
  const entitlement = await entitlementHere(ctx, owner, { ...found, removed: read.removed });
  return {
    code: "VALID",
    offlineToken: issueOfflineToken(ctx, issuer, { entitlement, accountId, hwid: asked.hwid }),
  };
}

/** Deactivates the application on a machine; does nothing if it was not activated. */
export async function deactivateApplication(
  ctx: Ctx,
  tokenOwner: TokenOwner,
  hwid: string,
): Promise<NotHere> {
  const { accountId, seats, device } = tokenOwner;
  authorize(actorOf(tokenOwner), "device.deactivate");
  // also once the licence has ended, as far as one seat
  const owner = { accountId, seats: Math.max(seats, 1) };
  const computer = { hashes: hashesOf(ctx, { hwid }) };
  if (isAnothers({ device }, computer)) return mismatch(ctx, owner);
  const found = await findDevice(ctx, owner, computer);
  if (!found?.active) return found ? mismatch(ctx, owner) : unknownHere(ctx, owner);
  if (found.device.deactivatedAt === null)
    await deactivate(ctx, found.device, application(accountId, found.device.id));
  return { code: "NOT_ACTIVATED" };
}

/** Whether a computer's token comes with another computer's hardware ID. */
const isAnothers = ({ device }: Pick<TokenOwner, "device">, { hashes }: { hashes: string[] }): boolean =>
  device !== null && !hashes.includes(device.computerHash);

/** A computer removed since its token was read has no token, so that token can't take a seat for it again. */
function onlyTokens({ device }: TokenOwner, id: string): [] {
  if (device !== null && device.id !== id) throw new Refusal("unauthenticated");
  return [];
}

function mayRun(
  ctx: Ctx,
  owner: TokenOwner,
  version: string,
  { blocked, versions }: Pick<ReadComputer, "blocked" | "versions">,
) {
  if (blocked) return { code: "REVOKED", blocked: true } as const;
  const result = evaluateLicences(ctx, owner);
  if (result.code !== "VALID") return result;
  const minimumVersion = requiredAmong(versions, version);
  return minimumVersion === null ? result : { code: "UPDATE_REQUIRED" as const, minimumVersion };
}

type NotHere = Extract<ValidationResult, { code: "NOT_ACTIVATED" | "HWID_MISMATCH" }>;

/** The result on a machine that the account doesn't keep: it could be activated while a seat is free. */
const unknownHere = async (ctx: Ctx, owner: SeatHolder): Promise<NotHere> =>
  (await countDevices(ctx, owner.accountId)) < owner.seats ? { code: "NOT_ACTIVATED" } : mismatch(ctx, owner);

const mismatch = async (ctx: Ctx, owner: SeatHolder): Promise<NotHere> => ({
  code: "HWID_MISMATCH",
  availableAt: firstSeatFreeAt(await slotsAmong(ctx, owner)),
});

/**
 * What a validation asks about the computer that it comes from; `found` is null if the account doesn't keep it.
 * `removed`: computers were removed from the account.
 */
type ReadComputer = { blocked: boolean; removed: boolean; versions: Version[]; found: FoundDevice | null };

/** One query instead of three, since every running application asks once a day at least. */
async function readComputer(
  ctx: Ctx,
  owner: SeatHolder,
  computer: { hashes: string[] },
): Promise<ReadComputer> {
  const values = { keys: keysOfComputer(computer.hashes), ...valuesOf(ctx, owner, computer) };
  const [read] = await prepared(ctx.store).all(values);
  if (!read) throw new Error("a row without a computer comes in any case");
  const { device, kept, ...others } = read;
  return { ...others, found: device && (await foundBy(ctx, owner, { device, kept })) };
}

const prepared = preparedRead((db) =>
  db
    .select({
      blocked: isBlockedAmong(db, sql.placeholder("keys")),
      removed: exists(
        db
          .select({ one: sql`1` })
          .from(deviceRemovals)
          .where(eq(deviceRemovals.accountId, sql.placeholder("accountId"))),
      ).mapWith(Boolean),
      versions: stableVersionsIn(db),
      device: devices,
      kept: countKeptBy(db),
    })
    .from(sql`(SELECT 1)`)
    .leftJoin(
      devices,
      isComputer({ accountId: sql.placeholder("accountId"), hashes: sql.placeholder("hashes") }),
    )
    .limit(1)
    .prepare(),
);

import type { OfflineRequest } from "@/contract/wire/offline-files";
import { day } from "@/contract/vocabulary/time";
import type { Actor } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import type { LimitTable } from "@/contract/vocabulary/limits";
import { Refusal } from "@/core/base/refusal";
import type { Requester } from "../accounts/sessions/account";
import { expectProofOrCredentials, type ProofInput } from "../accounts/credentials/proof";
import { expectSeat, type TakenSeat, seatsFull, takeSeat } from "../devices/take-seat";
import { hasFile } from "../devices/seats";
import { authorize } from "../permissions";
import { entitlementOf } from "./seat-entitlement";
import { ownerOf } from "./token-owner";
import { issueOfflineFile, endWithLicence } from "./tokens";

type OfflineFileTerms = { accountId: string; request: OfflineRequest; issuer: string; days: number };

/** As {@link makeOfflineFile}, for the account's owner, who proves the password: refuses with `reauthenticate`. */
export async function makeOwnOfflineFile(
  ctx: Ctx,
  limits: LimitTable,
  requester: Requester,
  { password, security_code, ...making }: Omit<OfflineFileTerms, "accountId"> & ProofInput,
) {
  const { actor, account } = requester;
  authorize(actor, "device.make_offline_file");
  await commit(
    ctx.store,
    await expectProofOrCredentials(ctx, limits, requester, { password, security_code }),
  );
  return makeOfflineFile(ctx, { ...making, accountId: account.id }, { actor });
}

/**
 * Makes the licence file of a computer that is never online and takes its seat, which is not free before the file ends.
 * Refuses as `expectSeat` does.
 */
export async function makeOfflineFile(
  ctx: Ctx,
  { accountId, request, issuer, days }: OfflineFileTerms,
  by: { actor: Actor; reason?: string },
): Promise<{ file: string; computer: string; until: Date }> {
  authorize(by, "device.make_offline_file");
  const { hwid_hash: hwidHash, label, os } = request;
  await expectSeat(ctx, accountId, { hwidHash });
  const owner = await ownerOf(ctx, accountId);
  if (!owner || owner.active.length === 0) throw new Refusal("license_required");
  const { ladder, active } = owner;
  const now = ctx.now().getTime();
  const latest = now + days * day;
  const entitled = (taken: TakenSeat) =>
    entitlementOf(ladder, active, withFile(taken, now, latest), new Date(now));
  const fileUntil = (taken: TakenSeat) => endWithLicence(latest, entitled(taken));
  const taken = await takeSeat(
    ctx,
    owner,
    { hwidHash, label, os, version: null },
    {
      actor: by.actor,
      cause: "offline_file",
      fileUntil,
      also: (seated) => [
        record(ctx, {
          ...by,
          action: "device.offline_file_made",
          subject: accountId,
          accountId,
          detail: { computer: seated.id, until: fileUntil(seated).toISOString() },
        }),
      ],
    },
  );
  if (taken.id === null) throw seatsFull(taken.availableAt);
  const entitlement = entitled(taken);
  const until = endWithLicence(latest, entitlement);
  const file = issueOfflineFile(ctx, issuer, { accountId, hwidHash, entitlement, now, until });
  return { file, computer: taken.id, until };
}

/** The seats as they are once the computer's file runs. */
function withFile({ id, kept, ...taken }: TakenSeat, now: number, latest: number): TakenSeat {
  const until = new Date(latest);
  const filed = kept.map((one) => {
    const offlineSince = hasFile(one, new Date(now)) ? one.offlineSince : until;
    return one.id === id ? { ...one, offlineUntil: until, offlineSince } : one;
  });
  return { ...taken, id, kept: filed };
}

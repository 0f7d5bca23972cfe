import { inSeconds, minute } from "@/contract/vocabulary/time";
import { visitor } from "@/core/base/actor";
import { commit, mustHaveChanged } from "@/core/database/commit";
import { retryOnConflict } from "@/core/database/conflict";
import { type Ctx, newId } from "@/core/database/context";
import { randomToken } from "@/core/secrets/secrets";
import { authorize } from "../permissions";
import { deviceRequests } from "../schema/devices";
import { codeHash, newUserCode, requestContext } from "./codes";

const aliveMilliseconds = 15 * minute;
/** How long an application waits between two polls, until it is told to slow down. */
const firstPollSeconds = 5;

type Asking = { hwid: string; label: string; os: string; version: string; address: string };

/** The codes with which an application asks a person to sign it in on a computer (RFC 8628 §3.2). */
export const requestCode = (ctx: Ctx, { hwid, ...shown }: Asking) =>
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

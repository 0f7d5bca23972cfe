import type { Ctx } from "@/core/context";
import { securityLogOf } from "../accounts/security-log";
import { type Reader, sessionsOf } from "../accounts/session-list";
import { linkOf } from "../community/links";
import { deviceOf } from "../devices/bind";
import { licencesOf } from "../licences/list";
import { unsubscribedSince } from "../mailings/unsubscribed";
import { paymentsOf } from "../payments/list";
import { purchasesOf } from "../payments/purchase-evidence";
import { ownTranscripts } from "../tickets/transcript";

/** Everything the shop holds about an account, except credentials. */
export async function exportAccount(ctx: Ctx, reader: Reader) {
  const { account } = reader;
  return {
    account: { ...account, unsubscribedAt: await unsubscribedSince(ctx, account.email) },
    device: await deviceOf(ctx, account.id),
    link: (await linkOf(ctx, account.id)) ?? null,
    licences: await licencesOf(ctx, account.id),
    payments: await paymentsOf(ctx, account.id),
    purchases: await purchasesOf(ctx, account.id),
    sessions: await sessionsOf(ctx, reader),
    tickets: await ownTranscripts(ctx, account.id),
    security: await securityLogOf(ctx, account.id),
  };
}

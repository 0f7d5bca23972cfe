import { and, isNotNull, ne, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Ctx } from "@/core/database/context";
import { apiKeyContext } from "../accounts/sessions/api-key";
import { requestContext } from "../application/codes";
import { confirmationContext } from "../accounts/emails/confirm-address";
import { recoveryContext } from "../accounts/recovery/sealed-code";
import { mfaContext } from "../accounts/credentials/second-factor";
import { tokensContext } from "../discord/tokens";
import { evidenceContext } from "../payments/checkout/purchase-evidence";
import { stripeSecretContext } from "../payments/reconcile/stripe-endpoints";
import { deviceRequests } from "../schema/devices";
import { accounts, emailConfirmations, mfaSetups, recoveries } from "../schema/accounts";
import { linkAttempts, links } from "../schema/discord";
import { paymentEvidence } from "../schema/payments";
import { stripeEndpoints } from "../schema/stripe-endpoints";
import { webhookDeliveries, webhookEndpoints, webhookEvents } from "../schema/webhooks";
import { webhookAnswerContext, webhookBodyContext, webhookSecretContext } from "../webhooks/sealing";

/** A column of sealed values, its table's primary key, and what each value is bound to. */
export type SealedColumn = { key: SQLiteColumn; sealed: SQLiteColumn; context: (key: string) => string };

/** Every column of sealed values except licence keys, whose hashes change with them. */
export const sealedColumns: SealedColumn[] = [
  { key: accounts.id, sealed: accounts.apiKeySealed, context: apiKeyContext },
  { key: accounts.id, sealed: accounts.mfaSecretSealed, context: mfaContext },
  { key: mfaSetups.accountId, sealed: mfaSetups.secretSealed, context: mfaContext },
  { key: recoveries.id, sealed: recoveries.codeSealed, context: recoveryContext },
  { key: emailConfirmations.id, sealed: emailConfirmations.codeSealed, context: confirmationContext },
  { key: deviceRequests.id, sealed: deviceRequests.hwidSealed, context: requestContext },
  { key: links.accountId, sealed: links.tokensSealed, context: (id) => tokensContext(`link:${id}`) },
  {
    key: linkAttempts.stateHash,
    sealed: linkAttempts.tokensSealed,
    context: (hash) => tokensContext(`attempt:${hash}`),
  },
  { key: webhookEndpoints.id, sealed: webhookEndpoints.secretSealed, context: webhookSecretContext },
  { key: webhookEndpoints.id, sealed: webhookEndpoints.formerSecretSealed, context: webhookSecretContext },
  { key: stripeEndpoints.id, sealed: stripeEndpoints.secretSealed, context: stripeSecretContext },
  { key: webhookEvents.id, sealed: webhookEvents.bodySealed, context: webhookBodyContext },
  { key: webhookDeliveries.id, sealed: webhookDeliveries.answerSealed, context: webhookAnswerContext },
  { key: paymentEvidence.paymentId, sealed: paymentEvidence.buyerSealed, context: evidenceContext },
];

/** Whether a value was sealed under the previous secret; no index helps, so only for the operator. */
export const isUnderOld = ({ secrets: { keyPrefix } }: Ctx, sealed: SQLiteColumn): SQL | undefined =>
  and(isNotNull(sealed), ne(sql`substr(${sealed}, 1, ${keyPrefix.length + 1})`, `${keyPrefix}.`));

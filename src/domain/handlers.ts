import type { Ctx } from "@/core/database/context";
import { topicHandler, type TopicHandler, topicHandlers } from "@/core/jobs/job-handlers";
import { botTopics, shopTopics } from "./outbox-topics";
import { revokeTokens, type SignOn } from "./discord/sign-on";
import { emails } from "./emails";
import { removeImportFile } from "./imports/kept-file";
import { runLicenceJob } from "./jobs/run";
import { emailsAtOnce, type Mailer } from "./mail/email";
import { emailHandlers, type Shop } from "./mail/template";
import { logNotice } from "./notices/notices";
import { notifyOwners } from "./notices/owner-mail";
import type { CheckoutGateway } from "./payments/port/stripe";
import { agreeWithStripe, correctBilling } from "./payments/subscriptions/agree";
import { expireOtherCheckouts } from "./payments/subscriptions/open-checkouts";
import { settleAgain } from "./payments/reconcile/settle-subjects";
import { endCode, findInvoice, keepKeyVersions } from "./payments/settlement/jobs";
import { makeRefund } from "./payments/corrections/carry-out-refund";
import type { BuildStore } from "./releases/store";
import { publishUpload } from "./releases/upload/finish-upload";
import { removeParts } from "./releases/upload/uploads";
import { removeFile } from "./tickets/writing/files";

/** What handlers need; null for what is off. */
type Services = {
  mailer: Mailer | null;
  shop: Shop;
  checkout: CheckoutGateway;
  signOn: SignOn | null;
  files: BuildStore;
  builds: BuildStore;
  parts: BuildStore;
};

/**
 * The handler of every topic that doesn't need the bot, on which every process works; jobs of a topic without one wait.
 * Each topic is declared in `domain/outbox-topics.ts` under the name of its row, or in the email's own file.
 */
export function handlersOf(
  ctx: Ctx,
  { mailer, shop, checkout, signOn, files, builds, parts }: Services,
): TopicHandler[] {
  return [
    ...emailHandlers(ctx, mailer, shop, emails),
    ...topicHandlers(shopTopics, {
      // it enqueues a receipt, which waits while mail is off
      findInvoice: mailer && findInvoice(ctx, shop.invoices ? checkout : null),
      agreeWithStripe: agreeWithStripe(ctx, checkout),
      correctBilling: correctBilling(ctx, checkout),
      endCode: endCode(ctx, checkout),
      expireCheckouts: expireOtherCheckouts(ctx, checkout),
      keepKeyVersions: keepKeyVersions(ctx, checkout),
      makeRefund: makeRefund(ctx, checkout),
      publishUpload: publishUpload(ctx, { parts, builds }),
      removeFile: removeFile(ctx, files),
      runLicenceJob: runLicenceJob(ctx),
      removeParts: removeParts(ctx, parts),
      removeImportFile: removeImportFile(parts),
      revokeTokens: signOn && revokeTokens(ctx, signOn),
      settleAgain: settleAgain(ctx, checkout),
    }),
    // with Discord on, the bot posts them
    ...(signOn
      ? []
      : [
          topicHandler(botTopics.notifyStaff, notifyOwners(ctx)),
          topicHandler(botTopics.notifyStaffOfSale, logNotice(ctx)),
        ]),
  ];
}

/** How many jobs run at once in these lanes. */
export const atOnceInLanes = { ...emailsAtOnce, invoice: 32, release: 1 };

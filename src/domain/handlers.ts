import type { Ctx } from "@/core/context";
import type { Batch, Handler, Handlers } from "@/core/outbox";
import type { ShopTopic } from "@/core/outbox-topics";
import { revokeTokens } from "./discord/revocation";
import type { SignOn } from "./discord/sign-on";
import { emails } from "./emails";
import { emailsAtOnce, type Mailer } from "./mail/email";
import { emailHandlers, type Shop } from "./mail/template";
import { logNotice } from "./notices/notices";
import { mailOwner } from "./notices/owner-mail";
import { makeRefund } from "./payments/staff/carry-out-refund";
import type { CheckoutGateway } from "./payments/checkout/checkout";
import { findInvoice } from "./payments/settle/find-invoice";
import { keepEditions } from "./payments/settle/keep-editions";
import { settleAgain } from "./payments/reconcile/settle-subjects";
import type { BuildStore } from "./releases/store";
import { removeFile } from "./tickets/files";

/** What handlers work with; null is what is off. */
type Services = {
  mailer: Mailer | null;
  shop: Shop;
  checkout: CheckoutGateway;
  signOn: SignOn | null;
  files: BuildStore;
  ownerEmail: string | null;
};

/**
 * The handler of every topic that doesn't need the bot, on which every process works; jobs of a topic without one wait.
 * A topic that is missing here does not compile.
 */
export function handlersOf(ctx: Ctx, services: Services): Handlers {
  const { mailer, shop, checkout, signOn, files, ownerEmail: to } = services;
  const { publicUrl } = shop;
  const elsewhere = signOn ? "the staff channel" : "the log";
  const all = {
    "discord.revoke": signOn && revokeTokens(ctx, signOn),
    "editions.keep": keepEditions(ctx, checkout),
    "file.remove": removeFile(ctx, files),
    // it posts a receipt, which waits where mail is off
    "invoice.find": mailer && findInvoice(ctx, shop.invoices ? checkout : null),
    "owner.notice": mailOwner(ctx, mailer, { to, publicUrl, elsewhere }),
    "payment.settle": settleAgain(ctx, checkout),
    "stripe.refund": makeRefund(ctx, checkout),
    // with Discord on, the bot posts them
    ...(signOn ? {} : { "staff.notice": logNotice(ctx), "staff.sale": logNotice(ctx) }),
  } satisfies { [T in ShopTopic]: Handler<T> | Batch<T> | null };
  const working = Object.fromEntries(Object.entries(all).filter(([, handler]) => handler !== null));
  return { ...emailHandlers(ctx, mailer, shop, emails), ...working };
}

/** How many jobs run at once in these lanes. */
export const atOnceInLanes = { ...emailsAtOnce, invoice: 32 };

import type { WebhookType } from "@/contract/wire/webhooks";

/** When each event is sent. The contract's own list stands beside zod, which no page loads. */
const webhookTypes: Record<WebhookType, string> = {
  "order.paid": "an order was paid, or was free",
  "order.refunded": "what was refunded of it changed",
  "order.disputed": "a bank opened a dispute",
  "order.dispute_closed": "a dispute ended",
  "license.issued": "sold or handed out",
  "license.redeemed": "added to an account",
  "license.changed": "another state, end or number of computers",
  "license.ended": "revoked, refunded, lost or expired",
  "subscription.started": "a subscription or its trial began",
  "subscription.renewed": "a renewal was paid",
  "subscription.changed": "switched to another offer",
  "subscription.past_due": "a renewal could not be charged",
  "subscription.ending": "canceled, and runs until its end",
  "subscription.ended": "it ended",
  "device.added": "an account has a computer more",
  "device.removed": "a computer was removed",
  "account.created": "somebody registered",
  "account.deleted": "an account was erased",
  "discord.linked": "an account has a Discord user",
  "discord.unlinked": "the link ended",
  "ticket.opened": "opened, or opened again",
  "ticket.closed": "closed",
  "release.published": "a release was published",
  "webhook.test": "staff asked for it",
};

export const webhookTypeList = Object.entries(webhookTypes);

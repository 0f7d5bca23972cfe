import type { WebhookRow } from "@/contract/wire/desk/webhooks";

export const webhookState = ({ disabled_at, failing_since }: WebhookRow) =>
  disabled_at !== null ? "disabled" : failing_since !== null ? "failing" : "active";

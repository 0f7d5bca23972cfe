/**
 * Every reason to refuse, as the stable `code` on the wire. Each entry point words them itself;
 * `src/api/refusals.ts` is the table for HTTP.
 */
export const refusalCodes = [
  // the request itself
  "invalid_json",
  "invalid_field",
  "unsupported_media_type",
  "body_too_large",
  "not_found",
  "method_not_allowed",
  "cross_site",
  "rate_limited",
  "busy",
  "unavailable",
  "internal",
  // who is asking
  "unauthenticated",
  "credentials_invalid",
  "mfa_required",
  "mfa_code_invalid",
  // blocked
  "blocked",
  "block_exists",
  "block_unknown",
  // registering
  "username_taken",
  "email_taken",
  "password_common",
  "password_personal",
  // changing an account
  "reauthenticate",
  "password_wrong",
  "password_unchanged",
  "email_unchanged",
  "mfa_already_on",
  "mfa_off",
  "mfa_setup_expired",
  "session_unknown",
  "undo_invalid",
  "confirmation_invalid",
  "unsubscribe_invalid",
  // letters to all customers
  "announcement_unknown",
  "announcement_differs",
  "announcement_stopped",
  // recovering an account
  "recovery_code_invalid",
  "recovery_refused",
  // the device
  "hwid_not_set",
  "hwid_cooldown",
  // licences
  "license_malformed",
  "license_unknown",
  "license_taken",
  "license_yours",
  "license_disputed",
  "license_refunded",
  "license_revoked",
  "license_suspended",
  "license_other_mode",
  "license_pointless",
  "license_unchanged",
  // payments
  "currency_unsupported",
  "offer_unknown",
  "offer_exists",
  "code_unknown",
  "code_for_one",
  "checkout_refused",
  "checkout_unreachable",
  "payment_unknown",
  "payment_not_sold",
  "payment_not_gift",
  "payment_without_email",
  "refund_nothing_left",
  "refund_too_large",
  "refund_refused",
  "refund_proposed",
  "refund_repeated",
  "refund_decided",
  "refund_over_cap",
  "webhook_signature_invalid",
  "webhook_malformed",
  "webhook_not_stored",
  // downloads and releases
  "license_required",
  "build_unknown",
  "range_unsatisfiable",
  "precondition_failed",
  "release_exists",
  "release_unknown",
  "release_invalid",
  // the community server
  "discord_off",
  "discord_taken",
  "link_unknown",
  "discord_refused",
  "role_needs_license",
  // tickets
  "ticket_unknown",
  "ticket_open",
  "ticket_closed",
  "ticket_over",
  "ticket_claimed",
  "ticket_not_claimed",
  "ticket_escalated",
  // a concurrent commit won; the caller reads again and retries
  "conflict",
] as const;

export type RefusalCode = (typeof refusalCodes)[number];

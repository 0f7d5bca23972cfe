import { texts } from "./texts";

type RefusalEntry = {
  status: 400 | 401 | 403 | 404 | 405 | 409 | 412 | 413 | 415 | 416 | 429 | 500 | 502 | 503;
  sentence: string;
};

/**
 * Every reason to refuse: its stable `code` on the wire, its HTTP status, and its sentence, which an entry point
 * replaces where its audience needs another.
 */
export const refusals = {
  // the request itself
  invalid_json: { status: 400, sentence: "The request body is not valid JSON" },
  invalid_field: { status: 400, sentence: "A field is missing or has the wrong shape" },
  unsupported_media_type: { status: 415, sentence: "The request body must be application/json" },
  body_too_large: { status: 413, sentence: "The request body is too large" },
  not_found: { status: 404, sentence: "There is no such call" },
  method_not_allowed: { status: 405, sentence: "This call does not take that method" },
  cross_site: { status: 403, sentence: "This request did not come from the shop's own pages" },
  rate_limited: { status: 429, sentence: "Too many requests, please try again later" },
  busy: { status: 503, sentence: "The shop is very busy right now. Please try again in a moment" },
  unavailable: {
    status: 503,
    sentence: "The shop can't store anything right now. Please try again in a moment",
  },
  unconfirmed: {
    status: 503,
    sentence: "We can't tell right now whether this was stored. Please look before you try again",
  },
  copy: {
    status: 503,
    sentence: "This is a copy of the shop for the people who run it, and nothing can be bought here",
  },
  internal: { status: 500, sentence: "Something went wrong on our side" },

  // authentication and permission
  unauthenticated: { status: 401, sentence: "Please sign in first" },
  other_account: {
    status: 409,
    sentence: "This page shows an account that is no longer signed in. Please reload it",
  },
  credentials_invalid: { status: 401, sentence: texts.credentialsInvalid },
  mfa_required: { status: 401, sentence: texts.mfaCodeInvalid },
  mfa_code_invalid: { status: 401, sentence: texts.mfaCodeInvalid },
  forbidden: { status: 403, sentence: "You don't have permission to do this" },

  // the desk
  confirm: { status: 403, sentence: "Please enter a code from your authenticator app to confirm this" },
  request_over: {
    status: 400,
    sentence: "This was already done, or is more than ten minutes old. Request it again in Discord",
  },
  two_factor_needed: {
    status: 403,
    sentence: "The desk needs two-factor: turn it on in your account's settings first",
  },
  role_asleep: {
    status: 403,
    sentence: "Your role has been asleep since your account was recovered. Ask another owner to wake it",
  },
  last_owner: { status: 409, sentence: "The shop needs an owner: make someone else an owner first" },
  staff_unknown: { status: 404, sentence: "There is no such member of staff, and no such invitation" },
  invitation_invalid: {
    status: 400,
    sentence: "That invitation was used or has expired. Ask for a new one",
  },
  already_staff: {
    status: 409,
    sentence: "This account is already on the staff. An owner can change its role",
  },
  email_unconfirmed: {
    status: 409,
    sentence:
      "That account's address isn't confirmed. Enter the address instead, or have its owner confirm it first",
  },

  // blocked
  blocked: { status: 403, sentence: "This is blocked" },
  block_exists: { status: 409, sentence: "That is already blocked" },
  block_unknown: { status: 404, sentence: "There is no such block" },

  // registering
  username_taken: { status: 409, sentence: "That username is already taken" },
  email_taken: { status: 409, sentence: "An account with that email already exists" },
  password_common: {
    status: 400,
    sentence: "That password is too common. Please choose another",
  },
  password_personal: { status: 400, sentence: "The password must not be your username or email" },

  // changing an account
  reauthenticate: { status: 403, sentence: "Please enter your password again" },
  password_wrong: { status: 401, sentence: "That is not your password" },
  password_unchanged: { status: 400, sentence: "That is already your password. Please choose another" },
  email_unchanged: { status: 400, sentence: "That is already your email" },
  mfa_already_on: { status: 409, sentence: "Two-factor authentication is already enabled" },
  mfa_off: { status: 409, sentence: "Two-factor authentication is not enabled" },
  mfa_setup_expired: { status: 409, sentence: "That QR code has expired. Please scan a new one" },
  session_unknown: { status: 404, sentence: "That session has already ended" },
  confirmation_invalid: {
    status: 400,
    sentence: "That link or code has expired, was already used, or isn't the newest one",
  },
  confirm_elsewhere: { status: 403, sentence: "Sign in to the account that asked, and open the link again" },
  own_email_unconfirmed: { status: 409, sentence: "Please confirm your email address first" },
  email_confirmed: { status: 409, sentence: "Your email is already confirmed" },
  unsubscribe_invalid: { status: 400, sentence: "That link is incomplete. Please use the whole link" },

  // emails to all customers
  announcement_unknown: { status: 404, sentence: "There is no such announcement" },
  announcement_differs: { status: 409, sentence: "That email was announced to other customers" },
  announcement_stopped: { status: 409, sentence: "That announcement was stopped" },
  mail_off: { status: 409, sentence: "Email is off in this shop (MAIL=off), so nothing can be emailed" },

  // recovering an account
  link_invalid: { status: 400, sentence: "This link was used, has expired or is incomplete" },
  recovery_code_invalid: { status: 400, sentence: texts.recoveryCodeInvalid },
  recovery_refused: { status: 400, sentence: texts.recoveryFailed },

  // the device
  hwid_not_set: { status: 409, sentence: texts.hwidNotSet },
  hwid_cooldown: { status: 409, sentence: "Your hardware ID was reset less than 30 days ago" },
  device_unknown: { status: 404, sentence: "This account has no such computer" },
  device_request_unknown: {
    status: 404,
    sentence: "That code is unknown, was already used or has expired. Please check it, or start again",
  },
  places_full: {
    status: 409,
    sentence: "Your license is already used on as many computers as it allows. Please remove one first",
  },

  // licences
  license_malformed: {
    status: 400,
    sentence: "That is not a license key. Please check it for typos",
  },
  license_unknown: { status: 400, sentence: "That license key does not exist" },
  license_taken: { status: 409, sentence: "That license key has already been redeemed" },
  license_yours: { status: 409, sentence: "That license key is already on your account" },
  dispute_answered: {
    status: 409,
    sentence:
      "No dispute of this payment is waiting for an answer: it was answered before, or its deadline has passed",
  },
  dispute_inquiry: {
    status: 409,
    sentence: "This is an inquiry, for which the bank has taken no money. Refund the payment instead",
  },
  license_disputed: { status: 409, sentence: "The payment for that license key is disputed" },
  license_refunded: { status: 409, sentence: "The payment for that license key was refunded" },
  license_revoked: { status: 409, sentence: "That license key has been revoked" },
  license_suspended: { status: 409, sentence: "That license key is suspended. Please ask support" },
  license_other_mode: {
    status: 409,
    sentence: "That license key was bought while the shop ran in another payment mode and is not valid now",
  },
  license_pointless: {
    status: 409,
    sentence: "You already hold a lifetime license, so this key would add nothing. It stays unused",
  },
  recurring_offers_full: {
    status: 409,
    sentence: "Stripe's customer portal shows at most ten recurring offers. Retire one first",
  },
  already_subscribed: {
    status: 409,
    sentence: "Your account already has a subscription. You can change it under Billing on the License page",
  },
  subscription_processing: {
    status: 409,
    sentence:
      "Your bank is already moving the money, so this can't be canceled until it has arrived or failed",
  },
  lifetime_held: { status: 409, sentence: "Your license never ends, so a subscription would add nothing" },
  subscription_running: {
    status: 409,
    sentence:
      "Your subscription is still running, so this key would run alongside it. Keep the key until your subscription has ended",
  },
  not_yours: { status: 403, sentence: "Only the person who bought this subscription can change it" },
  no_billing: {
    status: 409,
    sentence: "The billing of this subscription was deleted at our payment provider, so nothing is charged",
  },
  license_unchanged: { status: 409, sentence: "That license is already in that state" },
  license_ended: {
    status: 409,
    sentence: "That license was revoked, refunded or lost, so days would add nothing",
  },
  extension_cap: { status: 409, sentence: "Support may add 30 days to a license in any 30 days" },

  // what staff have done to many licences
  job_unknown: { status: 404, sentence: "There is no such job" },
  job_finished: { status: 409, sentence: "That job has already ended" },
  job_without_keys: {
    status: 409,
    sentence:
      "That job has no keys to download: they were emailed, aren't all ready yet, or are older than a week",
  },

  // payments
  currency_unsupported: { status: 400, sentence: "Only usd is accepted" },
  amount_uneven: { status: 400, sentence: "That amount can't be paid in this currency" },
  offer_unknown: { status: 400, sentence: "There is no such offer, or it is no longer sold" },
  level_unknown: { status: 400, sentence: "There is no such level, or it was retired" },
  level_exists: { status: 409, sentence: "There is or was a level with that id. Please choose another" },
  levels_full: {
    status: 409,
    sentence: "A shop can have 20 levels, retired ones included. Change one that nobody uses",
  },
  role_held: { status: 409, sentence: "Members of the server have that role and would lose it" },
  offer_exists: { status: 409, sentence: "There is or was an offer with that id. Please choose another" },
  last_offer: {
    status: 409,
    sentence: "That is the only offer on sale. Put another on sale before you retire it",
  },
  code_unknown: { status: 400, sentence: "That code is unknown or no longer valid" },
  code_refused: { status: 400, sentence: "That code can't be used for this order" },
  code_for_one: {
    status: 400,
    sentence: "That code takes off the whole price, so it is good for one key at a time",
  },
  checkout_refused: { status: 502, sentence: texts.checkoutFailed },
  checkout_unreachable: {
    status: 502,
    sentence:
      "The payment provider can't be reached right now. Nothing was charged. Please try again in a moment",
  },
  stripe_permission: {
    status: 503,
    sentence: "Nothing can be bought right now. Nothing was charged. Please try again later",
  },
  payment_unknown: { status: 404, sentence: "There is no such payment" },
  payment_not_sold: { status: 409, sentence: "That payment gave no license" },
  payment_not_gift: { status: 409, sentence: "That payment is not a gift" },
  payment_without_email: { status: 409, sentence: "No email address is stored for that payment" },
  correction_proposed: { status: 409, sentence: "Another address is already proposed for that order" },
  correction_decided: { status: 409, sentence: "Someone has already decided about that address" },
  correction_unknown: { status: 404, sentence: "There is no such proposed address" },
  refund_nothing_left: { status: 409, sentence: "That payment has nothing left to refund" },
  refund_too_large: { status: 409, sentence: "That is more than is left to refund" },
  refund_refused: { status: 502, sentence: "The payment provider refused the refund" },
  refund_proposed: { status: 409, sentence: "A refund is already proposed" },
  refund_repeated: { status: 409, sentence: "The same refund was already requested" },
  refund_decided: { status: 409, sentence: "Someone has already decided about that refund" },
  refund_cap: { status: 409, sentence: "That is more than support may propose today" },
  refund_unknown: { status: 404, sentence: "There is no such refund" },
  webhook_signature_invalid: { status: 400, sentence: "The signature is not valid" },
  webhook_malformed: { status: 400, sentence: "The signed body is not an event" },
  webhook_not_stored: { status: 503, sentence: "The event could not be stored. Please send it again" },

  // look-ups by other systems
  other_key_prefix: {
    status: 503,
    sentence:
      "This process makes keys with another prefix than the shop's. Restart it with the prefix that its keys have",
  },
  server_key_invalid: { status: 401, sentence: "A valid server key is needed" },
  server_key_exists: { status: 409, sentence: "A server key with that name already exists" },
  server_key_unknown: { status: 404, sentence: "There is no such server key" },

  // webhooks to other systems
  webhook_unknown: { status: 404, sentence: "There is no such endpoint" },
  webhook_exists: { status: 409, sentence: "An endpoint with that URL already exists" },
  webhook_limit: { status: 409, sentence: "There are already 50 endpoints, the most allowed" },
  webhook_url_refused: { status: 400, sentence: "Webhooks can't be sent to that URL" },
  webhook_type_unknown: { status: 400, sentence: "There is no such type of event" },
  webhook_enabled: { status: 409, sentence: "That endpoint is not disabled" },
  webhook_disabled: { status: 409, sentence: "That endpoint is disabled. Please enable it first" },
  webhook_event_unknown: {
    status: 404,
    sentence: "There is no such event or delivery; both are kept for 30 days",
  },

  // downloads and releases
  license_required: { status: 403, sentence: texts.downloadLocked },
  build_unknown: { status: 404, sentence: "The current release has no such file" },
  range_unsatisfiable: { status: 416, sentence: "The file has no such bytes" },
  precondition_failed: { status: 412, sentence: "The file is not the one that was asked for" },
  release_exists: { status: 409, sentence: "That version was already published" },
  release_unknown: { status: 404, sentence: "There is no such release" },
  release_invalid: { status: 400, sentence: "The release can't be published as it is" },
  import_unknown: {
    status: 404,
    sentence: "That file isn't kept any longer, or its import has begun. Please choose it again",
  },
  job_without_result: {
    status: 409,
    sentence:
      "That job has no result to download: it imports nothing, isn't over yet, or is older than a week",
  },
  upload_unknown: { status: 404, sentence: "There is no such upload or part" },
  upload_over: { status: 409, sentence: "That upload has ended, or is being published" },
  upload_limit: {
    status: 409,
    sentence: "Four uploads are already open. Please finish or cancel one of them first",
  },
  upload_incomplete: { status: 409, sentence: "Parts of that upload are missing. Please send them first" },
  part_damaged: { status: 400, sentence: "That part arrived damaged. Please send it again" },
  no_space: { status: 503, sentence: "The shop's disk is full. Please free some space first" },

  // the community server
  discord_off: { status: 503, sentence: "This shop isn't using Discord right now" },
  discord_away: { status: 503, sentence: "Discord can't be reached right now. Please try again later" },
  role_missing: { status: 400, sentence: "There is no such role in the Discord server" },
  role_everyone: { status: 400, sentence: "Every member has @everyone. Choose a plain role" },
  role_managed: {
    status: 400,
    sentence: "That role belongs to an integration and can't be given by a bot. Choose a plain role",
  },
  role_too_high: {
    status: 400,
    sentence: "The bot's own role is below that role. Drag it above in the server's role settings",
  },
  role_of_staff: { status: 400, sentence: "That role is staff's: customers would get staff's rights" },
  role_powerful: {
    status: 400,
    sentence: "That role lets its members manage the server. Choose a plain role",
  },
  discord_taken: { status: 403, sentence: "That Discord account is connected to another account" },
  link_unknown: { status: 404, sentence: "That account is not connected to a Discord user" },
  discord_refused: { status: 400, sentence: "Discord did not confirm this request" },
  role_needs_license: { status: 403, sentence: texts.roleLocked },

  // tickets
  ticket_unknown: { status: 404, sentence: "There is no such ticket" },
  ticket_open: { status: 409, sentence: "You have three open tickets. Please continue in one of those." },
  ticket_closed: { status: 409, sentence: "That ticket is already closed" },
  ticket_full: { status: 409, sentence: "This ticket is full. Please open a new one." },
  ticket_files_full: {
    status: 409,
    sentence: "There is no room for more files right now. Please try again tomorrow or write to us",
  },
  ticket_over: { status: 409, sentence: "That ticket can't be opened again" },
  ticket_not_closed: { status: 409, sentence: "A ticket can be rated once it is closed" },
  ticket_claimed: { status: 409, sentence: "Someone else has already taken that ticket" },
  ticket_not_claimed: { status: 409, sentence: "That ticket is not yours" },
  ticket_escalated: { status: 409, sentence: "That ticket is already escalated" },
  reply_unknown: { status: 404, sentence: "There is no such saved reply" },
  reply_exists: { status: 409, sentence: "A saved reply with that name already exists" },
  reply_limit: { status: 409, sentence: "There are already 200 saved replies, the most allowed" },

  // what waits in the outbox
  outbox_unknown: { status: 404, sentence: "That delivery is no longer waiting" },
  outbox_running: { status: 409, sentence: "That delivery is being tried right now" },

  // a concurrent commit won; the caller reads again and retries
  conflict: { status: 409, sentence: "Someone changed this at the same moment. Please try again" },
} as const satisfies Record<string, RefusalEntry>;

export type RefusalCode = keyof typeof refusals;

export const refusalCodes = Object.keys(refusals) as RefusalCode[];

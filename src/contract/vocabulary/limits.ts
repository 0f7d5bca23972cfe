import { day, hour, inSeconds, minute } from "@/contract/vocabulary/time";

/** At most `most` in each window of `seconds`. */
export type Limit = { name: string; most: number; seconds: number };

/**
 * How often each thing may happen, and what it is counted by. The database counts credentials, codes and money; memory
 * counts the rest.
 */
const defaults = {
  /** an address */
  "login-address": [10, minute],
  /** an account and address, or a browser that signed in to it before */
  "login-account": [5, minute],
  /** an account; wrong passwords from browsers that never signed in to it */
  "login-failure": [100, hour],
  /** an account; attempts from all browsers that signed in to it before */
  "login-known": [30, minute],
  /** an address */
  "register-success": [5, hour],
  "register-failure": [10, 10 * minute],
  /** an account; wrong codes, the last of which locks two-factor for the rest of the window */
  "mfa-code": [5, 15 * minute],
  "mfa-recovery": [5, 15 * minute],
  /** an account */
  "mfa-setup": [10, 10 * minute],
  "mfa-change": [5, 10 * minute],
  "email-change": [5, 10 * minute],
  "password-change": [5, 10 * minute],
  "account-delete": [5, 10 * minute],
  "token-reset": [5, hour],
  "device-reset": [5, hour],
  "device-change": [60, hour],
  "offline-file": [30, hour],
  /** an account; wrong codes of applications that ask to be signed in */
  "device-guess": [10, hour],
  /** an address; the same */
  "device-guess-from": [30, hour],
  /** an address */
  "device-code": [20, 10 * minute],
  "device-poll": [300, minute],
  /** an email address, with or without an account, and a network address */
  "forgot-hour": [3, hour],
  "forgot-day": [6, day],
  /** an email address alone */
  "forgot-email": [20, day],
  /** the same, beyond the day's */
  "forgot-late": [1, hour],
  /** an email that nobody has confirmed, and the accounts that its mail offers, so that strangers keep nobody from theirs */
  "recovery-unproven": [3, day],
  /** an account; all browsers that signed in to it before, instead of `forgot-email` */
  "forgot-known": [6, day],
  /** an address */
  "forgot-address": [10, hour],
  "forgot-codes": [20, day],
  "forgot-reset": [10, 10 * minute],
  "email-confirm": [10, 10 * minute],
  /** an account; the mails that ask for a confirmation, and the digits that are typed */
  "email-send": [3, day],
  "email-code": [9, day],
  /** an account and an email; the mails that ask for a confirmation, so that strangers keep nobody from confirming theirs */
  "confirm-first": [1, day],
  /** an email; those beyond, whoever causes them */
  "email-mailbox": [3, day],
  /** an order and its addresses; its receipt and gift mail, sent again */
  "receipt-again": [3, day],
  /** an account */
  redeem: [10, 10 * minute],
  discord: [10, 10 * minute],
  /** a member of the Discord server, or an account: opening in Discord, opening again, and ratings on the site */
  ticket: [10, hour],
  /** a member of the Discord server */
  transcript: [10, hour],
  /** an account: what it writes in tickets on the site, with new tickets and files */
  "ticket-message": [20, 10 * minute],
  /** an address */
  checkout: [10, 10 * minute],
  "offer-code": [10, 10 * minute],
  /** an account */
  "checkout-account": [30, hour],
  portal: [30, hour],
  "subscription-look": [30, hour],
  /** an address */
  verify: [30, minute],
  "find-orders-address": [3, hour],
  /** an email, with or without purchases; beyond it the shop sends none */
  "find-orders-email": [3, hour],
  /** an account; free downloads: an address */
  download: [20, hour],
  "download-link": [5, day],
  "download-free": [10, hour],
  /** an account of staff; files to import, each kept for an hour */
  "import-file": [30, hour],
  /** an application's token */
  app: [60, minute],
  /** a server key */
  "server-key": [600, minute],
  /** an address; tokens of invitations to the staff */
  invitation: [10, minute],
  /** a member of staff */
  desk: [600, minute],
  /** an account */
  own: [120, minute],
  /** an address */
  public: [60, minute],
  /** an address; requests whose body was refused */
  "refused-body": [300, minute],
  other: [300, minute],
} as const satisfies Record<string, readonly [number, number]>;

export type LimitName = keyof typeof defaults;
export type LimitTable = Record<LimitName, Limit>;

/** The shop's limits, with the configuration's changes. */
export const limitTable = (changed: Record<string, { most: number; seconds: number }>): LimitTable =>
  Object.fromEntries(
    Object.entries(defaults).map(([name, [most, per]]) => [
      name,
      { name, most, seconds: inSeconds(per), ...changed[name] },
    ]),
  ) as LimitTable;

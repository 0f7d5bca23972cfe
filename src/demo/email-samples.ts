import { writeConfirmAddress } from "@/domain/accounts/emails/confirm-address";
import { writeEarlierEvents } from "@/domain/accounts/emails/earlier-events";
import { writeRecoveryCode } from "@/domain/accounts/emails/recovery-code";
import { securityNoticeKinds, writeSecurityNotice } from "@/domain/accounts/emails/security-notice";
import { writeDownloadLink } from "@/domain/application/emails/download-link";
import { writeDeviceAdded } from "@/domain/devices/emails/device-added";
import { writeIssuedKeys } from "@/domain/jobs/emails/issued-keys";
import { writeLevelChanged } from "@/domain/licences/emails/licence-level";
import { writeLicenceGranted, writeLicenceKey } from "@/domain/licences/emails/licence-key";
import type { Email } from "@/domain/mail/email";
import { writeAnnouncement } from "@/domain/campaigns/emails/announcement";
import { writeLicenceEnding } from "@/domain/campaigns/emails/licence-ending";
import { writeOwnerNotices } from "@/domain/notices/emails/owner-notices";
import { writeGift } from "@/domain/payments/emails/gift";
import { writeLicenceKeyReplaced } from "@/domain/payments/emails/licence-key-replaced";
import { writeOrders } from "@/domain/payments/emails/orders";
import {
  writePaymentDisputed,
  writePaymentFailed,
  writePaymentLost,
  writePaymentPartRefundFailed,
  writePaymentRestored,
  writeTrialTaken,
} from "@/domain/payments/emails/payment";
import { writePaymentRefunded } from "@/domain/payments/emails/payment-refunded";
import { writeReceipt } from "@/domain/payments/emails/receipt";
import { writeRenewalReceipt } from "@/domain/payments/emails/renewal-receipt";
import { writeInvitation } from "@/domain/staff/emails/invitation";
import { writeAnswerWaits } from "@/domain/tickets/emails/answer-waits";
import { subscribed, subscriptionEmailSamples } from "./subscription-email-samples";

const at = new Date("2025-03-14T10:22:00Z");
const key = "WISP-7K3M-QX9T-0B2C-ZZ8V";
const sessionsUrl = "https://shop.example/dashboard/settings#security";
const licenceUrl = "https://shop.example/dashboard/license";
const ticket = {
  answer: null,
  isFull: false,
  number: 12,
  topic: "Device",
  ticketUrl: "https://shop.example/dashboard/ticket?id=0197f3a0",
};
const unsubscribeUrl = "https://shop.example/api/unsubscribe?token=abc";
const bill = {
  currency: "usd",
  asked: 500,
  off: 0,
  tax: 0,
  tax_included: 0,
  credit: 0,
  outside: 0,
  paid: 500,
  refunded: 0,
};
const productName = "Wisp Premium";
const about = {
  productName,
  level: productName,
  hasLevels: false,
  quantity: 1,
  bill,
  transactionId: "pi_3QabcDEFghiJKLmno",
  paymentUrl: "https://shop.example/success?session_id=cs_live_a1B2c3",
  hasRole: true,
};
const portalUrl = "https://billing.stripe.com/p/login/1";
const manyKeys = Array.from({ length: 51 }, () => key);
const recovering = { username: "ada", url: "https://shop.example/forgot-pass#abc" };
const recovery = { code: "042917", minutes: 10, hours: 1, links: [recovering], others: [] };
const confirming = { username: "ada", confirmUrl: "https://shop.example/confirm-email#abc", hours: 24 };
const step = { step: "register", stepUrl: "https://shop.example/register" } as const;
const keyStep = { ...step, stepUrl: `${step.stepUrl}#abc` } as const;
const receipt = {
  ...about,
  ...keyStep,
  keys: [key],
  giftTo: null,
  seller: ["Wisp Ltd", "1 High Street"],
  invoiceUrl: null,
  portalUrl: null,
  nextCharge: null,
  paidAt: at,
};
const renewal = {
  ...about,
  ...subscribed,
  invoiceUrl: "https://invoice.stripe.com/i/1",
  portalUrl,
  periodEndsAt: new Date("2025-04-14T10:22:00Z"),
  paidAt: at,
  seller: receipt.seller,
};
const lasting = { productName, level: productName, endsAt: at, licenceUrl, unsubscribeUrl, hasRole: true };
const two = { ...about, quantity: 2 };
const unpaid = { ...bill, paid: 0 };
const inFull = { ...bill, refunded: 500 };
const refunds = { ...bill, off: 100, tax: 50, tax_included: 20, refunded: 200 };
const recoverUrl = "https://shop.example/forgot-pass";
const security = (what: (typeof securityNoticeKinds)[number]): Email =>
  writeSecurityNotice({ what, at, recoverUrl, sessionsUrl });

/** Every email that the shop sends, in each of its forms, by a name for people. */
export const emailSamples: Record<string, Email> = {
  receipt: writeReceipt(receipt),
  "receipt of a subscription": writeReceipt({
    ...receipt,
    invoiceUrl: "https://invoice.stripe.com/i/1",
    portalUrl,
    nextCharge: {
      at: new Date("2025-04-14T10:22:00Z"),
      amount: 500,
      currency: "usd",
      every: "month",
      trial: false,
      reduced: false,
    },
  }),
  "receipt of a renewal": writeRenewalReceipt(renewal),
  "receipt of a renewal partly paid from credit": writeRenewalReceipt({
    ...renewal,
    bill: { ...bill, credit: 120, paid: 380 },
  }),
  ...subscriptionEmailSamples,
  "receipt of several keys": writeReceipt({
    ...receipt,
    quantity: 2,
    keys: [key, key.replace("7", "8")],
    bill: refunds,
    seller: [],
    invoiceUrl: "https://invoice.stripe.com/i/1",
    step: "sign-in",
    stepUrl: `${licenceUrl}#abc`,
  }),
  "receipt of a key in use": writeReceipt({
    ...receipt,
    seller: [],
    step: "added",
    stepUrl: licenceUrl,
    runsUntil: null,
  }),
  "receipt of a timed key in use": writeReceipt({
    ...receipt,
    seller: [],
    step: "added",
    stepUrl: licenceUrl,
    runsUntil: new Date("2025-04-13T10:22:00Z"),
  }),
  "receipt of a gift": writeReceipt({ ...receipt, keys: [], seller: [], giftTo: "bea@example.com" }),
  "receipt without keys": writeReceipt({ ...receipt, keys: [], seller: [] }),
  orders: writeOrders({
    orders: [
      {
        productName,
        bill: refunds,
        paidAt: at,
        transactionId: "pi_1",
        keys: [
          { whole: true, text: key },
          { whole: false, text: "Redeemed on the account a•••a" },
        ],
      },
      { productName, bill: null, paidAt: at, transactionId: "pi_2", keys: [{ whole: true, text: key }] },
    ],
    next: step,
    portalUrl: null,
  }),
  "orders without a key to use": writeOrders({
    orders: [],
    next: null,
    portalUrl: "https://billing.example/login",
  }),
  "orders with spare keys": writeOrders({
    orders: [],
    next: { step: "spare", stepUrl: licenceUrl },
    portalUrl: null,
  }),
  gift: writeGift({ productName, key, from: "Ada", message: "Enjoy!\n\nYours <b>", ...keyStep }),
  "gift without words": writeGift({ productName, key, from: null, message: null, ...keyStep }),
  "licence key": writeLicenceKey({ productName, key, ...step }),
  "licence key in use": writeLicenceKey({ productName, key, step: "used", stepUrl: licenceUrl }),
  "issued keys": writeIssuedKeys({ productName, keys: [key, key.replace("7", "8")], days: 30 }),
  "many issued keys": writeIssuedKeys({ productName, keys: manyKeys, days: null }),
  "licence level changed": writeLevelChanged({ level: "Team", licenceUrl }),
  "licence granted": writeLicenceGranted({ productName, key, licenceUrl, runsUntil: at }),
  "device added": writeDeviceAdded({
    label: "Study",
    os: "Windows 11",
    firstSeenAt: at,
    accountUrl: "https://shop.example/dashboard/settings#devices",
  }),
  "download link": writeDownloadLink({ downloadUrl: "https://shop.example/dashboard/download?file=win_exe" }),
  "licence key replaced": writeLicenceKeyReplaced({ productName, key, ...step }),
  "recovery code": writeRecoveryCode(recovery),
  "earlier events": writeEarlierEvents({
    events: [{ at, text: "Password changed", device: null }],
    sessionsUrl,
  }),
  "recovery of two": writeRecoveryCode({ ...recovery, hours: 24, links: [recovering, recovering] }),
  "recovery beside another's": writeRecoveryCode({ ...recovery, others: [recovering] }),
  "confirm email for support": writeConfirmAddress({ ...confirming, code: null, isNew: true }),
  "confirm email": writeConfirmAddress({ ...confirming, code: "123456", isNew: true }),
  "confirm email after registering": writeConfirmAddress({ ...confirming, code: "123456", isNew: false }),
  "staff invitation": writeInvitation({
    role: "support",
    url: "https://shop.example/invitation#abc",
    hours: 24,
  }),
  "security notice with everything": writeSecurityNotice({
    what: "email-changed",
    at,
    address: "203.0.113.7",
    device: "Firefox on Linux",
    newEmail: "bea@example.com",
    codesLeft: 7,
    recoversUntil: at,
    recoverUrl,
    sessionsUrl,
  }),
  ...Object.fromEntries(securityNoticeKinds.map((what) => [`security notice ${what}`, security(what)])),
  disputed: writePaymentDisputed({ ...about }),
  "several disputed": writePaymentDisputed({ ...two }),
  lost: writePaymentLost({ ...about }),
  "several lost": writePaymentLost({ ...two }),
  "restored by a dispute": writePaymentRestored({ because: "dispute-won", ...about }),
  "several restored by a failed refund": writePaymentRestored({ because: "refund-failed", ...two }),
  failed: writePaymentFailed({ ...about, bill: unpaid }),
  "a second trial": writeTrialTaken(about),
  "several failed": writePaymentFailed({ ...two, bill: unpaid }),
  refunded: writePaymentRefunded({ ...about, bill: inFull, licences: [{ tail: "…ZZ8V", state: "ended" }] }),
  "refunded in part": writePaymentRefunded({
    ...about,
    bill: refunds,
    licences: [{ tail: "…ZZ8V", state: "active" }],
  }),
  "refunded without a license": writePaymentRefunded({ ...about, bill: inFull, licences: [] }),
  "several refunded": writePaymentRefunded({
    ...two,
    bill: refunds,
    licences: [
      { tail: "…ZZ8V", state: "ended" },
      { tail: "…8MCN", state: "active" },
      { tail: "…Q2KK", state: "active" },
    ],
  }),
  "many refunded": writePaymentRefunded({
    ...about,
    quantity: 7,
    bill: inFull,
    licences: Array.from({ length: 7 }, () => ({ tail: "…ZZ8V", state: "ended" }) as const),
  }),
  "part refund failed": writePaymentPartRefundFailed({ ...about, bill: refunds, amount: 200 }),
  "answer in a ticket": writeAnswerWaits({
    ...ticket,
    via: "site",
    isClosed: false,
    answer: "Please install 2.4.1.\n\nDoes it still say no?",
  }),
  "answer in a ticket, to an unconfirmed address": writeAnswerWaits({
    ...ticket,
    via: "site",
    isClosed: false,
  }),
  "answer in a ticket from Discord": writeAnswerWaits({ ...ticket, via: "discord", isClosed: false }),
  "ticket closed by staff": writeAnswerWaits({ ...ticket, via: "site", isClosed: true }),
  announcement: writeAnnouncement({
    subject: "News from Wisp",
    content: "Hello **all**,\n\n[read](https://wisp.example) and [not](javascript:x) ![a cat](x.png)\n",
    isBuyer: false,
    unsubscribeUrl,
  }),
  "announcement to a buyer": writeAnnouncement({
    subject: "News",
    content: "<b>Hi",
    isBuyer: true,
    unsubscribeUrl,
  }),
  "licence ending": writeLicenceEnding({ ...lasting, daysLeft: 7 }),
  "licence ending tomorrow": writeLicenceEnding({ ...lasting, daysLeft: 1 }),
  "digest for an owner on the staff": writeOwnerNotices({
    notices: [
      {
        title: "Refund proposed",
        facts: [],
        sentence: "Support proposes to refund USD 5.00 of pi_1.",
        next: null,
      },
    ],
    count: 1,
    further: null,
    desk: "https://shop.example/desk",
  }),
  "one notice to the owner": writeOwnerNotices({
    notices: [
      {
        title: "Dispute",
        facts: [
          ["Amount", "USD 5.00"],
          ["Payment", "pi_1"],
        ],
        sentence: null,
        next: "Look.",
      },
    ],
    count: 1,
    further: null,
  }),
  "many notices to the owner": writeOwnerNotices({
    notices: [
      { title: "Dispute", facts: [["Amount", "USD 5.00"]], sentence: "It came.", next: null },
      { title: "Trouble", facts: [], sentence: "Something failed.", next: "Run shop doctor." },
    ],
    count: 60,
    further: "58 more: 58 × sale. They are in the log.",
  }),
};

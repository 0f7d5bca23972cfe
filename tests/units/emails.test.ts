import { expect, test } from "bun:test";
import { join } from "node:path";
import { render } from "@/gateways/mail/render";
import { writeConfirmAddress } from "@/domain/accounts/emails/confirm-address";
import { writeRecoveryCode } from "@/domain/accounts/emails/recovery-code";
import {
  type SecurityEvent,
  securityEvents,
  writeSecurityNotice,
} from "@/domain/accounts/emails/security-notice";
import { emails } from "@/domain/emails";
import { writeLicenceKey } from "@/domain/licences/emails/licence-key";
import type { Email } from "@/domain/mail/email";
import { writeAnnouncement } from "@/domain/mailings/emails/announcement";
import { writeLicenceEnding } from "@/domain/mailings/emails/licence-ending";
import { writeOwnerNotices } from "@/domain/notices/emails/owner-notices";
import { writeGift } from "@/domain/payments/emails/gift";
import { writeLicenceKeyReplaced } from "@/domain/payments/emails/licence-key-replaced";
import { writeOrders } from "@/domain/payments/emails/orders";
import { writePaymentDisputed } from "@/domain/payments/emails/payment-disputed";
import { writePaymentFailed } from "@/domain/payments/emails/payment-failed";
import { writePaymentLost } from "@/domain/payments/emails/payment-lost";
import { writePaymentPartRefundFailed } from "@/domain/payments/emails/payment-part-refund-failed";
import { writePaymentRefunded } from "@/domain/payments/emails/payment-refunded";
import { writePaymentRestored } from "@/domain/payments/emails/payment-restored";
import { writeReceipt } from "@/domain/payments/emails/receipt";

const root = join(import.meta.dir, "../..");
const at = new Date("2025-03-14T10:22:00Z");
const key = "WISP-7K3M-QX9T-0B2C-ZZ8V";
const registerUrl = "https://shop.example/register";
const licenceUrl = "https://shop.example/dashboard/license";
const unsubscribeUrl = "https://shop.example/api/unsubscribe?token=abc";
const bill = { currency: "usd", asked: 500, off: 0, tax: 0, tax_included: 0, paid: 500, refunded: 0 };
const productName = "Wisp Premium";
const about = {
  productName,
  quantity: 1,
  transactionId: "pi_3QabcDEFghiJKLmno",
  paymentUrl: "https://shop.example/success?session_id=cs_live_a1B2c3",
};
const step = { step: "register", stepUrl: registerUrl } as const;
const receipt = {
  ...about,
  ...step,
  keys: [key],
  giftTo: null,
  bill,
  seller: ["Wisp Ltd", "1 High Street"],
  invoiceUrl: null,
  paidAt: at,
} as const;
const two = { ...about, quantity: 2 };
const refunds = { ...bill, off: 100, tax: 50, tax_included: 20, refunded: 200 };
const security = (what: SecurityEvent): Email => writeSecurityNotice({ what, at });

const samples: Record<string, Email> = {
  receipt: writeReceipt({ ...receipt, seller: [...receipt.seller], keys: [key] }),
  "receipt of several keys": writeReceipt({
    ...receipt,
    quantity: 2,
    keys: [key, key.replace("7", "8")],
    bill: refunds,
    seller: [],
    invoiceUrl: "https://invoice.stripe.com/i/1",
    step: "sign-in",
    stepUrl: licenceUrl,
  }),
  "receipt of a key in use": writeReceipt({
    ...receipt,
    keys: [key],
    seller: [],
    step: "added",
    stepUrl: licenceUrl,
  }),
  "receipt of a gift": writeReceipt({ ...receipt, keys: [], seller: [], giftTo: "bea@example.com" }),
  "receipt without keys": writeReceipt({ ...receipt, keys: [], seller: [], giftTo: null }),
  orders: writeOrders({
    orders: [
      {
        productName,
        bill: refunds,
        paidAt: at,
        transactionId: "pi_1",
        keys: [key, "Redeemed on the account a•••a"],
      },
      { productName, bill: null, paidAt: at, transactionId: "pi_2", keys: [key] },
    ],
    next: step,
  }),
  "orders without a key to use": writeOrders({ orders: [], next: null }),
  "orders with spare keys": writeOrders({ orders: [], next: { step: "spare", stepUrl: licenceUrl } }),
  gift: writeGift({ productName, key, from: "Ada", message: "Enjoy!\n\nYours <b>", ...step }),
  "gift without words": writeGift({ productName, key, from: null, message: null, ...step }),
  "licence key": writeLicenceKey({ productName, key, ...step }),
  "licence key in use": writeLicenceKey({ productName, key, step: "used", stepUrl: licenceUrl }),
  "licence key replaced": writeLicenceKeyReplaced({ productName, key, ...step }),
  "recovery code": writeRecoveryCode({ code: "042917", minutes: 10 }),
  "confirm email": writeConfirmAddress({
    username: "ada",
    confirmUrl: "https://shop.example/confirm-email#abc",
    hours: 72,
  }),
  "security notice with everything": writeSecurityNotice({
    what: "email-changed",
    at,
    address: "203.0.113.7",
    device: "Firefox on Linux",
    newEmail: "bea@example.com",
    codesLeft: 7,
    undoUrl: "https://shop.example/undo-email#abc",
    undoHours: 72,
  }),
  ...Object.fromEntries(securityEvents.map((what) => [`security notice ${what}`, security(what)])),
  disputed: writePaymentDisputed({ ...about }),
  "several disputed": writePaymentDisputed({ ...two }),
  lost: writePaymentLost({ ...about }),
  "several lost": writePaymentLost({ ...two }),
  "restored by a dispute": writePaymentRestored({ because: "dispute-won", ...about }),
  "several restored by a failed refund": writePaymentRestored({ because: "refund-failed", ...two }),
  failed: writePaymentFailed({ ...about }),
  "several failed": writePaymentFailed({ ...two }),
  refunded: writePaymentRefunded({ ...about, bill: refunds }),
  "several refunded": writePaymentRefunded({ ...two, bill: refunds }),
  "part refund failed": writePaymentPartRefundFailed({ ...about, bill: refunds, amount: 200 }),
  announcement: writeAnnouncement({
    subject: "News from Wisp",
    content: "Hello **all**,\n\n[read](https://wisp.example) and [not](javascript:x) ![a cat](x.png)\n",
    isBuyer: false,
    unsubscribeUrl,
  }),
  "announcement to a buyer": writeAnnouncement({
    subject: "News",
    content: "Hello <b>you</b>",
    isBuyer: true,
    unsubscribeUrl,
  }),
  "licence ending": writeLicenceEnding({ productName, endsAt: at, daysLeft: 7, licenceUrl, unsubscribeUrl }),
  "licence ending tomorrow": writeLicenceEnding({
    productName,
    endsAt: at,
    daysLeft: 1,
    licenceUrl,
    unsubscribeUrl,
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

test.each(Object.entries(samples))("the email %s reads as it should", (_, email) => {
  expect(render(email)).toMatchSnapshot();
});

test("every email that is declared is one that the shop sends", async () => {
  const files = [...new Bun.Glob("src/domain/*/emails/*.ts").scanSync(root)];
  const modules = await Promise.all(files.map((file): Promise<object> => import(join(root, file))));
  const declared = modules.flatMap((all): unknown[] => Object.values(all).filter(isTemplate));
  expect(new Set(declared)).toEqual(new Set(emails));
  expect(new Set(emails.map(({ name }) => name)).size).toBe(emails.length);
});

const isTemplate = (value: unknown) => typeof value === "object" && value !== null && "prepare" in value;

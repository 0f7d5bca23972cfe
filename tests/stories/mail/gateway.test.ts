import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createServer, type Socket } from "node:net";
import PostalMime from "postal-mime";
import sharp from "sharp";
import { createMailer, type MailerOptions } from "@/gateways/mail/mailer";
import { render } from "@/gateways/mail/render";
import { mailFailure } from "@/gateways/mail/failure";
import { mailFault } from "@/gateways/mail/reach";
import { connectOptions, helloName, transportOptions } from "@/gateways/mail/transport";
import { type Email, MailRefused, MailRejected } from "@/domain/mail/email";
import type { AboutPayment } from "@/domain/payments/about-payment";
import {
  writePaymentDisputed,
  writePaymentFailed,
  writePaymentLost,
  writePaymentPartRefundFailed,
  writePaymentRestored,
} from "@/domain/payments/emails/payment";
import { writePaymentRefunded } from "@/domain/payments/emails/payment-refunded";
import { writeReceipt } from "@/domain/payments/emails/receipt";
import { type MailSimulator, startMailSimulator } from "@/simulators/mail/simulator";

const key = "WISP-7K3M-QX9T-0B2C-ZZ8V";
const registerUrl = "https://shop.example/register";
const at = new Date("2025-03-14T10:22:00Z");
const productName = "Wisp Premium";
const transactionId = "pi_3QabcDEFghiJKLmno";
const paymentUrl = "https://shop.example/success?session_id=cs_live_a1B2c3";

const bill = {
  currency: "usd",
  asked: 500,
  off: 0,
  tax: 0,
  tax_included: 0,
  credit: 0,
  outside: 0,
  paid: 500,
  refunded: 500,
};

const receipt = {
  productName,
  keys: [key],
  giftTo: null,
  quantity: 1,
  bill,
  seller: [],
  invoiceUrl: null,
  portalUrl: null,
  nextCharge: null,
  paidAt: at,
  transactionId,
  paymentUrl,
  level: "Premium",
  hasLevels: false,
  hasRole: true,
  step: "register" as const,
  stepUrl: registerUrl,
};
const about = {
  productName,
  level: "Premium",
  hasLevels: false,
  quantity: 1,
  transactionId,
  paymentUrl,
  bill,
  hasRole: true,
};

let simulator: MailSimulator;
let mailer: ReturnType<typeof createMailer>;
beforeEach(async () => {
  simulator = await startMailSimulator();
  mailer = mailerTo(simulator.smtpUrl);
});
afterEach(async () => {
  mailer.close();
  await simulator.stop();
});

describe("an email that is sent", () => {
  test("arrives once, with both parts and the Message-ID it was given", async () => {
    await send();
    const [message, ...others] = simulator.messages();
    expect(others).toEqual([]);
    expect(message).toMatchObject({
      messageId: "<42@shop.example>",
      from: "Wisp Selfbot <no-reply@shop.example>",
      to: "ada@example.com",
      envelope: { from: "no-reply@shop.example", to: ["ada@example.com"] },
      subject: "Your Wisp Premium license key and receipt",
    });
    for (const part of [message?.html, message?.text]) {
      for (const fact of [
        key,
        productName,
        "USD 5.00",
        "Mar 14, 2025 at 10:22 AM UTC",
        transactionId,
        registerUrl,
      ]) {
        expect(part).toContain(fact);
      }
      expect(part).toContain("support@wisp.example");
    }
  });

  test("has the mark within it, as a picture that its HTML shows and that is no attachment to open", async () => {
    await send();
    const [message] = simulator.messages();
    const { attachments } = await PostalMime.parse(Buffer.from(message?.raw ?? "", "latin1"));
    expect(attachments).toMatchObject([
      { contentId: "<mark@email>", disposition: "inline", related: true, mimeType: "image/png" },
    ]);
    const { width, height } = await sharp(attachments[0]?.content as ArrayBuffer).metadata();
    expect({ width, height }).toEqual({ width: 96, height: 96 });
    expect(message?.html).toContain('src="cid:mark@email"');
    // Gmail cuts an email off beyond 102 kB
    expect(message?.raw.length).toBeLessThan(40_000);
  });

  test("is marked as automatic, so that no out-of-office reply answers it", async () => {
    await send();
    const headers = new Map(simulator.messages()[0]?.headers.map(({ name, value }) => [name, value]));
    expect(headers.get("Auto-Submitted")).toBe("auto-generated");
    expect(headers.get("Reply-To")).toBe("support@wisp.example");
  });

  test("is sent under the name in MAIL_FROM, if there is one", async () => {
    mailer.close();
    mailer = mailerTo(simulator.smtpUrl, { from: "Wisp Shop <shop@shop.example>" });
    await send();
    expect(simulator.messages()[0]?.from).toBe("Wisp Shop <shop@shop.example>");
  });

  test("shares five kept connections with the others", async () => {
    simulator.setFaults({ mode: "slow", delayMs: 20 });
    const ids = Array.from({ length: 20 }, (_, n) => `<${n}@shop.example>`);
    await Promise.all(ids.map((messageId) => send({ messageId })));
    expect(simulator.tally).toEqual({ connections: 5, mostAtOnce: 5 });
  });

  test("reaches each of many recipients at once, none twice", async () => {
    const ids = Array.from({ length: 60 }, (_, n) => `<${n}@shop.example>`);
    await Promise.all(ids.map((messageId) => send({ messageId })));
    expect(
      simulator
        .messages()
        .map(({ messageId }) => messageId)
        .toSorted(),
    ).toEqual(ids.toSorted());
  });
});

describe("an email that fails", () => {
  test.each(["recipient", "message"] as const)(
    "is worth another try after a 4xx to the %s",
    async (stage) => {
      simulator.setFaults({ mode: "reject-4xx", at: stage, times: 1 });
      expectRetryable(await failure(send()));
      await send();
      expect(simulator.messages()).toHaveLength(1);
    },
  );

  test.each(["recipient", "message"] as const)("is refused for good by a 5xx to the %s", async (stage) => {
    simulator.setFaults({ mode: "reject-5xx", at: stage });
    expect(await failure(send())).toBeInstanceOf(MailRejected);
    expect(simulator.messages()).toHaveLength(0);
  });

  test.each(["login", "sender"] as const)(
    "is worth another try after a 5xx to the %s, which the operator can set right",
    async (stage) => {
      mailer.close();
      mailer = mailerTo(simulator.smtpUrl.replace("smtp://", "smtp://shop:wrong@"));
      simulator.setFaults({ mode: "reject-5xx", at: stage, times: 1 });
      expectRetryable(await failure(send()));
      await send();
      expect(simulator.messages()).toHaveLength(1);
    },
  );

  test("that is refused before its recipient says so in words that hold neither login nor password", async () => {
    const says = async (at: "login" | "sender", reply: string) => {
      mailer.close();
      mailer = mailerTo(simulator.smtpUrl.replace("smtp://", "smtp://shopkeeper:se%24cret@"));
      simulator.setFaults({ mode: "reject-5xx", at, reply, times: 1 });
      return failure(send());
    };
    for (const [at, reply, message] of [
      ["login", "535 5.7.8 shopkeeper, se$cret is wrong", "535 5.7.8 it refuses the login in SMTP_URL"],
      ["sender", "553 5.7.1 <{from}>: not owned by shopkeeper", "553 5.7.1 …: not owned by …"],
    ] as const) {
      const error = await says(at, reply);
      expect(error).toBeInstanceOf(MailRefused);
      expect(error).toMatchObject({ message, isBeforeRecipient: true });
    }
  });

  test("is not repeated by the gateway when the connection is cut before the final 250", async () => {
    simulator.setFaults({ mode: "drop-before-250", stored: true, times: 1 });
    expectRetryable(await failure(send()));
    expect(simulator.messages()).toHaveLength(1);
  });

  test("is not repeated by the pool when a kept connection is cut before the final 250", async () => {
    await send({ messageId: "<41@shop.example>" });
    simulator.setFaults({ mode: "drop-before-250", stored: true, times: 1 });
    expectRetryable(await failure(send()));
    await send({ messageId: "<43@shop.example>" });
    const ids = simulator.messages().map(({ messageId }) => messageId);
    expect(ids.toSorted()).toEqual(["<41@shop.example>", "<42@shop.example>", "<43@shop.example>"]);
  });

  test("goes out over another connection when the server has closed the kept ones", async () => {
    const ids = [1, 2, 3, 4].map((n) => `<${n}@shop.example>`);
    await Promise.all(ids.map((messageId) => send({ messageId })));
    simulator.setFaults({ mode: "refuse-connection" });
    simulator.setFaults({ mode: "accept" });
    await Promise.all(ids.map((messageId) => send({ messageId: messageId.replace("<", "<again") })));
    expect(simulator.messages()).toHaveLength(8);
  });

  test("has the same Message-ID when it is retried after such a cut", async () => {
    simulator.setFaults({ mode: "drop-before-250", stored: true, times: 1 });
    expectRetryable(await failure(send()));
    await send();
    const ids = simulator.messages().map(({ messageId }) => messageId);
    expect(ids).toEqual(["<42@shop.example>", "<42@shop.example>"]);
  });

  test("counts as sent when the connection is cut after the final 250", async () => {
    simulator.setFaults({ mode: "drop-after-250" });
    await send();
    await send({ messageId: "<43@shop.example>" });
    expect(simulator.messages()).toHaveLength(2);
  });

  test("is retried when the server is down, and sent once it is back", async () => {
    await send();
    simulator.setFaults({ mode: "refuse-connection" });
    expectRetryable(await failure(send()));
    expectRetryable(await failure(send()));
    simulator.setFaults({ mode: "accept" });
    await send();
    expect(simulator.messages()).toHaveLength(2);
  });

  test("is retried when the server misses the deadline", async () => {
    mailer.close();
    mailer = mailerTo(simulator.smtpUrl, { deadlineMs: 300 });
    simulator.setFaults({ mode: "slow", delayMs: 600_000 });
    expectRetryable(await failure(send()));
    simulator.setFaults({ mode: "accept" });
    mailer.close();
    mailer = mailerTo(simulator.smtpUrl);
    await send();
    expect(simulator.messages()).toHaveLength(1);
  });

  test("is retried when the server keeps talking past the deadline", async () => {
    const talking = new Set<Socket>();
    const server = createServer((socket) => {
      talking.add(socket.on("error", () => {}));
      socket.write("220 hello\r\n");
    });
    const chatter = setInterval(() => talking.forEach((socket) => socket.write("250-wait\r\n")), 20);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    mailer.close();
    mailer = mailerTo(`smtp://127.0.0.1:${typeof address === "object" && address?.port}`, {
      deadlineMs: 500,
    });
    expectRetryable(await failure(send()));
    clearInterval(chatter);
    talking.forEach((socket) => socket.destroy());
    server.close();
  });

  test("is retried when the mailer is closed while sending", async () => {
    simulator.setFaults({ mode: "slow", delayMs: 600_000 });
    const sending = failure(send());
    mailer.close();
    expectRetryable(await sending);
  });
});

describe("an address", () => {
  test.each([
    "ada@example.com\r\nBcc: eve@example.com",
    "ada@example.com\nSubject: hi",
    "ada@example.com, eve@example.com",
    "Ada <ada@example.com>",
    "ada",
    "@example.com",
    "",
    `ada@${"a".repeat(260)}.com`,
  ])("such as %j is refused for good, before anything is sent", async (to) => {
    expect(await failure(send({ to }))).toBeInstanceOf(MailRejected);
    expect(simulator.messages()).toHaveLength(0);
  });

  test.each(["o'brien@example.com", "ada+shop@example.com", "ada.l-1_x@sub.example.com", "ада@example.com"])(
    "such as %s is one mailbox and gets its email",
    async (to) => {
      await send({ to });
      expect(simulator.messages()[0]?.envelope.to).toEqual([to]);
    },
  );

  test("that is invalid prevents the mailer from being created", () => {
    for (const from of [
      "nobody",
      "a@b.test, c@d.test",
      "Shop <a@b.test\r\nBcc: c@d.test>",
      "x\r\ny <a@b.test>",
    ]) {
      expect(() => mailerTo(simulator.smtpUrl, { from })).toThrow("is not an address to send mail from");
    }
  });
});

test("a Message-ID that would end its header is refused", async () => {
  for (const messageId of ["<1@shop.example>\r\nBcc: eve@example.com", "1@shop.example", "<1>", ""]) {
    expect(await failure(send({ messageId }))).toBeInstanceOf(MailRejected);
  }
});

test("a product name with a line break adds no header", async () => {
  await send({ email: writeReceipt({ ...receipt, productName: "Wisp\r\nBcc: eve@example.com" }) });
  const [message] = simulator.messages();
  expect(message?.headers.map(({ name }) => name.toLowerCase())).not.toContain("bcc");
  expect(message?.envelope.to).toEqual(["ada@example.com"]);
});

const aboutLicences: [kind: string, write: (about: AboutPayment) => Email][] = [
  ["payment-disputed", writePaymentDisputed],
  ["payment-lost", writePaymentLost],
  ["payment-restored", (some) => writePaymentRestored({ ...some, because: "dispute-won" })],
  ["payment-failed", writePaymentFailed],
  ["payment-refunded", (some) => writePaymentRefunded({ ...some, licences: [] })],
  ["payment-part-refund-failed", (some) => writePaymentPartRefundFailed({ ...some, amount: 200 })],
];
test.each(aboutLicences)(
  "an email of kind %s speaks of one license, or of all that were bought",
  (_, write) => {
    const facts = (quantity: number) => {
      const { subject, text, html } = render(write({ ...about, quantity }));
      return `${subject} ${text} ${html}`;
    };
    expect(facts(1)).not.toMatch(/\blicenses\b|license keys/);
    expect(facts(3)).not.toMatch(/\blicense\b(?! key)|license key\b/);
  },
);

test("a receipt adds up: it has the price if anything was taken off or added, and what has been refunded since", () => {
  const textOf = (change: Partial<typeof bill>) =>
    render(writeReceipt({ ...receipt, bill: { ...bill, ...change } })).text;
  const cancelledOut = textOf({ off: 100, tax: 100, refunded: 0 });
  expect(cancelledOut).toContain(
    "Price: USD 5.00\nDiscount: −USD 1.00\nTax: USD 1.00\nAmount: USD 5.00\nDate",
  );
  expect(textOf({ refunded: 200 })).toContain("Refunded: USD 2.00");
  expect(textOf({ refunded: 0 })).not.toMatch(/Price|Refunded/);
});

function mailerTo(smtpUrl: string, options: Partial<MailerOptions> = {}) {
  return createMailer({ smtpUrl, from: "no-reply@shop.example", ...options });
}

function send(change: { to?: string; messageId?: string; email?: Email } = {}) {
  const email = writeReceipt(receipt);
  return mailer.send({ to: "ada@example.com", messageId: "<42@shop.example>", email, ...change });
}

/** What a promise was rejected with, if it was. */
function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

function expectRetryable(error: unknown) {
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toBeInstanceOf(MailRejected);
}

test("only a mail server on this machine or in a private network may have any certificate", async () => {
  const takesAny = async (...args: Parameters<typeof connectOptions>) =>
    (await connectOptions(...args)).tls?.rejectUnauthorized === false;
  for (const here of ["localhost", "127.0.0.1", "[::1]", "10.1.2.3", "[fd00::1]"])
    expect([here, await takesAny(`smtp://${here}:25`)]).toEqual([here, true]);
  for (const away of ["1.1.1.1", "[2606:4700::1111]"])
    expect([away, await takesAny(`smtp://${away}:25`)]).toEqual([away, false]);
  const private4 = { address: "192.168.1.2", family: 4 } as const;
  const public6 = { address: "2606:4700::1111", family: 6 } as const;
  const look = (...found: (typeof private4 | typeof public6)[]) => ({ look: async () => found });
  expect(await takesAny("smtp://relay:25", look(private4))).toBe(true);
  expect(await takesAny("smtp://relay:25", look(private4, public6))).toBe(false);
});

test("a mail server whose name is unknown, or whose resolver does not answer, is one that is not found", async () => {
  const never = new Promise<never>(() => {});
  for (const looking of [
    { look: () => never, milliseconds: 1 },
    { look: async () => ({ why: "name_not_found", detail: "" }) as const },
    { look: async () => ({ why: "name_unanswered", detail: "DNS_ETIMEOUT" }) as const },
  ]) {
    const error = await connectOptions("smtp://relay:25", looking).catch((caught: unknown) => caught);
    expect(mailFailure(error)).toBe("its name in SMTP_URL is not found");
  }
});

test("a login is sent to another machine only over TLS", () => {
  const needsTls = (url: string) => transportOptions(url).requireTLS;
  expect(needsTls("smtp://shop:password@mail.example.com:587")).toBe(true);
  expect(needsTls("smtp://shop:password@127.0.0.1:25")).toBe(false);
  expect(needsTls("smtp://relay:587")).toBe(false);
});

test("a server that wants a full name is greeted with the shop's", async () => {
  using strict = await strictServer();
  const hello = helloName(new URL("https://shop.example.com/"));
  const own = mailerTo(strict.url, { hello });
  const email = writeReceipt(receipt);
  await own.send({ to: "ada@example.com", messageId: "<43@shop.example>", email });
  own.close();
  expect(await mailFault(strict.url, hello)).toBeNull();
  expect(new Set(strict.greetings)).toEqual(new Set(["shop.example.com"]));
  // SMTP_URL has the last word, and the server's own sentence is told
  const fault = await mailFault(`${strict.url}?name=nobody`, hello);
  expect(fault).toBe("it answers “421 4.7.0 Try again later, closing connection. (EHLO)”");
  for (const address of [
    "http://localhost:3000",
    "http://127.0.0.1:3000",
    "http://[::1]:3000",
    "http://10.0.0.7",
  ])
    expect(helloName(new URL(address))).toBeUndefined();
});

test("a server that closes the connection before a word is named as what it is", async () => {
  const server = createServer((socket) => void socket.end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  expect(await mailFault(`smtp://127.0.0.1:${port}`)).toBe(
    "it closes the connection: is the port in SMTP_URL right?",
  );
  server.close();
});

/** Refuses whoever greets it with anything but a name with a dot, as strict relays do. */
async function strictServer() {
  const greetings: string[] = [];
  const server = createServer((socket) => {
    let isContent = false;
    const say = (line: string) => socket.write(`${line}\r\n`);
    say("220 relay.example ESMTP");
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      for (const line of bytes.toString("latin1").split("\r\n")) {
        const [, name] = /^(?:EHLO|HELO) (.*)$/i.exec(line) ?? [];
        if (isContent) {
          if (line !== ".") continue;
          isContent = false;
          say("250 2.0.0 taken");
        } else if (name !== undefined) {
          if (!/^[a-z].*\./.test(name))
            return socket.end("421 4.7.0 Try again later, closing connection. (EHLO)\r\n");
          greetings.push(name);
          say("250 relay.example");
        } else if (/^DATA/i.test(line)) {
          isContent = true;
          say("354 go on");
        } else if (/^QUIT/i.test(line)) socket.end("221 bye\r\n");
        else if (line !== "") say("250 2.1.0 fine");
      }
      return undefined;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return { url: `smtp://127.0.0.1:${port}`, greetings, [Symbol.dispose]: () => void server.close() };
}

import { afterEach, beforeEach, expect, test } from "bun:test";
import { listen } from "bun";
import { withoutReply } from "@/gateways/mail/test-mail";
import { tryMail } from "@/operator/setup/mail";
import { type MailSimulator, startMailSimulator } from "@/simulators/mail/simulator";

let relay: MailSimulator;
beforeEach(async () => {
  relay = await startMailSimulator();
});
afterEach(() => relay.stop());

const mail = (more: Partial<Parameters<typeof tryMail>[0]> = {}) => ({
  smtpUrl: relay.smtpUrl,
  from: "Shop <shop@example.com>",
  to: "olga@example.com",
  code: "482913",
  ...more,
});
const withLogin = (login: string) => relay.smtpUrl.replace("//", `//${login}@`);

test("a test mail carries the code, and says nothing else", async () => {
  expect(await tryMail(mail())).toEqual({ kind: "ok" });
  const [sent] = relay.messages("olga@example.com");
  expect(JSON.stringify(sent)).toContain("482913");
});

test("what the server refuses is told apart, in its own words", async () => {
  const after = async (fault: Parameters<MailSimulator["setFaults"]>[0], more = {}) => {
    relay.setFaults(fault);
    return tryMail(mail(more));
  };
  const login = { smtpUrl: withLogin("shop:pass%23word") };
  expect(
    await after({ mode: "reject-5xx", at: "login", reply: "535 5.7.8 No login for pass#word" }, login),
  ).toEqual({
    kind: "refused",
    reason: "The mail server refuses the login: “535 5.7.8 No login for …”.",
  });
  expect(await after({ mode: "reject-5xx", at: "sender" })).toEqual({
    kind: "refused",
    reason: "The mail server refuses mail of this sender: “550 5.7.1 Sender refused”.",
  });
  expect(await after({ mode: "reject-5xx", at: "recipient" })).toMatchObject({
    kind: "refused",
    reason: expect.stringContaining("No such mailbox"),
  });
  expect(await after({ mode: "reject-5xx", relay: "postfix" })).toMatchObject({
    kind: "refused",
    reason: expect.stringContaining("refuses mail of this sender"),
  });
  expect(await after({ mode: "reject-5xx", relay: "ses" })).toMatchObject({
    kind: "refused",
    reason: expect.stringContaining("Email address is not verified"),
  });
});

test("what can't be a server, a sender or a recipient is refused before anything is sent", async () => {
  const reason = async (more: object) => {
    const tried = await tryMail(mail(more));
    return tried.kind === "refused" ? tried.reason : tried.kind;
  };
  for (const smtpUrl of ["mail.example.com", "smtps://a:b#c@mail.example.com", withLogin("a:50%")])
    expect(await reason({ smtpUrl })).toStartWith("The mail server must be written as smtp://");
  expect(await reason({ from: "nobody" })).toStartWith("The sender must be an address");
  expect(await reason({ to: "olga" })).toStartWith("The recipient is not an address");
  expect(relay.tally.connections).toBe(0);
});

test("a port without TLS is told from a server that is away", async () => {
  const tls = await tryMail(mail({ smtpUrl: relay.smtpUrl.replace("smtp:", "smtps:") }));
  expect(tls).toMatchObject({ kind: "refused" });
  relay.setFaults({ mode: "reject-4xx", at: "recipient" });
  expect(await tryMail(mail())).toEqual({
    kind: "untested",
    reason: "The mail server says to try later: “450 4.2.1 Mailbox busy, try again later”.",
  });
  relay.setFaults({ mode: "refuse-connection" });
  expect((await tryMail(mail())).kind).toBe("untested");
  const nobody = listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } });
  const smtpUrl = `smtp://127.0.0.1:${nobody.port}`;
  nobody.stop(true);
  expect(await tryMail(mail({ smtpUrl }))).toMatchObject({
    kind: "untested",
    reason: expect.stringContaining("nothing listens"),
  });
});

test("a public name that isn't found is refused; one of the network's own may not be up yet", () => {
  const sentence = "The mail server can't be used: its name in SMTP_URL is not found.";
  const notFound = (hostname: string) =>
    withoutReply(
      Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: "EDNS" }),
      `smtps://${hostname}`,
    );
  expect(notFound("relay")).toEqual({ isAway: true, sentence });
  expect(notFound("mail.example.com")).toEqual({ isAway: false, sentence });
});

import { randomInt } from "node:crypto";
import { helloName } from "@/gateways/mail/transport";
import { tryMail } from "../mail";
import { outcomeOf, proved, type Tried, type Ui, unproved, untilRight } from "../ui/ui";
import { askFor, given, hasAll, save, settingFault, type Setup } from "./state";

export const hasMail = (setup: Setup): boolean => given(setup, "MAIL") === "off" || hasAll(setup, "mail");

type Mail = { SMTP_URL: string; MAIL_FROM: string };

/** The server that takes the shop's mail, proved by a mail with a code in it. */
export async function mailStep(setup: Setup): Promise<void> {
  const { ui } = setup;
  const typed: Mail = { SMTP_URL: given(setup, "SMTP_URL"), MAIL_FROM: given(setup, "MAIL_FROM") };
  const found = await untilRight(ui, async (): Promise<Tried<Mail | "off">> => {
    const server = await serverOf(setup, typed.SMTP_URL);
    if (server === "off") return unproved("No mail is sent: no receipts and no recovery codes.", "off");
    typed.SMTP_URL = server;
    const proposal = typed.MAIL_FROM || proposedSender(setup);
    typed.MAIL_FROM = await askFor(setup, "MAIL_FROM", { asks: "The sender", proposal });
    return prove(setup, { ...typed });
  });
  save(setup, found === "off" ? { MAIL: "off", SMTP_URL: "", MAIL_FROM: "" } : { MAIL: "", ...found });
}

function proposedSender(setup: Setup): string | undefined {
  const sender = `shop@${new URL(given(setup, "PUBLIC_URL")).hostname}`;
  return settingFault("MAIL_FROM", sender) === null ? sender : undefined;
}

const relayOfCompose = "smtp://relay:587";

/** The address of the server with the login in it, whose password is typed unseen; or `off`. */
async function serverOf(setup: Setup, present: string): Promise<string> {
  const { ui, environment } = setup;
  const relay = environment["IN_CONTAINER"] ? relayOfCompose : undefined;
  const typed = await ui.ask({
    name: "SMTP_URL",
    asks: "The mail server, such as mail.example.com, smtp:// or smtps://; off sends no mail",
    proposal: given(setup, "MAIL") === "off" ? "off" : present === "" ? relay : withoutLogin(present),
    fault: (text) => serverFault(ui, text),
  });
  if (typed === "off") return typed;
  const server = new URL(asServer(typed));
  if (server.username !== "" || server.href === relayOfCompose) return server.href;
  const known = present === "" ? null : new URL(present);
  const login = await ui.ask({
    name: "SMTP_LOGIN",
    asks: "The login at the mail server",
    proposal: decodeURIComponent(known?.username ?? "") || undefined,
    optional: "for none",
  });
  if (login === "") return server.href;
  const password = await ui.ask({
    name: "SMTP_PASSWORD",
    asks: "Its password",
    proposal: decodeURIComponent(known?.password ?? "") || undefined,
    secret: true,
  });
  server.username = encodeURIComponent(login);
  server.password = encodeURIComponent(password);
  return server.href;
}

/** A name alone is a server that takes mail over TLS. */
const asServer = (typed: string) => (/^smtps?:\/\//.test(typed) ? typed : `smtps://${typed}`);

function serverFault(ui: Ui, typed: string): string | null {
  if (typed === "off") return null;
  const address = asServer(typed);
  const fault = URL.canParse(address) ? settingFault("SMTP_URL", address) : "It must be a server's name.";
  const hasLogin = fault === null && new URL(address).username !== "";
  return ui.isTerminal && hasLogin
    ? "Leave the login out: it is asked next, and its password unseen."
    : fault;
}

function withoutLogin(address: string): string {
  const url = new URL(address);
  url.username = "";
  url.password = "";
  return url.href;
}

const codeBelow = 1_000_000;
const codeDigits = 6;

async function prove(setup: Setup, mail: Mail): Promise<Tried<Mail>> {
  const { ui } = setup;
  const to = given(setup, "OWNER_EMAIL");
  const code = String(randomInt(codeBelow)).padStart(codeDigits, "0");
  const tried = await ui.work(`Mailing a test to ${to}`, () =>
    tryMail({
      smtpUrl: mail.SMTP_URL,
      from: mail.MAIL_FROM,
      to,
      code,
      hello: helloName(new URL(given(setup, "PUBLIC_URL"))),
    }),
  );
  if (tried.kind !== "ok") return outcomeOf(tried, mail, "");
  const accepted = `The server took a mail to ${to}`;
  if (!ui.isTerminal) return unproved(`${accepted}; whether it arrives is not known.`, mail);
  const typed = await ui.ask({
    name: "MAIL_CODE",
    asks: `${accepted}: its six digits`,
    optional: "if it doesn't arrive",
    fault: (text) => (text === code ? null : "Those are other digits: look at the newest mail."),
  });
  if (typed === code) return proved(`Mail from ${mail.MAIL_FROM} arrives.`, mail);
  return unproved(`The server took a mail that has not arrived at ${to}.`, mail);
}

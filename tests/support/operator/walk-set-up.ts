import { expect } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeSettingsFile } from "@/core/settings/settings-file";
import { type MailSimulator, startMailSimulator } from "@/simulators/mail/simulator";
import { startStripeSimulator } from "@/simulators/stripe/simulator";
import { control } from "../network/control";
import { Person } from "../people/person";
import { eventually } from "../shop/stage";
import { processesBelow } from "./processes";
import { root } from "./run-process";
import { openMachine } from "./set-up";
import { openTypist, type Typist } from "./typist";

const owner = "olga@example.com";
/** At the mail server. */
export const mailPassword = "pass-word-of-mail";

/** A machine with nothing on it, and the vendors' simulators, whose addresses stand in its settings. */
export async function openBareMachine(settings: Record<string, string> = {}) {
  const stripe = await startStripeSimulator({ seed: 1, retry: { firstMs: 50, capMs: 500 } });
  const mail = await startMailSimulator({});
  const machine = await openMachine();
  writeSettingsFile(machine.dataDir, { STRIPE_API_URL: stripe.url, ...settings });
  /** The arguments and environments of all processes, and all logs. */
  const seen = new Set<string>();
  const look = (pid: number) => processesBelow(pid).forEach((text) => seen.add(text));

  function setUp(): Typist {
    const typist = openTypist(machine.env, "setup");
    typist.whenShown(() => look(typist.pid));
    return typist;
  }

  return {
    ...machine,
    stripe,
    mail,
    setUp,
    /** Starts the shop as systemd would, and waits until it is open. */
    async start() {
      const child = Bun.spawn([process.execPath, "src/main.ts"], {
        cwd: root,
        env: { PATH: process.env["PATH"] ?? "", ...machine.env, NODE_ENV: "production" },
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
      });
      const said = Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
      await eventually(async () => {
        if (child.exitCode !== null) throw new Error((await said).join("\n"));
        const ready = await fetch(`${machine.address}/api/ready`).catch(() => null);
        look(child.pid);
        return ready?.status === 200;
      });
      return {
        person: () => new Person(() => new URL(machine.address)),
        async [Symbol.asyncDispose]() {
          child.kill();
          for (const text of await said) seen.add(text);
        },
      };
    },
    /** Checks that settings.env holds these secrets, and that no process, log or other file of the shop's did. */
    expectKept(secrets: Record<string, string>) {
      const files = readdirSync(machine.dataDir, { recursive: true, withFileTypes: true })
        .filter((one) => one.isFile() && !one.name.startsWith("settings.env"))
        .map((one) => join(one.parentPath, one.name));
      const everything = [...seen, ...files.map((file) => readFileSync(file, "latin1"))];
      expect([...seen].some((text) => text.includes("main.ts\0doctor"))).toBe(true);
      expect(files.length).toBeGreaterThan(4);
      for (const [name, secret] of Object.entries(secrets)) {
        expect([name, secret.length > 7]).toEqual([name, true]);
        expect([name, everything.filter((text) => text.includes(secret))]).toEqual([name, []]);
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([stripe.stop(), mail.stop()]);
      await machine[Symbol.asyncDispose]();
    },
  };
}

/** The secrets among a shop's settings, by their names. */
export const secretsIn = (settings: Record<string, string>): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(settings).filter(([name]) => /SECRET|TOKEN|BACKUP_KEY/.test(name))),
  mailPassword,
});

/** Takes everything that the first step proposes but what nobody could. */
export async function answersShop(typist: Typist, { address }: { address: string }): Promise<void> {
  await typist.answers("Your name", "Olga Owner");
  await typist.answers("Your email address", owner);
  await typist.answers("address in a browser", address);
  await typist.answers("Currency");
  await answersBrand(typist);
}

export async function answersBrand(typist: Typist): Promise<void> {
  await typist.answers("Who sells");
  await typist.answers("Time zone");
  await typist.answers("What you sell", "Brushwork");
  await typist.answers("short name");
  await typist.answers("first group");
  await typist.answers("The first price", "29");
  await typist.answers("Your customers' address");
}

/** Keeps the keys, as typing back their ends proves. */
export async function keepsKeys(typist: Typist): Promise<string[]> {
  await typist.sees("The last four characters of each");
  const keys = ["SECRET_KEY", "BACKUP_KEY"].map(
    (name) => typist.shown().match(`${name} +([\\w+/]{43}=)`)?.[1] ?? "",
  );
  typist.types(`${keys.map((key) => key.slice(-4)).join(" ")}\r`);
  return keys;
}

export async function answersMail(
  typist: Typist,
  mail: Pick<MailSimulator, "smtpUrl" | "messages">,
  password = "",
): Promise<void> {
  await typist.answers("The mail server", mail.smtpUrl);
  await typist.answers("The login", password === "" ? "" : "shop");
  if (password !== "") await typist.answers("Its password", password);
  await typist.answers("The sender", "Brushwork <shop@example.com>");
  await typist.sees("its six digits");
  const [test] = await eventually(
    () => mail.messages(owner),
    (all) => all.length > 0,
  );
  typist.types(`${/\b\d{6}\b/.exec(test?.text ?? "")?.[0]}\r`);
  await typist.sees("arrives");
}

type Keys = { stripe: { secretKey: string; publishableKey: string } };

export async function answersStripe(typist: Typist, { stripe }: Keys): Promise<void> {
  await typist.answers("secret or restricted key", stripe.secretKey);
  await typist.answers("publishable key", stripe.publishableKey);
  await typist.sees("reports to");
}

type Discord = { url: string; botToken: string; clientSecret: string };

/** Allows the redirect when it is asked to, and takes what the server has. */
export async function answersDiscord(
  typist: Typist,
  { discord, address }: { discord: Discord; address: string },
): Promise<void> {
  await typist.answers("Discord bot's token", discord.botToken);
  await typist.answers("client secret", discord.clientSecret);
  await typist.sees("Paste this redirect");
  await control(discord.url, "application", { redirect_uris: [`${address}/dashboard/discord-callback`] });
  typist.types("\r");
  await typist.answers("The server for customers");
  await typist.answers("support team");
  await typist.answers("customers with a licence");
  await typist.answers("customers open tickets");
  await typist.answers("staff read notices");
}

export async function answersBackups(typist: Typist, to = ""): Promise<void> {
  await typist.answers("Where backups go", to);
  await typist.answers("How many hours");
}

/** The owner's invitation; resolves to the link's token once set-up has ended. */
export async function answersRest(typist: Typist): Promise<string> {
  await typist.sees("/invitation#");
  await typist.sees("Once it runs, open");
  return invitationIn(typist);
}

/** The same where root starts the shop, and was asked whether it should. */
export async function startsShop(typist: Typist): Promise<string> {
  typist.types("\r");
  await typist.sees("The shop runs.");
  await typist.sees("Now open");
  return invitationIn(typist);
}

async function invitationIn(typist: Typist): Promise<string> {
  const [, token = ""] = /\/invitation#(\S+)/.exec(typist.shown()) ?? [];
  const code = await typist.ended();
  if (code !== 0) throw new Error(`set-up ended with ${code}:\n${typist.shown()}`);
  return token;
}

/** The owner's account, made by the link. */
export const accepts = (person: Person, token: string) =>
  person.post("/api/invitation", {
    token,
    username: "olga",
    password: "a long enough phrase",
    timezone: "Europe/Berlin",
  });

import { generateSync } from "otplib";
import type { Person } from "../../support/people/person";
import type { Stage } from "../../support/shop/stage";

export const password = "a long enough phrase";

/** A signed-in customer with a lifetime licence. */
export async function member(stage: Stage, name: string): Promise<Person> {
  const person = await unproven(stage, name);
  await prove(stage, name);
  return person;
}

/** A customer whose address was typed, and nothing more. */
export async function unproven(stage: Stage, name: string): Promise<Person> {
  const person = stage.person();
  const registered = await person.register(await stage.handOut(), name, password);
  if (registered.status !== 200) throw new Error(`${name}: ${registered.body.data}`);
  return person;
}

/** An account that typed an address, which others may have typed too. */
export async function typist(stage: Stage, username: string, email: string, key?: string): Promise<Person> {
  const person = stage.person();
  const body = { username, email, password, timezone: "UTC", key: key ?? (await stage.handOut()) };
  const registered = await person.post("/api/auth/register", body);
  if (registered.status !== 200) throw new Error(`${username}: ${registered.body.code}`);
  return person;
}

/** As if the account's mailbox had confirmed its address. */
export const prove = (stage: Stage, username: string) =>
  stage.ctx.store.client.execute({
    sql: "UPDATE accounts SET email_confirmed_at = created_at WHERE username = ?",
    args: [username],
  });

export const login = (person: Person, username: string, more: object = {}) =>
  person.post("/api/auth/login", { username, password, ...more });

export const me = async (person: Person) => (await person.get("/api/user/me")).body;

/** What an authenticator shows at the stage's time, or this many 30-second steps away from it. */
export const codeAt = (stage: Stage, secret: string, steps = 0) =>
  generateSync({ secret, epoch: Math.floor(stage.ctx.now().getTime() / 1000) + steps * 30 });

/** Six digits that are wrong for every nearby step. */
export function wrongCode(stage: Stage, secret: string): string {
  const right = [-2, -1, 0, 1, 2].map((steps) => codeAt(stage, secret, steps));
  for (let code = 0; ; code += 1) {
    const digits = String(code).padStart(6, "0");
    if (!right.includes(digits)) return digits;
  }
}

/** Turns two-factor on; that uses up the current step's code, so the clock moves to another. */
export async function turnOnMfa(
  stage: Stage,
  person: Person,
  its = password,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { secret } = (await person.post("/api/user/mfa/reset", { password: its })).body.data;
  const enabled = await person.post("/api/user/mfa/enable", { security_code: codeAt(stage, secret) });
  if (enabled.status !== 200) throw new Error(enabled.body.data);
  await nextStep(stage);
  return { secret, recoveryCodes: enabled.body.data.recovery_codes };
}

/**
 * Moves the clock to the beginning of the step after the next one, so that no earlier code is valid and no
 * step ends during a test. Waiting jobs are delivered first, because moving the clock expires leases.
 */
export async function nextStep(stage: Stage): Promise<void> {
  await stage.shop.worker.drain();
  stage.advance(60_500 - (stage.ctx.now().getTime() % 30_000));
}

const confirming = "Confirm your email address";

/**
 * Delivers what is waiting, and resolves to an address's mails, newest first; those that ask to confirm it come last, since
 * that of a registration may leave together with a later mail.
 */
export async function mailsTo(stage: Stage, to: string) {
  await stage.shop.worker.drain();
  const isConfirming = ({ subject }: { subject: string }) => Number(subject === confirming);
  return stage.mail.messages(to).toSorted((one, other) => isConfirming(one) - isConfirming(other));
}

export const askForCode = (person: Person, email: string) =>
  person.get(`/api/user/password/forgot?email=${encodeURIComponent(email)}&code=`);

/** The six digits of the newest recovery mail. */
export async function mailedCode(stage: Stage, to: string): Promise<string> {
  const mails = await mailsTo(stage, to);
  const text = mails.find(({ subject }) => subject === "Your verification code")?.text ?? "";
  const code = /^\s*(\d{6})\s*$/m.exec(text)?.[1];
  if (!code) throw new Error(`no code in ${text}`);
  return code;
}

/** A browser that has typed the code that was mailed to an address; `reset` chooses a password. */
export async function verifiedRecovery(stage: Stage, email: string) {
  const browser = stage.person();
  await askForCode(browser, email);
  const code = await mailedCode(stage, email);
  const typed = await browser.post("/api/user/password/forgot", { email, code });
  if (typed.status !== 200) throw new Error(typed.body.data);
  const reset = (more: object = {}) =>
    browser.post("/api/user/password/forgot-reset", {
      email,
      code,
      password: "another long phrase",
      ...more,
    });
  return { browser, reset };
}

/** Proves the mailbox of an account's address by a code that is mailed there; its password stays the same. */
export async function recover(stage: Stage, email: string): Promise<void> {
  const done = await (await verifiedRecovery(stage, email)).reset({ password });
  if (done.status !== 200) throw new Error(done.body.data);
}

/** The newest recovery mail to an address, which is asked for, and the tokens of its links. */
export async function recoveryTo(stage: Stage, to: string): Promise<{ text: string; tokens: string[] }> {
  await askForCode(stage.person(), to);
  const mails = await mailsTo(stage, to);
  const text = mails.find(({ subject }) => subject === "Your verification code")?.text ?? "";
  return { text, tokens: [...text.matchAll(/\/forgot-pass#(\S+)/g)].map(([, token = ""]) => token) };
}

/** Recovers an account by such a token, or resolves to the code of the refusal. */
export async function useLink(stage: Stage, token = "", chosen = "another long phrase"): Promise<string> {
  const person = stage.person();
  const opened = await person.post("/api/user/password/forgot", { token });
  if (opened.status !== 200) return opened.body.code;
  const done = await person.post("/api/user/password/forgot-reset", { token, password: chosen });
  return done.status === 200 ? "recovered" : done.body.code;
}

/** The token and the digits of the newest mail that asks an address to be confirmed. */
export async function confirmation(stage: Stage, to: string): Promise<{ token: string; code: string }> {
  const mails = await mailsTo(stage, to);
  const text = mails.find(({ subject }) => subject === confirming)?.text ?? "";
  const token = /\/confirm-email#(\S+)/.exec(text)?.[1];
  if (!token) throw new Error(`no link in ${text}`);
  return { token, code: /^\s*(\d{6})\s*$/m.exec(text)?.[1] ?? "" };
}

/** Changes an account's address, and confirms the new one by its link, which arrives at `mailbox`. */
export async function changeEmail(
  stage: Stage,
  person: Person,
  email: string,
  mailbox = email,
): Promise<void> {
  const asked = await person.post("/api/user/email/reset", { email, password });
  if (asked.status !== 200) throw new Error(asked.body.data);
  const { token } = await confirmation(stage, mailbox);
  const done = await person.post("/api/user/email/confirm", { token });
  if (done.status !== 200) throw new Error(done.body.data);
}

/** How many answers had each status. */
export function tally(answers: { status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Binds a device to a person's account, as the application would. */
export async function bindDevice(stage: Stage, person: Person): Promise<void> {
  const { id } = (await me(person)).data;
  const { devices } = await import("@/domain/schema/devices");
  const now = stage.ctx.now();
  const device = { computerHash: "hash", label: "Desk", os: "linux", version: "1.0.0" };
  await stage.ctx.store.db
    .insert(devices)
    .values({ accountId: id, ...device, firstSeenAt: now, lastSeenAt: now });
}

import { dictionary } from "@zxcvbn-ts/language-common";
import pLimit from "p-limit";
import { brand } from "@/brand/brand";
import { Refusal } from "@/core/refusal";

/** argon2id, 19 MiB and two passes: OWASP's Password Storage Cheat Sheet, second option. */
const argon2id = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

/**
 * Hashing takes a core for about 35 ms, so only a few run at once and only so many wait. Strangers who sign in
 * have a queue of their own, so that a flood of guesses keeps nobody else waiting: not a browser that signed in
 * before, nor who holds a session, a licence key or a mailed code.
 */
const queues = { strangers: pLimit(2), others: pLimit(2) };
const mostWaiting = 200;
type Queue = keyof typeof queues;

/** Resolves to the hash in PHC format; refuses with `busy` when too many others wait. */
export const hashPassword = (password: string) =>
  queued("others", () => Bun.password.hash(password, argon2id));

/**
 * Whether a password fits a stored hash. Without a hash (no such account) it takes the same time and
 * resolves to false, so that nobody learns from the clock who has an account.
 */
export async function passwordFits(
  password: string,
  hash: string | null,
  queue: Queue = "others",
): Promise<boolean> {
  // asked for in any case: the first to need it would wait for it to be made
  const nobodys = await hashOfNobody();
  const fits = await queued(queue, () => Bun.password.verify(password, hash ?? nobodys));
  return fits && hash !== null;
}

/** Refuses a new password that anyone would try first. */
export function judgePassword(
  password: string,
  account: { username: string; email: string },
  field = "password",
): void {
  const plain = password.toLowerCase();
  if (common().has(plain)) throw new Refusal("password_common", { field });
  if (shopsWords.has(letters(plain))) throw new Refusal("password_common", { field, sentence: fromHere });
  const own = [account.username, account.email, account.email.split("@")[0] ?? ""];
  if (own.some((text) => text.toLowerCase() === plain)) {
    throw new Refusal("password_personal", { field });
  }
}

/** What anybody would try at this shop first, whatever digits and signs stand around it. */
const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}]/gu, "");
const shopsWords = new Set(
  [brand.product, brand.shortName, brand.keyPrefix, brand.tagline, brand.premium.name].map(letters),
);
const fromHere = "That password is the product's name, please choose another";

/** Refuses with `busy` when too many wait already; worth asking before an attempt is counted. */
export function expectRoom(queue: Queue): void {
  if (queues[queue].pendingCount >= mostWaiting) throw new Refusal("busy");
}

function queued<T>(queue: Queue, hash: () => Promise<T>): Promise<T> {
  expectRoom(queue);
  return queues[queue](hash);
}

let nobody: Promise<string> | undefined;
const hashOfNobody = () => (nobody ??= Bun.password.hash(crypto.randomUUID(), argon2id));

let commonPasswords: Set<string> | undefined;
const common = () => (commonPasswords ??= new Set(dictionary["passwords-common"]));

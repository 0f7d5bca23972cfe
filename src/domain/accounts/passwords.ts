import { dictionary } from "@zxcvbn-ts/language-common";
import pLimit from "p-limit";
import { brand } from "@/brand/brand";
import { Refusal } from "@/core/refusal";

/** argon2id, 19 MiB and two passes: OWASP's Password Storage Cheat Sheet, second option. */
const argon2id = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

/**
 * Hashing takes a core for about 35 ms, so few run at once and the queue is bounded. Unknown browsers have a queue
 * of their own: a flood of guesses must not delay known browsers, sessions, or holders of a licence key or code.
 */
const queues = { strangers: pLimit(2), others: pLimit(2) };
const mostWaiting = 200;
type Queue = keyof typeof queues;

/** Resolves to the hash in PHC format; refuses with `busy` when the queue is full. */
export const hashPassword = (password: string) =>
  queued("others", () => Bun.password.hash(password, argon2id));

/**
 * Whether a password matches a stored hash. Without a hash (no such account) it takes the same time and
 * resolves to false, so response times don't reveal who has an account.
 */
export async function passwordFits(
  password: string,
  hash: string | null,
  queue: Queue = "others",
): Promise<boolean> {
  // requested in any case, so that the first caller who needs it doesn't take longer
  const nobodys = await hashOfNobody();
  const fits = await queued(queue, () => Bun.password.verify(password, hash ?? nobodys));
  return fits && hash !== null;
}

/** Refuses common passwords. */
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

/** Words about this shop that anyone would try first, with any digits and signs around them. */
const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}]/gu, "");
const shopsWords = new Set(
  [brand.product, brand.shortName, brand.keyPrefix, brand.tagline, brand.premium.name].map(letters),
);
const fromHere = "That password is the product's name, please choose another";

/** Refuses with `busy` when the queue is full; call it before counting an attempt. */
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

import { dictionary } from "@zxcvbn-ts/language-common";
import pLimit, { type LimitFunction } from "p-limit";
import { brand } from "@/brand/brand";
import { normalizePassword } from "@/contract/vocabulary/account-rules";
import { Refusal } from "@/core/base/refusal";

/** argon2id, 19 MiB and two passes: OWASP's Password Storage Cheat Sheet, second option. */
const argon2id = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

/**
 * Hashing takes a core for about 35 ms, so few run at once and the queues are bounded. Unknown browsers have a queue
 * of their own: a flood of guesses must not delay known browsers, sessions, or holders of a licence key or code.
 * In the other queue each account has one place at a time, so that no account delays another by more than one hash.
 */
const queues = { strangers: pLimit(2), others: pLimit(2) };
const mostWaiting = 200;
/** How many tasks may wait for one account's place. */
const mostWaitingInTurn = 30;

/** A place in the queue: an account's, an address's, the operator's, or one for all unknown browsers. */
export type QueuePlace = "strangers" | `account ${string}` | `address ${string}` | "operator";

/** An account's own place. */
export const queuePlaceOf = (account: { id: string }): QueuePlace => `account ${account.id}`;

/** Resolves to the hash in PHC format; refuses with `busy` when the queue is full. */
export const hashPassword = (password: string, place: QueuePlace) =>
  queued(place, () => Bun.password.hash(normalizePassword(password), argon2id));

/**
 * Whether a password matches a stored hash. Without a hash (no such account) it takes the same time and
 * resolves to false, so response times don't reveal who has an account.
 */
export async function passwordMatches(
  password: string,
  hash: string | null,
  place: QueuePlace,
): Promise<boolean> {
  const plain = normalizePassword(password);
  const fits = await queued(place, () => Bun.password.verify(plain, hash ?? hashOfNobody));
  return fits && hash !== null;
}

/** Refuses common passwords. */
export function expectAcceptablePassword(
  password: string,
  account: { username: string; email: string | null },
  field = "password",
): void {
  const plain = normalizePassword(password).toLowerCase();
  if (common().has(plain)) throw new Refusal("password_common", { field });
  if (shopsWords.has(letters(plain))) throw new Refusal("password_common", { field, sentence: fromHere });
  const email = account.email ?? "";
  const own = [account.username, email, email.split("@")[0] ?? ""];
  if (own.some((text) => text.toLowerCase() === plain)) {
    throw new Refusal("password_personal", { field });
  }
}

/** Words about this shop that everybody would try first, with any digits and signs around them. */
const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}]/gu, "");
const shopsWords = new Set(
  [brand.product, brand.shortName, brand.keyPrefix, brand.tagline ?? "", brand.premium.name].map(letters),
);
const fromHere = "That password is the product's name. Please choose another.";

/** Refuses with `busy` when the queue is full; call it before counting an attempt. */
export function expectQueueNotFull(place: QueuePlace): void {
  const queue = place === "strangers" ? queues.strangers : queues.others;
  const inTurn = turns.get(place)?.waiting ?? 0;
  if (queue.pendingCount >= mostWaiting || inTurn > mostWaitingInTurn) throw new Refusal("busy");
}

function queued<T>(place: QueuePlace, hash: () => Promise<T>): Promise<T> {
  expectQueueNotFull(place);
  return place === "strangers" ? queues.strangers(hash) : inTurn(place, () => queues.others(hash));
}

/** The taken places: each runs one task at a time, and counts the unfinished ones. */
const turns = new Map<QueuePlace, { one: LimitFunction; waiting: number }>();

async function inTurn<T>(place: QueuePlace, run: () => Promise<T>): Promise<T> {
  const turn = turns.get(place) ?? { one: pLimit(1), waiting: 0 };
  turns.set(place, turn);
  turn.waiting += 1;
  try {
    return await turn.one(run);
  } finally {
    turn.waiting -= 1;
    if (turn.waiting === 0) turns.delete(place);
  }
}

const random = () => crypto.getRandomValues(new Uint8Array(32)).toBase64({ omitPadding: true });
/** As expensive to check as an account's hash. Its digest is random, so that no password matches. */
const { memoryCost, timeCost } = argon2id;
const hashOfNobody = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=1$${random()}$${random()}`;

let commonPasswords: Set<string> | undefined;
const common = () => (commonPasswords ??= new Set(dictionary["passwords-common"]));

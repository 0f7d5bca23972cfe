import { z } from "zod";
import { brand } from "@/brand/brand";
import { unusualKey } from "@/contract/vocabulary/addresses";
import { interval } from "@/contract/wire/offers";
import type { Ctx } from "@/core/database/context";
import { sameSecret, tokenHash } from "@/core/secrets/secrets";
import type { LevelName } from "../../levels/ladder";
import type { Payment } from "../../schema/payments";

/** What a buyer agreed to, as the text of an order holds it. A term without a column doesn't compile. */
const terms = z.object({
  /** The price of one licence in minor units. */
  amount: z.int().nonnegative(),
  currency: z.string(),
  offer: z.string(),
  product: z.string(),
  /** The id and the name of the level that each licence has. */
  level: z.string(),
  levelName: z.string(),
  /** How long each licence runs; null is a lifetime. */
  days: z.int().nullable(),
  /** On how many computers at a time each is used. */
  devices: z.int(),
  /** How often the price is paid, by a subscription; null is once. */
  every: interval.nullable(),
  /** The days before a subscription's first payment; null is none. */
  trialDays: z.int().nullable(),
  quantity: z.int(),
  /** Where a gift's key is mailed. */
  gift: z.string().nullable(),
  /** The account that the buyer was signed in to. */
  buyer: z.string().nullable(),
});

/** The legal texts that were in force, as the text of an order holds them since they are sealed too. */
const agreed = z.object({ termsEdition: z.string(), termsSha256: z.string(), refundsSha256: z.string() });
export type Agreed = z.infer<typeof agreed>;

export type OrderTerms = { id: string } & z.infer<typeof terms>;

/** An order as read from Stripe's metadata, before its seal is verified. */
export type WrittenOrder = { text: string; pieces: number; seal: string };

/** An order that this shop wrote, which the seal proves even after the database was lost. */
export type Order = OrderTerms & SealedOrder;
/** An order of this shop that only a newer release can read. */
export type UnreadOrder = { id: string } & SealedOrder;
type SealedOrder = { version: number; text: string; seal: string; agreed: Agreed | null };

/**
 * The versions of the text that this release reads; it writes `orderVersion`. Buyers may still pay checkouts that the
 * release before opened. A change of what is sold needs a new version: a release that doesn't know it sells nothing.
 */
export const knownVersions = [1, 2];
const orderVersion = 2;

/** Stripe's values hold 500 characters. */
const pieceLength = 450;
const mostPieces = 20;

export function sealOrder(
  { secrets }: Pick<Ctx, "secrets">,
  wanted: OrderTerms,
  agreed: Agreed | null = null,
): Order {
  const text = textOf(wanted, agreed);
  return { ...wanted, agreed, version: orderVersion, text, seal: secrets.fingerprint("order-seal", text) };
}

/** Every version begins with itself, the order's id and the number of pieces. */
function textOf(order: OrderTerms, legal: Agreed | null): string {
  const last = legal ? [legal] : [];
  for (let count = 1; count <= mostPieces; count += 1) {
    const text = ascii(JSON.stringify([orderVersion, order.id, count, terms.parse(order), ...last]));
    if (Math.ceil(text.length / pieceLength) === count) return text;
  }
  throw new Error("the order is too long for Stripe's metadata");
}

/** Also without spaces, which could be lost at the ends of a piece. */
const ascii = (json: string): string =>
  json.replace(/[^!-~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** The metadata of the session and of what Stripe creates from it. Plain values are for people, and never read back. */
export const metadataOf = ({ id: order, offer, quantity, text, seal }: Order): Record<string, string> => ({
  order,
  offer,
  quantity: String(quantity),
  ...Object.fromEntries(
    Array.from({ length: Math.ceil(text.length / pieceLength) }, (_, at) => [
      `order_${at + 1}`,
      text.slice(at * pieceLength, (at + 1) * pieceLength),
    ]),
  ),
  seal,
});

/** The order in a session's metadata; null if it has none, or one with a gap. */
export function writtenOrderIn(metadata: Record<string, string> | null): WrittenOrder | null {
  const { seal, ...others } = metadata ?? {};
  const names = Object.keys(others).filter((name) => /^order_\d+$/.test(name));
  const pieces = names.flatMap((_, at) => others[`order_${at + 1}`] ?? []);
  if (!seal || pieces.length === 0 || pieces.length < names.length) return null;
  return { text: pieces.join(""), pieces: pieces.length, seal };
}

/** Whether this shop wrote it. */
export const isSealed = ({ secrets }: Pick<Ctx, "secrets">, { text, seal }: WrittenOrder): boolean =>
  secrets.fingerprints("order-seal", text).some((right) => sameSecret(right, seal));

/** Reads an order, once its seal is proven; null if this shop did not write it so. */
export function openOrder(
  ctx: Pick<Ctx, "secrets">,
  written: WrittenOrder | null,
): Order | UnreadOrder | null {
  if (!written || !isSealed(ctx, written)) return null;
  const { text, pieces, seal } = written;
  // other texts sealed for Stripe's metadata have other prefixes
  const read = beginning.safeParse(JSON.parse(text));
  if (!read.success || read.data[2] !== pieces) return null;
  const [version, id, , content, legal] = read.data;
  const sealed = { id, version, text, seal, agreed: agreed.safeParse(legal).data ?? null };
  if (version === 1) return { ...firstTerms.parse(content), ...firstLevel, ...sealed };
  return version === orderVersion ? { ...terms.strict().parse(content), ...sealed } : sealed;
}

/** Of the first version, which sold the brand's only level. */
const firstTerms = terms.omit({ level: true, levelName: true }).strict();
/** The level of what was sold before there were others. */
export const firstLevel = { level: brand.premium.type, levelName: brand.premium.name };

const beginning = z.tuple([z.int().positive(), z.string(), z.int()], z.unknown());

export const isReadableOrder = (order: Order | UnreadOrder | null): order is Order =>
  order !== null && "offer" in order;

/** Whether it is exactly the order of a payment, even if the secret of its seal was replaced since. */
export const isOrderOf = ({ seal }: Pick<Payment, "seal">, written: WrittenOrder | null): boolean =>
  written !== null && seal === tokenHash(written.text);

/** The buyer's address as columns of a payment; below, a receiver's. */
export const buyerColumns = (email: string) => ({ email, unusualEmailKey: unusualKey(email) });
export const receiverColumns = (giftEmail: string | null) => ({
  giftEmail,
  unusualGiftKey: unusualKey(giftEmail),
});

/** What every release can store of an order. */
export const sealColumns = ({ id, version, text }: UnreadOrder) => ({
  id,
  sealVersion: version,
  seal: tokenHash(text),
});

/** The order as columns of a payment, but for its buyer, whose account may be gone. */
export function columnsOfOrder(order: Order) {
  const {
    amount: unitAmount,
    gift,
    version: _,
    text: __,
    seal: ___,
    buyer: ____,
    agreed: _____,
    ...same
  } = order;
  const columns: Pick<Payment, keyof typeof same> = same;
  return { ...columns, unitAmount, ...receiverColumns(gift), ...sealColumns(order) };
}

/** Whether this release can read a payment's order, and so knows whose keys they are. */
export const isReadable = ({ sealVersion }: Pick<Payment, "sealVersion">): boolean =>
  knownVersions.includes(sealVersion);

/** The level bought, with its name at the time; the first if this release can't read the order. */
export const levelOf = ({ level, levelName }: Pick<Payment, "level" | "levelName">): LevelName =>
  level === null
    ? { id: firstLevel.level, name: firstLevel.levelName }
    : { id: level, name: levelName ?? level };

/** The offer bought, and its name at the time; as far as known if this release can't read the order. */
export const offerOf = ({
  offer,
  product,
}: Pick<Payment, "offer" | "product">): Pick<OrderTerms, "offer" | "product"> => ({
  offer: offer ?? "unknown",
  product: product ?? brand.premium.name,
});

import { z } from "zod";
import { isPlain, mustBePlain } from "./plain";

const text = (most = 2_000) => z.string().trim().min(1).max(most).refine(isPlain, { error: mustBePlain });
const price = "`{price}` stands for the price of the first offer.";
const titled = { title: text().optional(), lead: text().optional() };
const facts = z.array(text()).optional();
const https = z
  .url({ protocol: /^https$/, error: "must be an https:// address" })
  .refine(isPlain, { error: mustBePlain });
/** What stands in links, commands and the database. */
const word = z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/, {
  error: "must be 1 to 32 small letters, digits and dashes",
});
/** Picture files have names of their own. */
const pictureName = z.string().regex(/^[\w-]{1,60}$/, {
  error: "must be the name of a picture, without its ending: letters, digits, dashes",
});
const fact = z.union([text(), z.boolean()], { error: "must be a text, true or false" });

const offer = z.strictObject({
  id: word,
  name: text(100),
  price: z
    .string()
    .regex(/^\d{1,9}([.,]\d{1,3})?$/, { error: 'must be an amount of the shop\'s currency, such as "29.00"' })
    .describe('In the shop\'s currency, as a text: "29.00"'),
  days: z
    .int()
    .min(1)
    .max(36_500)
    .nullable()
    .default(null)
    .describe("How long it lasts from redemption; null is for ever"),
});

const landing = z.strictObject({
  description: text().optional().describe(`What search engines show. ${price}`),
  hero: z
    .strictObject({
      lead: text(),
      action: text(),
      commands: text().describe("Leads to the commands page"),
      price: text().describe(price),
      from: text().describe("For several offers; `{price}` stands for the lowest price"),
      facts: z.array(text()),
    })
    .partial()
    .optional(),
  features: z.strictObject(titled).optional(),
  why: z.strictObject(titled).optional(),
  gallery: z.strictObject({ ...titled, video: text().optional() }).optional(),
  get: z.strictObject({ ...titled, send: text().optional(), onComputer: text().optional() }).optional(),
});

const features = z
  .strictObject({
    control: z.strictObject({
      title: text(),
      text: text(),
      points: facts,
      sample: z
        .strictObject({ channel: text(), typed: text(), author: text(), answer: text(), took: text() })
        .optional()
        .describe("A conversation that shows the product at work"),
    }),
    competitive: z.strictObject({
      title: text(),
      text: text(),
      columns: z.array(text()).min(1).describe("What is compared: the second is yours, and stands out"),
      rows: z.array(z.tuple([text()]).rest(fact)).min(1),
    }),
  })
  .partial();

const reason = { title: text(), text: text() };
const reasons = z
  .strictObject({
    gui: z.strictObject(reason),
    dashboard: z.strictObject(reason),
    customization: z.strictObject(reason),
    security: z.strictObject(reason),
    notifications: z.strictObject({ ...reason, notice: z.strictObject(reason).optional() }),
    commands: z.strictObject({ ...reason, code: text().optional() }),
  })
  .partial()
  .describe("The cards of 'Why Us'; each key selects its drawing");

const free = z.strictObject({
  name: text(),
  price: text().describe("In words: what isn't sold here has no other"),
  summary: text().optional(),
  facts,
  action: z.strictObject({ kind: z.literal("download"), label: text(), href: text() }),
});
const sold = z.strictObject({
  name: text(),
  summary: text().optional(),
  facts,
  action: z.strictObject({ kind: z.literal("purchase"), label: text() }),
});

const topic = z.strictObject({
  name: text(80),
  emoji: text(40).optional(),
  ask: text(45),
  common: z
    .array(z.tuple([text(256), text(1_024)]))
    .max(25)
    .optional()
    .describe("Questions with their answers, shown before a customer writes"),
});

const tickets = z.strictObject({
  panel: z.strictObject({ title: text(256), text: text() }),
  topics: z
    .record(word, topic)
    .refine((topics) => Object.keys(topics).length >= 1 && Object.keys(topics).length <= 5, {
      error: "must have one to five topics",
    })
    .describe("The last is for anything"),
  hours: z
    .strictObject({
      timezone: z.string().refine(isTimeZone, { error: "must be a time zone such as Europe/Berlin" }),
      from: z.int().min(0).max(23),
      to: z.int().min(1).max(48),
      days: z.array(z.int().min(1).max(7)).min(1).max(7),
    })
    .describe("When support answers; Monday is 1, Sunday 7"),
  tags: z
    .record(word, text(1_800))
    .describe("Canned answers; the bot fills in {member}, {ticket} and {product}"),
});
export type Tickets = z.infer<typeof tickets>;

/** What a brand.json may hold. Fields that it doesn't name are mistakes. */
export const brandSchema = z.strictObject({
  $schema: z.string().optional(),
  product: text(60),
  shortName: text(40),
  tagline: text().optional(),
  keyPrefix: z
    .string()
    .regex(/^[A-Z0-9]{2,10}$/, { error: "must be 2 to 10 capital letters and digits, such as ACME" })
    .describe("First group of every license key; keys that were sold keep theirs"),
  supportEmail: z.email({ error: "must be an email address" }),
  offer: offer.describe("What the shop sells first; owners change it at the desk"),
  level: z
    .strictObject({ type: word, name: text(100) })
    .optional()
    .describe("What a license grants; else it is named as the offer"),
  featureLabels: z
    .record(z.string().max(32), text(40))
    .optional()
    .describe("What people read for a level's feature, by its slug"),
  color: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, { error: "must be a color such as #7f74e2" })
    .optional(),
  links: z.strictObject({ community: https, documentation: https, video: https }).partial().optional(),
  copyright: z.strictObject({ landing: year(), commands: year() }).partial().optional(),
  landing: landing.optional(),
  heroPicture: pictureName.optional().describe("One of the gallery's pictures"),
  gallery: z.array(z.strictObject({ picture: pictureName, caption: text(), alt: text() })).optional(),
  features: features.optional(),
  reasons: reasons.optional(),
  cards: z
    .array(z.union([sold, free]))
    .max(3)
    .refine((cards) => cards.filter(({ action }) => action.kind === "purchase").length === 1, {
      error: "must have one card that sells, whose action is a purchase",
    })
    .optional()
    .describe("Without cards the first offer is one"),
  questions: z.strictObject({ ...titled, answers: z.array(z.tuple([text(), text()])).min(1) }).optional(),
  token: z
    .strictObject({ step: text(), how: text() })
    .optional()
    .describe("How an account's token gets into the application, if it does"),
  tickets: tickets.partial().optional(),
  commands: z
    .strictObject({
      lead: text().optional(),
      credit: text().optional(),
      groups: z.record(text(60), z.record(text(60), text())).describe("Group, name, description"),
    })
    .optional(),
});

/** The whole of a brand.json. */
export type BrandData = z.infer<typeof brandSchema>;

function year() {
  return z.int().min(1970).max(9999);
}

function isTimeZone(name: string): boolean {
  try {
    Temporal.Now.zonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
}

import { z } from "zod";

const text = (most = 2_000) => z.string().trim().min(1).max(most);
const price = "`{price}` stands for the price of the first offer.";
const titled = { title: text(), lead: text() };
const https = z.url({ protocol: /^https$/, error: "must be an https:// address" });
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
  days: z.int().min(1).max(36_500).nullable().describe("How long it lasts from redemption; null is for ever"),
});

const landing = z.strictObject({
  description: text().describe(`What search engines show. ${price}`),
  hero: z.strictObject({
    lead: text(),
    action: text(),
    commands: text(),
    price: text().describe(price),
    from: text().describe("For several offers; `{price}` stands for the lowest price"),
    facts: z.array(text()),
  }),
  features: z.strictObject(titled),
  why: z.strictObject(titled).optional(),
  gallery: z.strictObject({ ...titled, video: text() }),
  get: z.strictObject({ ...titled, send: text(), onComputer: text() }),
});

const features = z.strictObject({
  control: z.strictObject({
    title: text(),
    text: text(),
    points: z.array(text()),
    sample: z
      .strictObject({ channel: text(), typed: text(), author: text(), answer: text(), took: text() })
      .optional()
      .describe("A conversation that shows the product at work"),
  }),
  competitive: z.strictObject({
    title: text(),
    text: text(),
    columns: z.array(text()).min(1),
    rows: z.array(z.tuple([text()]).rest(fact)),
  }),
});

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

const card = z.strictObject({
  name: text(),
  price: text().optional().describe("Only where it isn't the shop that sells it"),
  summary: text(),
  facts: z.array(text()),
  action: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("purchase"), label: text() }),
    z.strictObject({ kind: z.literal("download"), label: text(), href: text() }),
  ]),
});

const topic = z.strictObject({
  name: text(80),
  emoji: text(40),
  ask: text(45),
  common: z
    .array(z.tuple([text(256), text(1_024)]))
    .max(25)
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

/** What a brand.json may hold. Fields that it doesn't name are mistakes. */
export const brandSchema = z.strictObject({
  $schema: z.string().optional(),
  product: text(60),
  shortName: text(40),
  tagline: text(),
  keyPrefix: z
    .string()
    .regex(/^[A-Z0-9]{2,10}$/, { error: "must be 2 to 10 capital letters and digits, such as WISP" })
    .describe("First group of every license key; keys that were sold keep theirs"),
  supportEmail: z.email({ error: "must be an email address" }),
  offer: offer.describe("What the shop sells first; owners change it at the desk"),
  level: z.strictObject({ type: word, name: text(100) }).describe("What a license grants"),
  color: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, { error: "must be a color such as #7f74e2" })
    .optional(),
  links: z.strictObject({ community: https, documentation: https.optional(), video: https.optional() }),
  copyright: z.strictObject({ landing: year(), commands: year() }),
  landing,
  heroPicture: pictureName.describe("One of the gallery's pictures"),
  gallery: z.array(z.strictObject({ picture: pictureName, caption: text(), alt: text() })).min(1),
  features,
  reasons,
  cards: z.array(card).min(1).max(3),
  questions: z.strictObject({ ...titled, answers: z.array(z.tuple([text(), text()])) }),
  token: z.strictObject({ step: text(), how: text() }),
  tickets,
  commands: z.strictObject({
    lead: text(),
    credit: text(),
    groups: z.record(text(60), z.record(text(60), text())).describe("Group, name, description"),
  }),
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

import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { brand } from "@/brand/brand";
import { emailSamples } from "@/demo/email-samples";
import { emails } from "@/domain/emails";
import type { Email } from "@/domain/mail/email";
import { writePaymentRestored } from "@/domain/payments/emails/payment";
import { dark, light, type Palette } from "@/gateways/mail/palette";
import { render } from "@/gateways/mail/render";
import { colourOf, contrast } from "../support/checks/contrast";

const root = join(import.meta.dir, "../..");
const files = [...new Bun.Glob("src/domain/*/emails/*.ts").scanSync(root)];
const samples = Object.entries(emailSamples);

const paid = {
  productName: "Wisp Premium",
  level: "Wisp Premium",
  hasLevels: false,
  quantity: 1,
  transactionId: "pi_1",
  paymentUrl: "https://shop.example/success",
  bill: {
    currency: "usd",
    asked: 500,
    off: 0,
    tax: 0,
    tax_included: 0,
    credit: 0,
    outside: 0,
    paid: 500,
    refunded: 0,
  },
};

const featuresOf = (email: Email) => [
  ...email.blocks.map((block) => `${block.kind} ${Object.keys(block).toSorted().join(" ")}`),
  ...Object.keys(email),
];
const seen = new Set<string>();
/** Each sample with a feature that none before it has; of the others, the HTML differs only in words. */
const drawn = samples.filter(([, email]) => {
  const isNew = featuresOf(email).some((feature) => !seen.has(feature));
  for (const feature of featuresOf(email)) seen.add(feature);
  return isNew;
});

test.each(samples)("the email %s reads as it should", (_, email) => {
  const { subject, text } = render(email);
  expect({ subject, text }).toMatchSnapshot();
});

test.each(drawn)("the HTML of the email %s is as it should be", (_, email) => {
  expect(bodyOf(render(email).html)).toMatchSnapshot();
});

test("an email to a customer calls itself an email", () => {
  for (const [, email] of samples.filter(([, { toOwner }]) => !toOwner)) {
    expect(render(email).text).not.toMatch(/\bletters?\b/i);
  }
});

test("emails of a shop without Discord name neither its server nor a role", () => {
  for (const [, email] of samples) {
    const { html, text } = render(email, { hasDiscord: false });
    for (const part of [html, text]) expect(part).not.toContain(brand.links.community);
  }
  const without = writePaymentRestored({ ...paid, hasRole: false, because: "dispute-won" });
  expect(render(without).text).toContain("The license and downloads work as before.");
});

test("every email has the same head", () => {
  const heads = samples.map(([, email]) => render(email).html.split("</head>")[0] ?? "");
  expect(new Set(heads.map((head) => head.replace(/<title>.*?<\/title>/, "")))).toHaveLength(1);
  expect(heads[0]).toMatchSnapshot();
});

test("every email that is declared is one that the shop sends", async () => {
  const modules = await Promise.all(files.map((file): Promise<object> => import(join(root, file))));
  const declared = modules.flatMap((all): unknown[] => Object.values(all).filter(isTemplate));
  expect(new Set(declared)).toEqual(new Set(emails));
  expect(new Set(emails.map(({ name }) => name)).size).toBe(emails.length);
});

test("every email that is declared has a sample", async () => {
  const sources = await Promise.all(files.map((file) => readFile(join(root, file), "utf8")));
  const kinds = sources.flatMap((source) =>
    [...source.matchAll(/^ +kind: "([\w-]+)",$/gm)].map(([, kind = ""]) => kind),
  );
  expect(kinds.length).toBeGreaterThanOrEqual(files.length);
  expect(new Set(samples.map(([, { kind }]) => kind))).toEqual(new Set(kinds));
});

test.each(samples)("every link of the email %s is also in its text", (_, email) => {
  const { html, text } = render(email);
  const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, url = ""]) => decoded(url));
  if (!email.toOwner) expect(links.length).toBeGreaterThan(0);
  for (const url of links) expect(text).toContain(url.replace(/^mailto:/, ""));
});

test.each(samples.filter(([, { kind }]) => kind !== "announcement"))(
  "each key, code and link of the email %s is alone on its line of the text",
  (_, email) => {
    const lines = render(email).text.split("\n");
    for (const line of lines) {
      if (/https?:|WISP(-[0-9A-Z]{4}){4}|support@/.test(line)) expect(line.trim()).toMatch(/^\S+$/);
    }
    for (const code of codesOf(email)) expect(lines).toContain(`    ${code}`);
  },
);

test.each(samples)("the text of the email %s has the words of its HTML, in its order", (_, email) => {
  const { html, text } = render(email);
  const places = [
    ...email.blocks.flatMap((block) => ("text" in block ? block.text.split("\n").filter(Boolean) : [])),
    ...codesOf(email),
  ].map((words) => ({ inHtml: html.lastIndexOf(Bun.escapeHTML(words)), inText: text.lastIndexOf(words) }));
  for (const place of places) expect(Math.min(place.inHtml, place.inText)).toBeGreaterThanOrEqual(0);
  for (const block of email.blocks)
    if (block.kind === "facts")
      for (const [name, value] of block.facts) {
        expect(html).toContain(Bun.escapeHTML(value));
        expect(text).toContain(`${name}: ${value}`);
      }
  const order = (by: "inHtml" | "inText") => places.toSorted((one, other) => one[by] - other[by]);
  expect(order("inText")).toEqual(order("inHtml"));
  expect(text.indexOf(email.why)).toBeGreaterThan(Math.max(0, ...places.map(({ inText }) => inText)));
});

test.each(samples)("the email %s has one heading, one button at most and says why it came", (_, email) => {
  const { html, text } = render(email);
  expect(html.match(/<h1/g)).toHaveLength(1);
  expect(html.match(/class="button"/g)?.length ?? 0).toBeLessThanOrEqual(1);
  for (const part of [decoded(html), text]) expect(part).toContain(email.why);
});

test.each(samples)(
  "the email %s runs nothing, loads only the mark within it, and has no key in a URL",
  (_, email) => {
    const { html, text } = render(email);
    expect(html).not.toMatch(/<(script|link|iframe|form)|url\(|@import/i);
    expect([...html.matchAll(/src="([^"]*)"/g)].map(([, source]) => source)).toEqual(["cid:mark@email"]);
    for (const [url] of `${html} ${text}`.matchAll(/https?:[^\s"<>]+/g)) expect(url).not.toContain("WISP-");
  },
);

test.each(samples)("the email %s shows markup as text", (_, email) => {
  const nasty = JSON.parse(
    JSON.stringify(email, (name, value: unknown) =>
      typeof value === "string" && name !== "kind" ? `${value}<script>alert(1)</script>"'&` : value,
    ),
  ) as Email;
  const { html } = render(nasty);
  expect(html).toContain("&lt;script&gt;");
  expect(html).not.toContain("<script");
});

test.each(samples)("the preheader of the email %s is a fact, without a key or a code", (_, email) => {
  expect(email.preheader).not.toBe("");
  expect(email.preheader).not.toMatch(/inside|WISP-/);
  for (const code of codesOf(email)) expect(email.preheader).not.toContain(code);
  // what follows in the HTML must not follow in the list of emails
  const hidden = /<div style="display:none[^"]*">([^<]*)<\/div>/.exec(render(email).html)?.[1] ?? "";
  expect(hidden.replace(decoded(email.preheader), "").match(/[\u034F\u200C\u00A0]/g)?.length).toBeGreaterThan(
    150,
  );
});

test.each([
  ["light", light],
  ["dark", dark],
] as const)("text has at least 4.5:1 on every ground in the %s colors", (_, colors) => {
  for (const [text, ground] of pairs) {
    const ratio = contrast(colourOf(colors[text]), colourOf(colors[ground]));
    expect({ text, ground, isEnough: ratio >= 4.5, ratio }).toMatchObject({ isEnough: true });
  }
});

const pairs: [text: keyof Palette, ground: keyof Palette][] = [
  ["ink", "page"],
  ["ink", "card"],
  ["ink", "panel"],
  ["quiet", "page"],
  ["quiet", "card"],
  ["quiet", "panel"],
  ["link", "page"],
  ["link", "card"],
  ["onAccent", "accent"],
];

const codesOf = ({ blocks }: Email): string[] =>
  blocks.flatMap((block) => (block.kind === "codes" ? block.codes : []));

/** The HTML after the head, without the characters that pad the preheader. */
const bodyOf = (html: string) => (html.split("</head>")[1] ?? "").replace(/[\u034F\u200C\u00A0]{9,}/, "…");

const decoded = (html: string) =>
  html.replaceAll("&#x27;", "'").replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&amp;", "&");

const isTemplate = (value: unknown) => typeof value === "object" && value !== null && "prepare" in value;

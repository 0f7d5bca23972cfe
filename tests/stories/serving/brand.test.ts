import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { colorsFrom, inColors } from "@/brand/drawn/colors";
import { redrawn } from "@/brand/drawn/logo";
import { privacy, refunds, terms, texts } from "@/brand/legal";
import type { BrandData, Tickets } from "@/brand/schema";
import { pages } from "@/web/pages";
import { root, runProcess } from "../../support/operator/run-process";
import { type Answered, pagesOfBrand } from "../../support/shop/pages-of-brand";

const own = join(import.meta.dir, "../../../src/brand/sample");
const sample = (await Bun.file(join(own, "brand.json")).json()) as Whole;
const legal = { terms, privacy, refunds };
/** Screen names, which no brand changes. */
const screenNames = ["Terms of Service", "Privacy Policy", "Refunds Policy"];

/** The sample has every part that a brand may have. */
type Whole = Required<BrandData> & { tickets: Tickets };

let folder: string;
let other: Record<string, Answered>;
/** Of a brand with only what is required, in a shop without Discord. */
let bare: Record<string, Answered>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "brand-"));
  const brandDir = await brandOf(reworded({ ...sample, color: "#1f9d55" }), "brand");
  await rm(join(brandDir, "logo.svg"));
  // one picture as an owner gives it, in place of its seven files
  const files = await readdir(join(brandDir, "pictures"));
  for (const file of files.filter((name) => name.startsWith("home-")))
    await rm(join(brandDir, "pictures", file));
  await cp(join(own, "pictures/home-960.jpg"), join(brandDir, "pictures/home.jpg"));
  await Bun.write(join(brandDir, "public/robots-note.txt"), "of the other brand");
  await Bun.write(join(brandDir, "public/drawing.svg"), drawing);
  const bareDir = await brandOf(reworded(onlyRequired()), "bare");
  await rm(join(bareDir, "logo.svg"));
  await rm(join(bareDir, "pictures"), { recursive: true });
  const refunds = `${await Bun.file(join(bareDir, "refunds.md")).text()}\n## New\n\nOf another day.\n`;
  [other, bare] = await Promise.all([
    pagesOfBrand(brandDir, join(folder, "cache")),
    pagesOfBrand(bareDir, join(folder, "bare-cache"), { without: "discord", refunds }),
  ]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const drawing = `<svg viewBox="0 0 9 9" xmlns:html="http://www.w3.org/1999/xhtml"><html:script>alert(1)</html:script><path fill="#123456" d="M0 0h9v9z"/></svg>`;

/** A folder with this brand and the sample's pictures, whose names no reader sees. */
async function brandOf(data: unknown, name: string): Promise<string> {
  const brandDir = join(folder, name);
  await cp(join(own, "pictures"), join(brandDir, "pictures"), { recursive: true });
  await cp(join(own, "logo.svg"), join(brandDir, "logo.svg"));
  await Bun.write(join(brandDir, "brand.json"), JSON.stringify(data));
  for (const [file, text] of Object.entries(texts))
    await Bun.write(join(brandDir, `${file}.md`), rewordedMarkdown(text));
  return brandDir;
}

test("a shop with another brand never mentions the first, on any page or in any script", () => {
  const texts = Object.entries(other).filter(([, { text }]) => text !== "");
  expect(texts.length).toBeGreaterThan(10);
  const sentences = [...sentencesOf([sample, legal])].filter((sentence) => !screenNames.includes(sentence));
  expect(sentences.length).toBeGreaterThan(300);
  for (const [path, { text }] of texts) {
    expect([path, /wisp/i.exec(text)?.[0]]).toEqual([path, undefined]);
    expect([path, sentences.find((sentence) => text.includes(sentence))]).toEqual([path, undefined]);
  }
});

test("a drawing of a brand is served written anew, without what could run", () => {
  expect(other["/drawing.svg"]?.text).toBe(redrawn(drawing));
  expect(redrawn(drawing)).not.toContain("script");
});

test("a shop with another brand has no logo and no color of the first, on pages, in emails and in Discord", async () => {
  const sheets = ["web/styles/app.css", "web/styles/public.css"].map((path) =>
    readFileSync(join(root, "src", path), "utf8"),
  );
  const turned = colorsFrom("#1f9d55");
  const sheet = inColors(sheets.join(""), turned);
  const colors = [...sheets.join("").matchAll(/#[0-9a-f]{6}/g)].map(([hex]) => hex);
  const gone = [...new Set(colors)].filter((hex) => !sheet.includes(hex));
  expect(gone.length).toBeGreaterThan(30);
  const code = `
    const { emailSamples } = await import("@/demo/email-samples");
    const { render } = await import("@/gateways/mail/render");
    const { newEmbed } = await import("./bot/interactions/components");
    const html = Object.values(emailSamples).map((email) => render(email).html).join("");
    console.log(JSON.stringify({ html, embed: newEmbed().toJSON().color }));`;
  const env = { ...process.env, BRAND: join(folder, "brand") };
  const { out, err } = await runProcess([process.execPath, "-e", code], { env });
  expect(err).toBe("");
  const { html, embed } = JSON.parse(out) as { html: string; embed: number };
  expect(embed).toBe(0x1f9d55);
  expect(html).toContain("#1f9d55");
  for (const [path, text] of [
    ...Object.entries(other).map(([path, { text }]) => [path, text]),
    ["mail", html],
  ]) {
    const left = gone.filter((hex) => text?.includes(hex));
    expect([path, left, text?.includes("M33 3c2.6")]).toEqual([path, [], false]);
  }
  const landing = other["/"]?.text ?? "";
  const seen = [landing.includes("--primary:#1f9d55"), /\/home-large-\w+\.webp 960w/.test(landing)];
  expect(seen).toEqual([true, true]);
});

test("no script holds what reads a brand, or what only staff and the bot say", async () => {
  const { tickets } = JSON.parse(await Bun.file(join(folder, "brand/brand.json")).text()) as Whole;
  const scripts = Object.entries(other).filter(([path]) => path.endsWith(".js"));
  expect(scripts.length).toBeGreaterThan(10);
  for (const [path, { text }] of scripts)
    for (const secret of [...Object.values(tickets.tags), "perhaps it is mistyped", "time zone such as"])
      expect([path, secret, text.includes(secret)]).toEqual([path, secret, false]);
});

test("the other brand's texts replace the first one's", () => {
  expect(other["/"]?.text).toContain("zephyr-");
  expect(other["/commands"]?.text.match(/<h2/g)?.length).toBe(14);
});

test("files of the other brand's own public folder are served as well", () => {
  expect(other["/robots-note.txt"]?.text).toBe("of the other brand");
});

describe("a brand with only what is required, in a shop without Discord", () => {
  /** A page's markup, without its scripts and styles. */
  const markup = (path: string) =>
    bare[path]?.text.replaceAll(/<(script|style)\b.*?<\/\1>|<html[^>]*>/gs, "") ?? "";

  test("has no commands page, and nothing that leads there", () => {
    expect(other["/"]?.text).toContain('href="/commands"');
    expect(bare["/commands"]?.status).toBe(404);
    expect(bare["/sitemap.xml"]?.text).not.toContain("commands");
    for (const path of [...Object.keys(pages).filter((one) => one !== "/commands"), "/no-such-page"])
      expect([path, markup(path) === "", markup(path).includes('"/commands')]).toEqual([path, false, false]);
  });

  test("has no token in the receipt", async () => {
    const code = `
      const { emailSamples } = await import("@/demo/email-samples");
      const { render } = await import("@/gateways/mail/render");
      console.log(render(emailSamples.receipt).text);`;
    const env = { ...process.env, BRAND: join(folder, "bare") };
    const { out } = await runProcess([process.execPath, "-e", code], { env });
    expect(out).toMatch(/Register with it, then download \S+\.\n/);
  });

  test("has no Discord on any page, and help at its address", () => {
    expect(other["/"]?.text).toContain('href="/discord"');
    const theReturn = "/dashboard/discord-callback";
    for (const path of Object.keys(pages).filter((one) => one !== theReturn))
      expect([path, /discord/i.exec(markup(path))?.[0]]).toEqual([path, undefined]);
    expect(bare["/discord"]?.status).toBe(404);
    expect(bare["/support"]?.location).toMatch(/^mailto:zephyr-\d+@/);
  });

  test("has no section, drawing, picture, card, question or link of what it does not give", () => {
    const drawn = (html = "") => html.match(/data-lit=""/g)?.length;
    expect(drawn(other["/"]?.text)).toBe(8);
    expect(drawn(markup("/"))).toBeUndefined();
    for (const named of ["#features", "#why-us", "#gallery", 'id="questions"', "<picture", "https://zephyr"])
      expect([named, markup("/").includes(named)]).toEqual([named, false]);
    expect(other["/"]?.text).toContain("FAQPage");
    expect(bare["/"]?.text).not.toContain("FAQPage");
    expect(other["/"]?.text).toContain("/api/download/");
    expect(markup("/")).not.toContain("/api/download/");
  });

  test("still sells: its offer alone is a card", () => {
    expect(markup("/").match(/best-card/g)).toHaveLength(1);
    expect(markup("/")).toMatch(/Buy zephyr-\d+/);
    expect(markup("/")).toContain("$5");
  });

  test("is named once in the title of its first page, and has the year in its footer", () => {
    expect(bare["/"]?.text).toMatch(/<title>zephyr-\d+<\/title>/);
    expect(other["/"]?.text).toMatch(/<title>zephyr-\d+ · zephyr-\d+<\/title>/);
    expect(markup("/").replaceAll("<!-- -->", "")).toContain(`Copyright © ${new Date().getFullYear()} `);
  });

  test("shows nowhere that something is missing", () => {
    for (const path of Object.keys(pages).filter((one) => one !== "/commands"))
      expect([path, /undefined|null|\{price\}|NaN/.exec(markup(path))?.[0]]).toEqual([path, undefined]);
  });

  test("shows the legal texts under which its process sells, also if their files have changed since", () => {
    expect(markup("/refund-policy")).toMatch(/zephyr-\d+/);
    expect(bare["/refund-policy"]?.text).not.toContain("Of another day.");
  });

  test("shows the term of what it sells", () => {
    expect(other["/login"]?.text).toMatch(/zephyr-\d+, lifetime/);
    for (const path of ["/", "/login"]) expect(markup(path)).not.toMatch(/lifetime/i);
  });
});

function onlyRequired() {
  const { product, shortName, keyPrefix, supportEmail, offer } = sample;
  return { product, shortName, keyPrefix, supportEmail, offer: { ...offer, days: 30 } };
}

let words = 0;
/** Each text is a new word, because some things are identified by their text. */
function word() {
  words += 1;
  return `zephyr-${words}`;
}

/** What the code reads. */
const kept = [
  "$schema",
  "id",
  "type",
  "kind",
  "href",
  "price",
  "color",
  "timezone",
  "picture",
  "heroPicture",
];

/** The same data with every text replaced, except what the code reads, and the commands under other names. */
function reworded(value: unknown, key = ""): unknown {
  if (typeof value === "string") {
    if (key === "keyPrefix") return "ZEPH";
    if (key === "supportEmail") return `${word()}@zephyr.example`;
    if (kept.includes(key) && !value.includes("{price}")) return value;
    return value.startsWith("https://") ? `https://${word()}.example/` : word();
  }
  if (Array.isArray(value)) return value.map((item) => reworded(item));
  if (typeof value !== "object" || value === null) return value;
  const renamed = Object.values(sample.commands.groups).includes(value as Record<string, string>);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) =>
      renamed ? [word(), word()] : [name, reworded(inner, name)],
    ),
  );
}

/** Each line of text is a new word; marks of headings, lists and emphasis stay. */
const rewordedMarkdown = (text: string) => text.replace(/(?<=^(?:#+ |- |_)?)[^#\s_-].*?(?=_?$)/gm, word);

/** Every text of the first brand that is long enough to be distinctive: a short word may be anybody's. */
function* sentencesOf(value: unknown): Generator<string> {
  if (typeof value === "string" && !value.startsWith("/"))
    yield* value.split("{price}").filter((part) => part.length >= 14);
  if (typeof value === "object" && value !== null)
    for (const inner of Object.values(value)) yield* sentencesOf(inner);
}

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSite, type Site } from "@/serving/site";
import { pages } from "@/web/pages";

const own = join(import.meta.dir, "../../../src/brand");
/** The brand's files that contain text, with what each exports. */
const all = {
  brand: await import("@/brand/brand"),
  landing: await import("@/brand/landing"),
  features: await import("@/brand/features"),
  reasons: await import("@/brand/reasons"),
  questions: await import("@/brand/questions"),
  products: await import("@/brand/products"),
  commands: await import("@/brand/commands"),
  token: await import("@/brand/token"),
  "legal/terms": await import("@/brand/legal/terms"),
  "legal/privacy": await import("@/brand/legal/privacy"),
  "legal/refunds": await import("@/brand/legal/refunds"),
};
const files: Record<string, Record<string, unknown>> = all;
/** Screen names, which no brand changes. */
const screenNames = ["Terms of Service", "Privacy Policy", "Refunds Policy"];
const pictures = ["home", "commands", "custom", "guard", "appearance"];

let folder: string;
let site: Site;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "brand-"));
  const brandDir = join(folder, "brand");
  await cp(own, brandDir, { recursive: true });
  for (const [name, exported] of Object.entries(files)) {
    await Bun.write(join(brandDir, `${name}.ts`), sourceOf(reworded(exported)));
  }
  // Pictures keep their files, but not their captions.
  for (const name of pictures) {
    const file = Bun.file(join(brandDir, `pictures/${name}.ts`));
    const source = await file.text();
    await Bun.write(
      file,
      source.replace(/(?<=(?:alt|caption):\s*)"[^"]*"/g, () => JSON.stringify(word())),
    );
  }
  await Bun.write(join(brandDir, "public/robots-note.txt"), "of the other brand");
  site = await createSite({
    publicUrl: new URL("http://shop.test"),
    cacheDir: join(folder, "cache"),
    brandDir,
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("a shop with another brand never mentions the first, on any page or in any script", async () => {
  const texts = await allTexts();
  expect(texts.length).toBeGreaterThan(10);
  const sentences = [...sentencesOf(files)].filter((sentence) => !screenNames.includes(sentence));
  expect(sentences.length).toBeGreaterThan(300);
  for (const [path, text] of texts) {
    expect([path, /wisp/i.exec(text)?.[0]]).toEqual([path, undefined]);
    expect([path, sentences.find((sentence) => text.includes(sentence))]).toEqual([path, undefined]);
  }
});

test("the other brand's texts replace the first one's", async () => {
  const { text } = await page("/");
  expect(text).toContain("zephyr-");
  expect((await page("/commands")).text.match(/<h2/g)?.length).toBe(14);
});

test("files of the other brand's own public folder are served as well", async () => {
  expect((await page("/robots-note.txt")).text).toBe("of the other brand");
});

describe("a brand without commands, drawings and links, in a shop without Discord", () => {
  let bare: Site;
  beforeAll(async () => {
    const brandDir = join(folder, "bare");
    await cp(join(folder, "brand"), brandDir, { recursive: true });
    for (const [name, exported] of Object.entries(withoutExtras()))
      await Bun.write(join(brandDir, `${name}.ts`), sourceOf(reworded(exported)));
    bare = await createSite({
      publicUrl: new URL("http://shop.test"),
      cacheDir: join(folder, "cache"),
      brandDir,
      without: ["discord"],
    });
  });
  const get = (path: string) => bare(new Request(`http://shop.test${path}`));
  /** A page's markup, without its scripts and styles. */
  const markup = async (path: string) =>
    (await get(path).text()).replaceAll(/<(script|style)\b.*?<\/\1>|<html[^>]*>/gs, "");

  test("has no commands page, and nothing that leads there", async () => {
    expect((await page("/")).text).toContain('href="/commands"');
    expect(get("/commands").status).toBe(404);
    expect(await get("/sitemap.xml").text()).not.toContain("commands");
    for (const path of [...Object.keys(pages), "/no-such-page"])
      expect([path, (await markup(path)).includes('"/commands')]).toEqual([path, false]);
  });

  test("has no Discord on any page, and help at its address", async () => {
    expect((await page("/")).text).toContain('href="/discord"');
    const theReturn = "/dashboard/discord-callback";
    for (const path of Object.keys(pages).filter((one) => one !== theReturn))
      expect([path, /discord/i.exec(await markup(path))?.[0]]).toEqual([path, undefined]);
    expect(get("/discord").status).toBe(404);
    expect(get("/support").headers.get("location")).toMatch(/^mailto:zephyr-\d+$/);
  });

  test("has no section, drawing or link of what it does not give", async () => {
    const drawn = (html: string) => html.match(/data-lit=""/g)?.length;
    expect(drawn((await page("/")).text)).toBe(8);
    const landing = await markup("/");
    // the table of editions
    expect(drawn(landing)).toBe(1);
    expect(landing).not.toMatch(/why-us|<pre|\/api\/download|https:\/\/zephyr/);
  });

  test("shows the term of what it sells", async () => {
    expect((await page("/login")).text).toMatch(/zephyr-\d+, lifetime/);
    for (const path of ["/", "/login"]) expect(await markup(path)).not.toMatch(/lifetime/i);
  });
});

/** The first brand with only what every brand needs. */
function withoutExtras() {
  const { brand } = all.brand;
  const { why: _, ...landing }: Record<string, unknown> = all.landing.landing;
  const { sample: __, ...control }: Record<string, unknown> = all.features.features.control;
  return {
    brand: {
      brand: {
        ...brand,
        offer: { ...brand.offer, days: 30 },
        links: { community: brand.links.community },
      },
    },
    commands: { ...all.commands, commands: {} },
    landing: { landing },
    features: { features: { ...all.features.features, control } },
    reasons: { reasons: {} },
    products: { products: all.products.products.filter((product) => !("price" in product)) },
  };
}

let words = 0;
/** Each text is a new word, because some things are identified by their text. */
function word() {
  words += 1;
  return `zephyr-${words}`;
}

/** The same data with every text replaced, except what the code reads (URLs, kinds, switches). */
function reworded(value: unknown, key = ""): unknown {
  if (typeof value === "string") {
    if (key === "keyPrefix") return "ZEPH";
    if (/^(?:\/api\/|usd$|premium$|download$|purchase$)/.test(value)) return value;
    return value.startsWith("https://") ? `https://${word()}.example/` : word();
  }
  if (Array.isArray(value)) return value.map((item) => reworded(item));
  if (typeof value !== "object" || value === null) return value;
  const isGroup =
    key !== "" && Object.values(value).every((inner) => typeof inner === "string") && isCommands(value);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [isGroup ? word() : name, reworded(inner, name)]),
  );
}

/** A group in the catalogue: its keys are names that visitors read. */
function isCommands(value: object) {
  return Object.values(files.commands ?? {}).some((all) => Object.values(all as object).includes(value));
}

function sourceOf(exported: unknown): string {
  return Object.entries(exported as object)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)} as const;\n`)
    .join("");
}

/** Every text of the first brand that is long enough to be distinctive: a short word may be anybody's. */
function* sentencesOf(value: unknown): Generator<string> {
  if (typeof value === "string" && value.length >= 14 && !value.startsWith("/")) yield value;
  if (typeof value === "object" && value !== null)
    for (const inner of Object.values(value)) yield* sentencesOf(inner);
}

/** All pages, and all text that they load. */
async function allTexts() {
  const texts = new Map<string, string>();
  const queue = [
    ...Object.keys(pages),
    "/no-such-page",
    "/manifest.webmanifest",
    "/favicon.svg",
    "/sitemap.xml",
  ];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (texts.has(path)) continue;
    const { text, type } = await page(path);
    if (!/text|javascript|json|xml|svg/.test(type)) continue;
    texts.set(path, text);
    const linked = [...text.matchAll(/["'`](?:\.\/|\/assets\/)([\w.-]+\.(?:js|css))["'`]/g)];
    queue.push(...linked.map(([, name = ""]) => `/assets/${name}`));
  }
  return [...texts];
}

async function page(path: string) {
  const answer = site(new Request(`http://shop.test${path}`));
  return { text: await answer.text(), type: answer.headers.get("content-type") ?? "" };
}

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { BrandError } from "@/brand/brand-error";
import { jsonMistake } from "@/brand/json-mistake";
import { mustBePlain } from "@/brand/plain";
import { publicFiles } from "@/brand/public";
import { brandMistakes, readBrand } from "@/brand/read";
import { brandFolder } from "@/brand/the-brand";
import { root, runProcess } from "../support/operator/run-process";
import { schemaFile, schemaText } from "../support/brand-schema";

const sample = join(root, "src/brand/sample");
const sampleText = await Bun.file(join(sample, "brand.json")).text();
let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), "brand-"))));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A folder with the sample's logo and this brand.json. */
async function brandIn(name: string, text: string): Promise<string> {
  const brandDir = join(folder, name);
  await Bun.write(join(brandDir, "brand.json"), text);
  await cp(join(sample, "logo.svg"), join(brandDir, "logo.svg"));
  return brandDir;
}

// oxlint-disable-next-line typescript/no-explicit-any -- whatever a mistake may make of a brand
type Data = Record<string, any>;
/** What is wrong with the sample after this change of it, without the file's name. */
async function faultsAfter(change: (data: Data) => void): Promise<string[]> {
  const data = JSON.parse(sampleText) as Data;
  change(data);
  const brandDir = await brandIn("changed", JSON.stringify(data));
  return brandMistakes(brandDir).map(({ message }) =>
    message.replace(join(brandDir, "brand.json"), "brand.json"),
  );
}

describe("a brand is read", () => {
  test("without a mistake in the sample", () => {
    expect(brandMistakes(sample)).toEqual([]);
    expect(readBrand(sample)).toMatchObject({
      product: "Wisp Selfbot",
      folder: sample,
      logo: { viewBox: "0 0 64 64", isOneColor: true },
    });
  });

  test("from the folder that BRAND names, else from DATA_DIR/brand, else from the sample", async () => {
    expect(brandFolder({ DATA_DIR: folder })).toBe(sample);
    expect(brandFolder({ DATA_DIR: join(folder, "none"), BRAND: "" })).toBe(sample);
    await Bun.write(join(folder, "data/brand/brand.json"), "{}");
    expect(brandFolder({ DATA_DIR: join(folder, "data") })).toBe(join(folder, "data/brand"));
    expect(brandFolder({ DATA_DIR: join(folder, "data"), BRAND: "/other" })).toBe("/other");
    // as `docker run --env-file` passes them
    expect(brandFolder({ DATA_DIR: `"${join(folder, "data")}"`, BRAND: "''" })).toBe(
      join(folder, "data/brand"),
    );
    expect(brandFolder({ BRAND: "'/other'" })).toBe("/other");
  });

  test("also with a mark of its byte order in front, as some editors write it", async () => {
    expect(brandMistakes(await brandIn("marked", `\uFEFF${sampleText}`))).toEqual([]);
  });
});

describe("a mistake in a brand", () => {
  test.each<[string, (data: Data) => void, string[]]>([
    ["a missing field", (data) => delete data["product"], ["product is missing"]],
    ["a field within", (data) => delete data["offer"].name, ["offer.name is missing"]],
    ["another kind", (data) => (data["tagline"] = 5), ['tagline must be a text in "quotes"']],
    [
      "an empty text",
      (data) => (data["links"].community = ""),
      ["links.community must be an https:// address"],
    ],
    [
      "a feature's label of more than 40 characters",
      (data) => (data["featureLabels"] = { export: "x".repeat(40), api: "x".repeat(41) }),
      ["featureLabels.api is too long: it may have 40 characters"],
    ],
    ["nothing written", (data) => (data["shortName"] = " "), ["shortName must not be empty"]],
    [
      "an item",
      (data) => (data["features"].control.points[1] = null),
      ['features.control.points[1] must be a text in "quotes"'],
    ],
    [
      "a price as a number",
      (data) => (data["offer"].price = 29.0),
      ['offer.price must be a text in "quotes"'],
    ],
    [
      "another price",
      (data) => (data["offer"].price = "$29"),
      ['offer.price must be an amount of the shop\'s currency, such as "29.00"'],
    ],
    ["a color", (data) => (data["color"] = "purple"), ["color must be a color such as #7f74e2"]],
    [
      "a color that no text can be read on",
      (data) => (data["color"] = "#777777"),
      [
        "color must leave a button's text readable, with a contrast of 4.5:1, but black has 4.42:1 on it and white 4.47:1. Take #757575, or a lighter one",
      ],
    ],
    [
      "a time zone",
      (data) => (data["tickets"].hours.timezone = "Mars"),
      ["tickets.hours.timezone must be a time zone such as Europe/Berlin"],
    ],
    [
      "six topics",
      (data) =>
        Object.assign(data["tickets"].topics, {
          a: data["tickets"].topics.other,
          b: data["tickets"].topics.other,
        }),
      ["tickets.topics must have one to five topics"],
    ],
    [
      "a picture that isn't there",
      (data) => (data["heroPicture"] = "none"),
      ["heroPicture must be one of the gallery's pictures"],
    ],
    ["a control character", (data) => (data["tagline"] = 'x"\u00000'), [`tagline ${mustBePlain}`]],
    [
      "a place of a built page",
      (data) => (data["questions"].answers[0][1] = "only %price-9%!"),
      [`questions.answers[0][1] ${mustBePlain}`],
    ],
    [
      "one in a link",
      (data) => (data["links"].community = "https://a.example/%offers-come-here%"),
      [`links.community ${mustBePlain}`],
    ],
    [
      "two",
      (data) => Object.assign(data, { supportEmail: "nobody", slogan: "x" }),
      ["supportEmail must be an email address", "slogan is no field of a brand; perhaps it is mistyped"],
    ],
    [
      "a mistyped field within",
      (data) => (data["landing"].hero.leed = "x"),
      ["landing.hero.leed is no field of a brand; perhaps it is mistyped"],
    ],
  ])("is told with its place: %s", async (_, change, sentences) => {
    expect(await faultsAfter(change)).toEqual(sentences.map((sentence) => `In brand.json, ${sentence}.`));
  });

  test.each([
    "BRUSH-WORK",
    "BRUSH WORK",
    "BRUSH_WORK",
    "",
    " WISP",
    "WISP-",
    "–",
    "GRÜN",
    "STRAẞE",
    "ＷＩＳＰ",
    "A.B",
    "X",
    "wisp",
    "ELEVENCHARS",
  ])("is a prefix that keys could not be read with: %p", async (prefix) => {
    expect(await faultsAfter((data) => (data["keyPrefix"] = prefix))).toEqual([
      "In brand.json, keyPrefix must be 2 to 10 capital letters and digits, such as ACME.",
    ]);
  });

  test.each([
    ['{"product": "A",\n  "shortName" "B"}', "line 2, column 15 should have a colon"],
    ['{"product": "A"\n  "shortName": "B"}', "line 2, column 3 should have a comma or the end"],
    ['{"product": "A",\n}', 'line 2, column 1 should have a name in "quotes"'],
    ['{"product": "A\nB"}', "line 1, column 13 should have a text that ends in its line"],
    ['{"product": "A"', "line 1, column 16 should have a comma or the end"],
    ["{} {}", "line 1, column 4 should have nothing more"],
    ["", "line 1, column 1 should have a value"],
  ])("that makes it no JSON is told with line and column: %p", async (text, sentence) => {
    const brandDir = await brandIn("broken", text);
    expect(() => readBrand(brandDir)).toThrow(
      new BrandError(join(brandDir, "brand.json"), ...(sentence.split(/ (?=should)/) as [string, string])),
    );
  });

  test("is found in every text that is no JSON, and in no other", () => {
    const pieces = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"a"',
      '"',
      "1",
      "-",
      "0",
      ".5",
      "e9",
      "true",
      "nul",
      " ",
      "\n",
      "\\",
      "\\u00e9",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          fc.array(pieces).map((all) => all.join("")),
        ),
        (text) => {
          let isJson = true;
          try {
            JSON.parse(text);
          } catch {
            isJson = false;
          }
          expect([text, jsonMistake(text) === null]).toEqual([text, isJson]);
        },
      ),
    );
  });

  test("is a missing file, a logo that can't be read, or bytes that are no text", async () => {
    const nowhere = join(folder, "nowhere");
    expect(() => readBrand(nowhere)).toThrow(`${join(nowhere, "brand.json")} is missing.`);
    const brandDir = await brandIn("logo", sampleText);
    await Bun.write(join(brandDir, "logo.svg"), '<svg viewBox="0 0 9 9">\n<script/></svg>');
    expect(() => readBrand(brandDir)).toThrow(
      /logo\.svg, line 2: <script> isn't allowed\. Use shapes, groups and gradients\.$/,
    );
    const looped = await brandIn("looped", sampleText);
    await symlink("brand.json", join(looped, "looped.json"));
    await rm(join(looped, "brand.json"));
    await symlink("looped.json", join(looped, "brand.json"));
    expect(() => readBrand(looped)).toThrow(`${join(looped, "brand.json")} can't be read.`);
    await Bun.write(join(brandDir, "brand.json"), new Uint8Array([0xff, 0xfe, 0]));
    expect(() => readBrand(brandDir)).toThrow(/brand\.json is not a text in UTF-8\.$/);
  });

  test.each([
    ["login", "isn't served: it must end in .avif, .gif,"],
    ["evil.html", "isn't served"],
    ["sw.js", "isn't served"],
    ["assets/a.png", "has a name that the shop uses itself."],
    ["robots.txt", "has a name that the shop uses itself."],
    ["esc\u001b[31m.txt", "may have letters, digits, dots and dashes in its name only."],
    ["favicon.svg", "can't be served: line 1: <script> isn't allowed. Use shapes, groups and gradients."],
  ])(
    "is a file of public/ that could act for the shop or take a page's place: %j",
    async (name, sentence) => {
      const brandDir = await brandIn("public", sampleText);
      await Bun.write(join(brandDir, "public/pictures/fine.png"), "");
      await Bun.write(join(brandDir, "public/.hidden.js"), "");
      const file = join(brandDir, "public", name);
      await Bun.write(file, "<svg viewBox='0 0 9 9'><script/></svg>");
      const said = brandMistakes(brandDir).map(({ message }) => message);
      await rm(file);
      expect(said).toEqual([expect.stringContaining(`${file.replaceAll("\u001b", " ")} ${sentence}`)]);
      expect(publicFiles(brandDir)).toEqual(["pictures/fine.png"]);
    },
  );

  test("stops the shop, its development server and its commands with one sentence, before anything else", async () => {
    const brandDir = await brandIn("stops", '{"product": ');
    const env = {
      PATH: process.env["PATH"],
      BRAND: brandDir,
      DATA_DIR: join(folder, "stopped"),
      PORT: "wrong",
    };
    const sentence = `In ${join(brandDir, "brand.json")}, line 1, column 13 should have a value.`;
    const json = JSON.stringify({ error: { code: "configuration", sentence } });
    for (const [program, ...args] of [
      ["src/main.ts"],
      ["src/main.ts", "--dev"],
      ["src/main.ts", "brand"],
      ["src/operator/main.ts", "stats"],
      ["src/operator/main.ts", "stats", "--json"],
    ]) {
      const said = args.includes("--json") ? json : sentence;
      expect(await runProcess([process.execPath, program!, ...args], { env })).toEqual({
        out: "",
        err: `${said}\n`,
        code: 1,
      });
    }
  });
});

test("the published schema is the one that the shop reads brands with; `bun run brand-schema` writes it", async () => {
  expect(await Bun.file(schemaFile).text()).toBe(schemaText());
});

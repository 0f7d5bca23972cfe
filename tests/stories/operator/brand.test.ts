import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Brand, readBrand } from "@/brand/read";
import { sampleFolder } from "@/brand/the-brand";
import { brandTar, importBrand, leftOf, makeBrand } from "@/operator/files/brand-folder";
import { operateAlone } from "../../support/operator/run-operator";
import { runProcess } from "../../support/operator/run-process";

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), "brands-"))));
afterAll(() => rm(folder, { recursive: true, force: true }));

const brushwork = {
  product: "Brushwork Studio",
  shortName: "Brushwork",
  keyPrefix: "BRUSH",
  supportEmail: "help@brushwork.example",
  price: "29.00",
  seller: "Brushwork GmbH\nSonnenallee 1, Berlin",
};

/** A new brand in a folder of its own. */
function brandAt(name: string, change: Partial<typeof brushwork> = {}): string {
  const path = join(folder, name, "brand");
  makeBrand(path, { ...brushwork, ...change });
  return path;
}

const text = (path: string) => Bun.file(path).text();
const jsonAt = async (path: string) => JSON.parse(await text(path)) as Record<string, unknown>;

describe("a new brand", () => {
  test("can be started with, and names the sample nowhere", async () => {
    const path = brandAt("new");
    // DATA_DIR
    expect((await stat(join(folder, "new"))).mode & 0o777).toBe(0o700);
    const brand = readBrand(path);
    expect(brand).toMatchObject({ product: "Brushwork Studio", offer: { price: "29.00", days: null } });
    for (const name of await readdir(path))
      expect([name, /wisp/i.exec(await text(join(path, name)))?.[0]]).toEqual([name, undefined]);
  });

  test("has legal texts that name its product and seller, dated once", async () => {
    const path = brandAt("legal");
    const terms = await text(join(path, "terms.md"));
    expect(terms).toContain("Brushwork Studio is made and sold by Brushwork GmbH, Sonnenallee 1, Berlin.");
    expect(terms).toContain(String(new Date().getUTCFullYear()));
    for (const name of ["terms", "privacy", "refunds"])
      expect([name, /\{\w+\}/.exec(await text(join(path, `${name}.md`)))?.[0]]).toEqual([name, undefined]);
  });

  test("is not made over another, nor with a prefix or price that no brand can have", async () => {
    const path = brandAt("once");
    expect(() => makeBrand(path, brushwork)).toThrow(`${path} exists`);
    expect(() => brandAt("dash", { keyPrefix: "BRUSH-WORK" })).toThrow(
      "In brand.json, keyPrefix must be 2 to 10 capital letters and digits",
    );
    expect(() => brandAt("price", { price: "free" })).toThrow("In brand.json, offer.price must be an amount");
    expect(await readdir(join(folder, "dash"))).toEqual([]);
  });
});

describe("what is left to do with a brand", () => {
  const findings = (brand: Brand) => leftOf(brand).findings.join(" ");

  test("is everything while it is the sample", () => {
    expect(findings(readBrand(sampleFolder))).toContain("The brand is the sample");
  });

  test("are legal texts until their first line is deleted, topics until they differ, and a logo", async () => {
    const path = brandAt("left");
    expect(findings(readBrand(path))).toContain("(terms.md, privacy.md, refunds.md)");
    expect(leftOf(readBrand(path)).notes).toEqual([
      "The topics of support are those of the template.",
      "There is no logo.svg.",
    ]);
    for (const name of ["terms", "privacy"]) {
      const file = join(path, `${name}.md`);
      await Bun.write(file, (await text(file)).replace(/^>.*\n/, ""));
    }
    expect(findings(readBrand(path))).toContain("(refunds.md)");
    // without a file the template stands in
    await rm(join(path, "terms.md"));
    expect(findings(readBrand(path))).toContain("(terms.md, refunds.md)");
    const file = join(path, "brand.json");
    const data = await jsonAt(file);
    await Bun.write(
      file,
      JSON.stringify({ ...data, tickets: { topics: { any: { name: "Anything", ask: "What?" } } } }),
    );
    await Bun.write(join(path, "logo.svg"), Bun.file(join(sampleFolder, "logo.svg")));
    expect(leftOf(readBrand(path)).notes).toEqual([]);
  });
});

describe("a brand is carried to another machine", () => {
  test("with every file, also packed by others and with long names", async () => {
    const from = brandAt("from");
    const long = `pictures/${"a-long-name-".repeat(12)}.txt`;
    await Bun.write(join(from, long), "of a picture");
    await Bun.write(join(from, ".hidden"), "of the machine");
    const to = join(folder, "to/brand");
    const schema = await text(join(from, "brand.schema.json"));
    await Bun.write(join(from, "brand.schema.json"), "of an older release");
    await importBrand(to, await brandTar(from));
    expect(await text(join(to, long))).toBe("of a picture");
    expect(await text(join(to, "brand.json"))).toBe(await text(join(from, "brand.json")));
    expect(await text(join(to, "brand.schema.json"))).toBe(schema);
    expect(await readdir(to)).not.toContain(".hidden");
    for (const options of ["-cf", "-czf"]) {
      const file = join(folder, "packed.tar");
      await runProcess(["tar", options, file, "-C", from, "."]);
      await importBrand(to, await Bun.file(file).bytes());
      expect(await text(join(to, long))).toBe("of a picture");
    }
    expect(await readdir(join(folder, "to"))).toEqual(["brand"]);
  });

  test("only if it has no mistake: else the former one stays", async () => {
    const to = brandAt("stays");
    const bad = await new Bun.Archive({ "brand.json": '{"product": "X"}' }).bytes();
    expect(importBrand(to, bad)).rejects.toThrow("In brand.json, shortName is missing.");
    expect(importBrand(to, new Uint8Array(1_024))).rejects.toThrow("no brand.json");
    expect(importBrand(to, new TextEncoder().encode("no tar at all".repeat(100)))).rejects.toThrow(
      "It is no tar.",
    );
    const whole = await brandTar(to);
    const files = whole.findLastIndex((byte) => byte !== 0) + 1;
    for (const length of [
      0,
      300,
      1_000,
      files,
      ...Array.from({ length: Math.ceil(files / 512) }, (_, at) => at * 512),
    ])
      expect(importBrand(to, whole.subarray(0, length))).rejects.toThrow("The tar is cut off.");
    expect(await readdir(to)).toContain("terms.md");
    const from = brandAt("of-pictures", { product: "Easel" });
    const file = join(from, "brand.json");
    const gallery = [{ picture: "screen", caption: "A screen", alt: "A screen" }];
    await Bun.write(file, JSON.stringify({ ...(await jsonAt(file)), gallery }));
    expect(importBrand(to, await brandTar(from))).rejects.toThrow("pictures/screen.png is missing");
    await Bun.write(join(from, "pictures/screen.png"), "no picture");
    expect(importBrand(to, await brandTar(from))).rejects.toThrow(
      "pictures/screen.png is no PNG, JPEG or WebP.",
    );
    expect(readBrand(to).product).toBe("Brushwork Studio");
    expect(await readdir(join(folder, "stays"))).toEqual(["brand"]);
  });

  test("never with a link, nor with a path that leads out of its folder, nor with more than 50 MB", async () => {
    const to = join(folder, "refused/brand");
    const linked = join(folder, "linked");
    await mkdir(linked);
    await symlink("/etc/passwd", join(linked, "logo.svg"));
    const file = join(folder, "linked.tar");
    await runProcess(["tar", "-cf", file, "-C", linked, "."]);
    const linkedTar = await Bun.file(file).bytes();
    expect(importBrand(to, linkedTar)).rejects.toThrow(
      "logo.svg is no file or folder, but a link or a device.",
    );
    for (const path of ["../evil", "/etc/evil", "a/../../evil", "a\\evil"]) {
      const tar = await tarWith(path);
      expect(importBrand(to, tar)).rejects.toThrow(`The path ${path} leads out of the folder.`);
    }
    for (const [names, sentence] of [
      [["a", "a/b"], "The path a/b is a file and a folder in the tar."],
      [[`${"n".repeat(300)}.txt`], "is too long."],
      [["esc\u001b[31m"], "The path esc [31m has control characters."],
      [Array.from({ length: 501 }, (_, at) => `${at}`), "It has more than 500 files."],
    ] as const) {
      const files = Object.fromEntries(["brand.json", ...names].map((name) => [name, "{}"]));
      const tar = await new Bun.Archive(files).bytes();
      expect(importBrand(join(folder, "odd/brand"), tar)).rejects.toThrow(sentence);
    }
    expect(await readdir(join(folder, "odd"))).toEqual([]);
    const large = Bun.gzipSync(await new Bun.Archive({ "brand.json": new Uint8Array(51_000_000) }).bytes());
    expect(importBrand(to, large)).rejects.toThrow("too large");
    expect(await readdir(folder)).not.toContain("refused");
  });

  /** A tar of one file whose path is not looked at. */
  async function tarWith(path: string): Promise<Uint8Array> {
    const tar = await new Bun.Archive({ "brand.json": "{}" }).bytes();
    tar.fill(0, 0, 100);
    tar.set(new TextEncoder().encode(path));
    tar.fill(32, 148, 156);
    const sum = tar.subarray(0, 512).reduce((all, byte) => all + byte, 0);
    tar.set(new TextEncoder().encode(`${sum.toString(8).padStart(6, "0")}\0 `), 148);
    return tar;
  }
});

const canMount = Bun.spawnSync(["unshare", "-rm", "true"]).exitCode === 0;

test.skipIf(!canMount)(
  "a brand that is a mount of its own can't be replaced, which is said in words",
  async () => {
    const path = brandAt("mounted");
    const tar = join(folder, "mounted.tar");
    await Bun.write(tar, await brandTar(brandAt("unmounted")));
    const home = join(folder, "mounted");
    for (const mount of [
      'mount --bind "$1" "$1"',
      'mount --bind "$2" "$2" && mount --bind "$1" "$1" && mount -o remount,bind,ro "$2"',
    ]) {
      const line = `${mount} && exec "$3" src/operator/main.ts brand import < "$4"`;
      const words = ["unshare", "-rm", "sh", "-c", line, "sh", path, home, process.execPath, tar];
      const env = { DATA_DIR: home, PATH: process.env["PATH"] };
      expect(await runProcess(words, { env })).toMatchObject({
        code: 1,
        err: `${path} can't be replaced, because it is a mount of its own: mount the folder above it instead, such as DATA_DIR.\n`,
      });
    }
    expect(readBrand(path).product).toBe("Brushwork Studio");
    expect(await readdir(home)).toEqual(["brand"]);
  },
);

describe("shop brand", () => {
  test("makes, checks, exports and imports a brand without a shop, also one with a mistake", async () => {
    const env = { DATA_DIR: join(folder, "shop"), CURRENCY: "eur" };
    const made = await operateAlone(
      env,
      "brand",
      "new",
      "--product",
      "Brushwork",
      "--prefix",
      "BRUSH",
      "--support",
      "help@brushwork.example",
      "--price",
      "0.20",
    );
    expect(made).toMatchObject({ code: 0, err: "" });
    const path = join(env.DATA_DIR, "brand");
    const schema = join(path, "brand.schema.json");
    const present = await text(schema);
    await Bun.write(schema, "{}");
    const tooLittle = "EUR 0.20 is too little: Stripe takes no less than EUR 0.50.";
    const checked = await operateAlone(env, "brand", "check", "--json");
    expect([checked.code, JSON.parse(checked.out)]).toMatchObject([
      3,
      { folder: path, mistakes: [], findings: [expect.any(String), expect.stringContaining(tooLittle)] },
    ]);
    expect(await text(schema)).toBe(present);
    const tar = join(folder, "shop.tar");
    const shop = `${process.execPath} src/operator/main.ts`;
    const sh = (line: string) =>
      runProcess(["sh", "-c", line], { env: { ...env, PATH: process.env["PATH"] } });
    expect(await sh(`${shop} brand export > ${tar}`)).toMatchObject({ code: 0, err: "" });
    const whole = await Bun.file(join(path, "brand.json")).json();
    const gallery = [{ picture: "screen", caption: "A screen", alt: "A screen" }];
    await Bun.write(join(path, "brand.json"), JSON.stringify({ ...whole, gallery }));
    await Bun.write(join(path, "pictures/screen.png"), "no picture");
    expect(await operateAlone(env, "brand", "check")).toMatchObject({
      code: 3,
      out: expect.stringContaining(
        `${join(path, "pictures/screen.png")} is no PNG, JPEG or WebP. Save it as one of them.`,
      ),
    });
    await Bun.write(join(path, "brand.json"), '{"product" "X"}');
    const broken = await operateAlone(env, "brand", "check");
    expect(broken).toMatchObject({
      code: 3,
      out: expect.stringContaining("line 1, column 12 should have a colon"),
    });
    expect((await operateAlone(env, "settings", "list")).code).toBe(1);
    const imported = await sh(`${shop} brand import < ${tar}`);
    expect(imported).toMatchObject({ code: 0, err: "", out: expect.stringContaining(tooLittle) });
    expect(readBrand(path).product).toBe("Brushwork");
  });
});

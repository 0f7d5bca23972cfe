import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readBrand } from "@/brand/read";
import { brandFolder, sampleFolder } from "@/brand/the-brand";
import { readSettingsFile, writeSettingsFile } from "@/core/settings/settings-file";
import { brandTar, importBrand, makeBrand } from "@/operator/files/brand-folder";
import { runProcess } from "../../support/operator/run-process";

const scratch = mkdtempSync(join(tmpdir(), "latchkey-kills-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Kills a process of its own at every change of a file that this code makes in DATA_DIR; returns how many there were. */
async function killEverywhere(
  code: string,
  { before, after }: { before: (dataDir: string) => void; after: (dataDir: string) => void | Promise<void> },
): Promise<number> {
  const preload = join(import.meta.dir, "../../crash/killed-writing.ts");
  for (let point = 1; ; point += 1) {
    const dataDir = mkdtempSync(join(scratch, "data-"));
    before(dataDir);
    const ended = await runProcess([process.execPath, "--preload", preload, "-e", code], {
      env: { PATH: process.env["PATH"], DATA_DIR: dataDir, KILLED_AT: String(point) },
    });
    await after(dataDir);
    if (ended.code === 0) return point - 1;
    expect(ended).toEqual({ code: 137, out: "", err: "" });
  }
}

test("a kill while settings are written leaves the former or the new ones, whole and private", async () => {
  const [former, next] = [{ CURRENCY: "eur" }, { CURRENCY: "usd", SELLER: "Olga Owner" }];
  let text = "";
  const seen: unknown[] = [];
  const points = await killEverywhere(
    `import { writeSettingsFile } from "@/core/settings/settings-file";
    writeSettingsFile(process.env.DATA_DIR, ${JSON.stringify(next)});`,
    {
      before(dataDir) {
        writeSettingsFile(dataDir, former);
        text = readFileSync(join(dataDir, "settings.env"), "utf8");
      },
      after(dataDir) {
        seen.push(readSettingsFile(dataDir));
        for (const file of readdirSync(dataDir)) {
          expect([file, statSync(join(dataDir, file)).mode & 0o777]).toEqual([file, 0o600]);
        }
        const kept = join(dataDir, "settings.env.former");
        if (existsSync(kept)) expect(readFileSync(kept, "utf8")).toBe(text);
        writeSettingsFile(dataDir, next);
        expect(readdirSync(dataDir).toSorted()).toEqual(["settings.env", "settings.env.former"]);
        expect(readFileSync(kept, "utf8")).toBe(text);
      },
    },
  );
  expect(points).toBeGreaterThan(14);
  const replaced = seen.findIndex((one) => Bun.deepEquals(one, next));
  expect(seen).toEqual(seen.map((_, at) => (at < replaced ? former : next)));
});

const named = (product: string) => ({
  product,
  shortName: product,
  keyPrefix: "BRUSH",
  supportEmail: "help@brushwork.example",
  price: "29.00",
  seller: "Olga Owner",
});
const brandIn = (dataDir: string) => brandFolder({ DATA_DIR: dataDir });
const productIn = (dataDir: string) => readBrand(brandIn(dataDir)).product;

test("a kill while a brand is made leaves none or a whole one, and nothing that piles up", async () => {
  const points = await killEverywhere(
    `import { makeBrand } from "@/operator/files/brand-folder";
    makeBrand(process.env.DATA_DIR + "/brand", ${JSON.stringify(named("Brushwork"))});`,
    {
      before: () => {},
      after(dataDir) {
        if (brandIn(dataDir) === sampleFolder) makeBrand(join(dataDir, "brand"), named("Brushwork"));
        expect(productIn(dataDir)).toBe("Brushwork");
        expect(readdirSync(dataDir)).toEqual(["brand"]);
      },
    },
  );
  expect(points).toBeGreaterThan(10);
});

test("a kill while a brand is imported leaves the former or the new one, which no other command takes for none", async () => {
  const made = join(scratch, "made");
  makeBrand(made, named("Easel"));
  const tar = join(scratch, "brand.tar");
  await Bun.write(tar, await brandTar(made));
  const content = readFileSync(tar);
  const seen: string[] = [];
  const points = await killEverywhere(
    `import { importBrand } from "@/operator/files/brand-folder";
    await importBrand(process.env.DATA_DIR + "/brand", require("fs").readFileSync(${JSON.stringify(tar)}));`,
    {
      before: (dataDir) => makeBrand(join(dataDir, "brand"), named("Brushwork")),
      async after(dataDir) {
        const product = productIn(dataDir);
        seen.push(product);
        expect(() => makeBrand(join(dataDir, "brand"), named("Other"))).toThrow("exists");
        expect(productIn(dataDir)).toBe(product);
        await importBrand(join(dataDir, "brand"), content);
        expect(productIn(dataDir)).toBe("Easel");
        expect(readdirSync(dataDir)).toEqual(["brand"]);
      },
    },
  );
  expect(points).toBeGreaterThan(14);
  expect([...new Set(seen)]).toEqual(["Brushwork", "Easel"]);
});

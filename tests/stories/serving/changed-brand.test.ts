import { afterAll, expect, test } from "bun:test";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeBrand } from "@/operator/files/brand-folder";
import { startChanged } from "../../support/shop/changed-brand";

const folder = mkdtempSync(join(tmpdir(), "changed-brand-"));
afterAll(() => rm(folder, { recursive: true, force: true }));
const cacheDir = join(folder, "site");

function brandOf(product: string): string {
  const brandDir = join(folder, product);
  const seller = "Ada Lovelace";
  const named = { product, shortName: product, keyPrefix: "BRUSH", supportEmail: "help@shop.example" };
  makeBrand(brandDir, { ...named, price: "29.00", seller });
  return brandDir;
}

test("after a change of the brand the last pages are served until the new ones are built", async () => {
  const first = await startChanged(brandOf("Brush"), cacheDir);
  expect(first).toMatchObject({ before: "Brush", after: "Brush", failed: null });
  const changed = await startChanged(brandOf("Easel"), cacheDir);
  expect(changed).toEqual({ before: "Brush", after: "Easel", script: 200, failed: null });
});

test("a brand whose pages can't be built leaves the last ones in place, and says why", async () => {
  const broken = brandOf("Canvas");
  await Bun.write(join(broken, "pictures/home.png"), "no picture");
  const brand = await Bun.file(join(broken, "brand.json")).json();
  const gallery = [{ picture: "home", caption: "Home", alt: "The first screen" }];
  await Bun.write(join(broken, "brand.json"), JSON.stringify({ ...brand, gallery }));
  const { failed, ...shown } = await startChanged(broken, cacheDir);
  expect(shown).toMatchObject({ before: "Easel", after: "Easel", script: 200 });
  expect(failed).toMatch(/^\S*home\.png is no PNG, JPEG or WebP\. Save it as one of them\.$/);
});

import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, symlinkSync } from "node:fs";
import { cp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sampleFolder } from "@/brand/the-brand";
import { makeBrand } from "@/operator/files/brand-folder";
import { distDir, findOrBuild } from "@/serving/build-cache";
import { startChanged } from "../../support/shop/changed-brand";
import { sharedSite } from "../../support/shop/shared-site";

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

/** The sample's site, which other stories have built. */
async function copySampleSite(): Promise<void> {
  const { input } = (await findOrBuild({ cacheDir: sharedSite })).built.manifest;
  const built = join(sharedSite, input);
  await cp(existsSync(built) ? built : distDir, join(cacheDir, input), { recursive: true });
}

test("after a change of the brand the last pages are served until the new ones are built", async () => {
  await copySampleSite();
  const { before: last, after, failed } = await startChanged(sampleFolder, cacheDir);
  expect([last, failed]).toEqual([after, null]);
  expect(last).toContain("Wisp");
  const changed = await startChanged(brandOf("Easel"), cacheDir);
  expect(changed).toEqual({ before: last, after: "Easel", script: 200, failed: null });
});

test("a brand whose pages can't be built leaves the last ones in place at every start, and says why", async () => {
  const broken = brandOf("Canvas");
  await Bun.write(join(broken, "pictures/home.png"), "no picture");
  const brand = await Bun.file(join(broken, "brand.json")).json();
  const gallery = [{ picture: "home", caption: "Home", alt: "The first screen" }];
  await Bun.write(join(broken, "brand.json"), JSON.stringify({ ...brand, gallery }));
  for (const _ of ["a start", "a restart"]) {
    const { failed, ...shown } = await startChanged(broken, cacheDir);
    expect(shown).toMatchObject({ before: "Easel", after: "Easel", script: 200 });
    expect(failed).toMatch(/^\S*home\.png is no PNG, JPEG or WebP\. Save it as one of them\.$/);
  }
});

test("a build that is gone meanwhile is not taken for the last one", async () => {
  const { input } = (await findOrBuild({ cacheDir, brandDir: join(folder, "Easel") })).built.manifest;
  symlinkSync(join(folder, "gone"), join(cacheDir, `${input}x`));
  const { built } = await findOrBuild({ cacheDir, brandDir: brandOf("Gouache"), servesLast: true });
  expect(built.manifest.input).toBe(input);
});

import "@/brand/read-first";
import { rm } from "node:fs/promises";
import { BrandError } from "@/brand/brand-error";
import { brandFolder } from "@/brand/the-brand";
import { distDir, findOrBuild } from "./build-cache";
import { inputHash } from "./input-hash";
import { writeSite } from "./write-site";

/** Builds `dist/` beforehand, so that a start only has to read it. */
async function build() {
  const started = performance.now();
  await rm(distDir, { recursive: true, force: true });
  await writeSite(distDir, await inputHash(), brandFolder(), console.log);
  console.log(`dist/ is built (${Math.round(performance.now() - started)} ms)`);
}

if (import.meta.main) {
  const [cacheDir] = process.argv.slice(2);
  try {
    await (cacheDir === undefined ? build() : findOrBuild({ cacheDir, log: console.log }));
  } catch (error) {
    if (!(error instanceof BrandError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}

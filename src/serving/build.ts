import "@/brand/read-first";
import { rm } from "node:fs/promises";
import { brandFolder } from "@/brand/the-brand";
import { distDir } from "./build-cache";
import { inputHash } from "./input-hash";
import { writeSite } from "./write-site";

/** Builds `dist/` beforehand, so that a start only has to read it. */
async function build() {
  const started = performance.now();
  await rm(distDir, { recursive: true, force: true });
  await writeSite(distDir, await inputHash(), brandFolder(), console.log);
  console.log(`dist/ is built (${Math.round(performance.now() - started)} ms)`);
}

if (import.meta.main) await build();

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { writeSite } from "./built";
import { readFiles, squeeze } from "./files";
import { inputHash } from "./inputs";
import { readyMade } from "./kept";

/** Builds `dist/` beforehand, compressed as small as it gets, so that a start only has to read it. */
async function build() {
  const started = performance.now();
  await rm(readyMade, { recursive: true, force: true });
  await writeSite(readyMade, await inputHash());
  const dir = join(readyMade, "files");
  await squeeze(dir, await readFiles(dir));
  console.log(`dist/ is built (${Math.round(performance.now() - started)} ms)`);
}

if (import.meta.main) await build();

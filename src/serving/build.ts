import { inputHash } from "./inputs";
import { join } from "node:path";
import { writeSite } from "./built";
import { readFiles, squeeze } from "./files";
import { readyMade } from "./kept";

/** Builds `dist/` beforehand, compressed as small as it gets, so that a start only has to read it. */
async function build() {
  const started = performance.now();
  await writeSite(readyMade, await inputHash());
  const dir = join(readyMade, "files");
  await squeeze(dir, await readFiles(dir));
  console.log(`dist/ is built (${Math.round(performance.now() - started)} ms)`);
}

if (import.meta.main) await build();

/**
 * A complete application, as far as licensing goes:
 *
 *     bun src/client/example.ts http://localhost:3000 AUTH-TOKEN
 */
import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { arch, cpus, homedir, hostname, platform } from "node:os";
import { dirname, join } from "node:path";
import { createLicence, type Keeper } from "./client";

const [shop, token] = process.argv.slice(2);
if (!shop || !token) {
  console.error("Usage: example SHOP-ADDRESS AUTH-TOKEN");
  process.exit(2);
}

/** A file in the user's folder. */
const fileKeeper = (path: string): Keeper => ({
  read: () => readFile(path, "utf8").catch(() => null),
  async write(text) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { mode: 0o600 });
  },
});

const hwid = createHash("sha256")
  .update([hostname(), platform(), arch(), cpus()[0]?.model].join("|"))
  .digest("hex");
const licence = createLicence({
  shop,
  token,
  hwid,
  version: "1.0.0",
  keeper: fileKeeper(join(homedir(), ".example-application", "licence.json")),
});

let verdict = await licence.check();
if (verdict.code === "NOT_ACTIVATED") {
  verdict = await licence.activate({ label: hostname(), os: `${platform()} ${arch()}` });
}
console.log(verdict);
if (verdict.code === "VALID" && verdict.grace) {
  console.log(`Please go online before ${verdict.offlineUntil.toISOString()}.`);
}
const update = await licence.update("linux");
if (update?.newer) console.log(`Version ${update.version} is out: ${update.title}`);
process.exitCode = verdict.code === "VALID" ? 0 : 1;

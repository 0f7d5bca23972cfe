/** `bun run sbom`: what a running shop is made of, as CycloneDX 1.6: https://cyclonedx.org/docs/1.6/json/ */
import manifest from "../../package.json";
import { inventory } from "./inventory";

const parts = await inventory();
const components = parts.map(({ name, version, integrity, licence }) => ({
  type: "library",
  name,
  version,
  // https://github.com/package-url/purl-spec: the sign of a scope is written out
  purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
  hashes: [
    { alg: "SHA-512", content: Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex") },
  ],
  ...(licence ? { licenses: [{ expression: licence }] } : {}),
}));
const { name, version } = manifest;
const metadata = { component: { type: "application", name, version } };
console.log(
  JSON.stringify({ bomFormat: "CycloneDX", specVersion: "1.6", version: 1, metadata, components }, null, 2),
);

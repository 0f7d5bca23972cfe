import { expect, test } from "bun:test";
import { join } from "node:path";
import manifest from "../package.json";
import { inventory } from "./dependencies/inventory";

/** Licences that allow redistribution with the shop: https://spdx.org/licenses/ */
const welcome = [
  "MIT",
  "ISC",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "0BSD",
  "MIT-0",
  "MPL-2.0",
  "BlueOak-1.0.0",
];
const parts = await inventory();

test("every component of a running shop has an allowed licence", () => {
  const installed = parts.filter(({ licence }) => licence !== null);
  // `A AND B` means that the terms of both apply
  const isWelcome = (licence: string) => licence.split(" AND ").every((one) => welcome.includes(one));
  const unwelcome = installed.filter(({ licence }) => !isWelcome(licence ?? ""));
  expect(unwelcome.map(({ name, licence }) => `${name}: ${licence}`)).toEqual([]);
  const named = installed.map(({ name }) => name);
  expect(named).toEqual(expect.arrayContaining(Object.keys(manifest.dependencies)));
});

test("no component runs an install script", () => {
  expect(parts.filter(({ installs }) => installs).map(({ name }) => name)).toEqual([]);
});

test("the inventory lists each component once, with version and hash", async () => {
  const child = Bun.spawn([process.execPath, "tests/dependencies/sbom.ts"], {
    cwd: join(import.meta.dir, ".."),
    stdout: "pipe",
    stderr: "inherit",
  });
  const bom = await new Response(child.stdout).json();
  expect(bom).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.6" });
  const addresses: string[] = bom.components.map(({ purl }: { purl: string }) => purl);
  expect(new Set(addresses).size).toBe(parts.length);
  expect(addresses).toContain(`pkg:npm/%40libsql/client@${manifest.dependencies["@libsql/client"]}`);
  expect(bom.components).toHaveLength(parts.length);
  for (const { hashes } of bom.components) expect(hashes[0].content).toMatch(/^[0-9a-f]{128}$/);
});

/** A release published at the desk. */
import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { partBytes } from "@/contract/wire/desk/releases";
import { atDesk } from "../support/people/desk";
import { openShop } from "../support/shop/shop-in-browser";
import { eventually } from "../support/shop/stage";
import { axeFindings, sizes } from "./browser";
import { visit } from "./visit";

const stage = await openShop();
const folder = await mkdtemp(join(tmpdir(), "desk-release-"));
afterAll(async () => {
  await stage[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});
const olga = await atDesk(stage, "olga", "owner");

test("a release is sent part by part over a lost line, and published", async () => {
  const path = join(folder, "wisp-2.9.0.exe");
  await Bun.write(path, new Uint8Array(partBytes + 1_000).fill(7));
  const { page, close } = await visit(stage.url, { person: olga.person, viewport: sizes[0] });
  await page.route("**/parts/1", (route) => route.abort());
  await page.goto(new URL("/desk/products/releases/new", stage.url).href);
  await page.getByLabel("Files of the release").setInputFiles(path);
  await page.getByLabel("Version", { exact: true }).fill("2.9.0");
  await page.getByLabel("Title of the notes").fill("Faster");
  await page.getByText(/^SHA-256/).waitFor();
  await page.getByRole("button", { name: "Publish…" }).click();
  await page.getByLabel("Reason").fill("a walk");
  await page.getByRole("button", { name: "Publish release" }).click();
  await page.getByText("Waiting, continues automatically").waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.unroute("**/parts/1");
  await eventually(
    async () => (await olga.get("releases")).body.data.rows.length,
    (count) => count === 1,
  );
  await page.getByRole("grid", { name: "Releases" }).getByText("2.9.0").first().waitFor();
  await close();
});

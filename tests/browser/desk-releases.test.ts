/** A release published at the desk. */
import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { partBytes } from "@/contract/wire/desk/releases";
import { atDesk } from "../support/people/desk";
import { openShop } from "../support/shop/shop-in-browser";
import { axeFindings, sizes } from "./browser";
import { visit } from "./visit";

const stage = await openShop();
const folder = await mkdtemp(join(tmpdir(), "desk-release-"));
afterAll(async () => {
  await stage[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});
const olga = await atDesk(stage, "olga", "owner");

test("an upload whose page was closed midway goes on in another, and is published", async () => {
  const path = join(folder, "wisp-2.9.0.exe");
  await Bun.write(path, new Uint8Array(partBytes + 1_000).fill(7));
  const first = await visit(stage.url, { person: olga.person });
  await first.page.route("**/parts/1?*", (route) => route.abort());
  await first.page.goto(new URL("/desk/products/releases/new", stage.url).href);
  await first.page.getByLabel("Files of the release").setInputFiles(path);
  await first.page.getByLabel("Version", { exact: true }).fill("2.9.0");
  await first.page.getByLabel("Title of the notes").fill("Faster");
  await first.page.getByText(/^SHA-256/).waitFor();
  await first.page.getByRole("button", { name: "Publish…" }).click();
  await first.page.getByLabel("Reason").fill("a walk");
  await first.page.getByRole("button", { name: "Publish release" }).click();
  await first.page.getByText("Waits, and goes on by itself").waitFor();
  expect(await axeFindings(first.page)).toEqual([]);
  await first.close();

  const { page, close } = await visit(stage.url, { person: olga.person, viewport: sizes[0] });
  await page.goto(new URL("/desk/products/releases", stage.url).href);
  await page.getByText("Not sent from this page").waitFor();
  await page.getByLabel("Files of 2.9.0").setInputFiles(path);
  await page.getByRole("button", { name: "Publish 2.9.0" }).click();
  await page.getByLabel("Reason").fill("a walk");
  await page.getByRole("dialog").getByRole("button", { name: "Publish" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await stage.shop.worker.drain();
  await page.getByRole("grid", { name: "Releases" }).getByText("2.9.0").first().waitFor();
  await close();
});

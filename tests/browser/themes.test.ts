import { afterAll, expect, test } from "bun:test";
import { openShop } from "../support/shop/shop-in-browser";
import { waitForAnimations } from "./browser";
import { drawn, grounds } from "./drawn";
import { visit } from "./visit";

const stage = await openShop();
afterAll(() => stage[Symbol.asyncDispose]());

const ada = stage.person();
await ada.register(await stage.handOut(), "ada");

test("a new visitor sees the dark theme, whatever the device prefers", async () => {
  const { page, close } = await visit(stage.url, { colorScheme: "light" });
  await page.goto(stage.url.href);
  expect(await drawn(page)).toEqual({ theme: "dark", ground: grounds.dark, bars: "#0b0a12", scheme: "dark" });
  await close();
});

test("Settings change the theme at once, and the browser keeps it", async () => {
  const { page, to, close } = await visit(stage.url, { person: ada });
  await to("/dashboard/settings#appearance");
  const choices = page.getByRole("group", { name: "Appearance" });
  expect(await choices.getByRole("radio", { name: "Dark" }).isChecked()).toBe(true);
  await choices.getByText("Light").click();
  const light = { theme: "light", ground: grounds.light, bars: "#f7f6fb", scheme: "light" };
  await page.waitForFunction(() => document.documentElement.dataset["theme"] === "light");
  await waitForAnimations(page);
  expect(await drawn(page)).toEqual(light);
  for (const path of ["/dashboard/settings", "/", "/login"]) {
    await to(path);
    expect([path, await drawn(page)]).toEqual([path, light]);
  }
  await to("/dashboard/settings#appearance");
  expect(await choices.getByRole("radio", { name: "Light" }).isChecked()).toBe(true);
  await close();
});

test("without storage the choice holds for the page", async () => {
  const { page, to, close } = await visit(stage.url, { person: ada });
  await page.addInitScript(() =>
    Object.defineProperty(window, "localStorage", {
      get() {
        throw new Error("refused");
      },
    }),
  );
  await to("/dashboard/settings#appearance");
  await page.getByRole("group", { name: "Appearance" }).getByText("Light").click();
  await page.waitForFunction(() => document.documentElement.dataset["theme"] === "light");
  await close();
});

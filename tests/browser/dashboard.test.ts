import { expect, test } from "bun:test";
import { day } from "@/contract/vocabulary/time";
import { axeFindings, goTo } from "./browser";
import { byKeyboard } from "./by-keyboard";
import { waitUntilHydrated } from "./hydrated";
import { ada, intent, stage, visitAs } from "./journeys/dashboard";

const locked = "You must have an active license to visit the download page";

test("the home page uses what was asked along with its scripts, and asks for nothing twice", async () => {
  const { page, close } = await visitAs(ada);
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/api/")) asked.push(pathname);
  });
  const answer = await goTo(page, new URL("/dashboard", stage.url).href);
  await page.getByRole("region", { name: "License status" }).waitFor();
  const early = [...(answer?.headers()["link"] ?? "").matchAll(/<([^>]+)>/g)].map(([, call = ""]) => call);
  expect(early).toContain("/api/user/me");
  expect(asked.filter((call) => early.includes(call)).toSorted()).toEqual(early.toSorted());
  expect(asked).toEqual([...new Set(asked)]);
  await close();
});

test("the palette traps focus, passes axe, and restores focus", async () => {
  const { page, close } = await visitAs(ada);
  await goTo(page, new URL("/dashboard", stage.url).href);
  await waitUntilHydrated(page);
  const opener = page.getByRole("button", { name: /^Search/ });
  await opener.focus();
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Search pages and commands" });
  await field.waitFor();
  expect(await axeFindings(page)).toEqual([]);
  const keys = byKeyboard(page);
  await keys.goRound(page.locator("dialog[open]"), opener);
  expect(keys.faults).toEqual([]);
  await page.keyboard.press("Control+k");
  await field.fill("purge");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/commands#purge");
  await close();
});

test("a file's link downloads it in a new tab", async () => {
  const { page, close } = await visitAs(ada);
  await goTo(page, new URL("/dashboard/download", stage.url).href);
  expect(await page.getByRole("region", { name: "Linux" }).getAttribute("data-own")).toBe("true");
  const fetched = page.waitForEvent("download");
  await page
    .getByRole("link", { name: /Windows Installer/ })
    .first()
    .click();
  expect((await fetched).suggestedFilename()).toBe("Wisp-Setup.exe");
  expect(page.url()).toEndWith("/dashboard/download");
  await close();
});

test("printing a transaction prints only its receipt", async () => {
  const { page, close } = await visitAs(ada);
  const address = `/dashboard/transaction?payment_intent=${intent}`;
  await goTo(page, new URL(address, stage.url).href);
  await page.getByRole("region", { name: "Payment" }).waitFor();
  const seen = async () => ({
    receipt: await page.getByRole("article", { name: "Receipt" }).isVisible(),
    page: await page.getByRole("region", { name: "Payment" }).isVisible(),
    header: await page.locator("header").first().isVisible(),
    navigation: await page.locator("#sidebar").isVisible(),
  });
  expect(await seen()).toEqual({ receipt: false, page: true, header: true, navigation: true });
  await page.emulateMedia({ media: "print" });
  expect(await seen()).toEqual({ receipt: true, page: false, header: false, navigation: false });
  expect(await page.locator("main").innerText()).toContain("USD 5.00");
  await close();
});

test("a download without a licence leads to the dashboard, which says why", async () => {
  const person = stage.person();
  await person.register(await stage.handOut(1), "tim");
  // last, because it moves everybody's clock
  stage.advance(2 * day);
  const { page, close } = await visitAs(person);
  for (const path of ["/api/download", "/dashboard/download"]) {
    await page.goto(new URL(path, stage.url).href);
    await page.locator("[data-sonner-toast]", { hasText: locked }).waitFor();
    await page.waitForURL(new URL("/dashboard", stage.url).href);
  }
  await close();
});

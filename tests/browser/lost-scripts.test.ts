import { test } from "bun:test";
import { openBrowser, openPage, goTo } from "./browser";
import { loseEachScriptOf, site, toastsPath } from "./journeys/lost-scripts";

const browser = await openBrowser();

test("a page stays readable, whichever one script is lost, and works once that script arrives", () =>
  loseEachScriptOf("/login"));

test("a message is still shown when the script that draws toasts is lost", async () => {
  const { context, page } = await openPage(browser);
  const toasts = await toastsPath();
  await page.route(`**${toasts}`, (route) => route.abort());
  await page.route("**/api/user/password/forgot?**", (route) =>
    route.fulfill({ status: 429, json: { status: 429, data: "Too many requests", code: "rate_limited" } }),
  );
  await goTo(page, new URL("/forgot-pass", site.url).href);
  await page.getByRole("textbox", { name: "Email" }).fill("ada@example.com");
  await page.getByRole("button", { name: "Send Email" }).click();
  await page.getByRole("alert").getByText("Too many requests").waitFor();
  await context.close();
});

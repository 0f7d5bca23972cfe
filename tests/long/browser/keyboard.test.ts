import { test } from "bun:test";
import { pages } from "@/web/pages";
import { sizes } from "../../browser/browser";
import {
  buyAndRegister,
  downloadAndMenu,
  ticket,
  twoFactor,
  visitByKeyboard,
} from "../../browser/journeys/keyboard";

const publicPaths = ["/", "/login", "/register", "/forgot-pass", "/find-order"];
const ownPaths = Object.keys(pages).filter(
  (path) => path.startsWith("/dashboard") && !["/dashboard/transaction", "/dashboard/ticket"].includes(path),
);

test("buying and registering need no mouse, on a phone", () => buyAndRegister(sizes[0]));

for (const size of [sizes[0], sizes[2]]) {
  const at = `at ${size.width} px`;
  test(`two-factor is enabled on Security, and signed in with, without a mouse, ${at}`, () =>
    twoFactor(size));
  test(`a file is downloaded, a shortcut and the account's menu used, without a mouse, ${at}`, () =>
    downloadAndMenu(size));
  test(`a ticket is opened, answered, closed and rated without a mouse, ${at}`, () => ticket(size));
}

for (const size of sizes) {
  test(`Tab goes through every page as the eye does, and shows where it is, at ${size.width} px`, async () => {
    const { page, keys, to, close } = await visitByKeyboard(size, `eye-${size.width}`);
    for (const path of ownPaths) {
      await to(path);
      await keys.walkThrough(page.locator("body"));
    }
    await page.context().clearCookies();
    for (const path of publicPaths) {
      await to(path);
      await keys.walkThrough(page.locator("body"));
    }
    await close();
  });
}

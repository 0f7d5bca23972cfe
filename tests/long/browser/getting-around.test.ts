import { test } from "bun:test";
import { sizes } from "../../browser/browser";
import { afterDownload, menu, breadcrumb, skipLink, shortcuts } from "../../browser/journeys/getting-around";

for (const size of sizes) {
  const at = `at ${size.width} px`;
  test(`after a download three steps say how to start it, and what to do when the system warns, ${at}`, () =>
    afterDownload(size));
  test(`a transaction's breadcrumb leads back to Payments, ${at}`, () => breadcrumb(size));
  // at a computer, the others are gone every day
  if (size === sizes[2]) continue;
  test(`the menu leads to every page, which says its name in its heading, title and breadcrumb, ${at}`, () =>
    menu(size));
  test(`Tab reaches the skip link first, and a page's heading has the focus after a navigation, ${at}`, () =>
    skipLink(size));
  test(`? lists the shortcuts, and the palette copies, opens a new ticket and changes the theme, ${at}`, () =>
    shortcuts(size));
}

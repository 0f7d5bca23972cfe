import { test } from "bun:test";
import { sizes } from "./browser";
import { menu, shortcuts, skipLink } from "./journeys/getting-around";

test("the menu leads to every page, which says its name in its heading, title and breadcrumb", () =>
  menu(sizes[2]));

test("Tab reaches the skip link first, and a page's heading has the focus after a navigation", () =>
  skipLink(sizes[2]));

test("? lists the shortcuts, and the palette copies, opens a new ticket and changes the theme", () =>
  shortcuts(sizes[2]));

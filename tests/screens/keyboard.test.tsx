/** What the keyboard does beyond Tab: where the focus goes, and which keys act. */
import { expect, test } from "bun:test";
import { act, screen, waitFor } from "@testing-library/react";
import { asAda, hasFocus, ok, premium, visit } from "./browser";

const heading = (name: string) => screen.findByRole("heading", { level: 1, name });
const goTo = async ({ user }: ReturnType<typeof visit>, name: string) => {
  const [link] = await screen.findAllByRole("link", { name });
  if (link) await user.click(link);
};

test("after a navigation the page's heading has focus, but not on the first load", async () => {
  const page = visit("/dashboard", asAda);
  const first = await heading("Dashboard");
  await screen.findByText("Online");
  expect(hasFocus(first)).toBe(false);
  await goTo(page, "License");
  const next = await heading("License");
  await waitFor(() => expect(hasFocus(next)).toBe(true));
  act(() => history.back());
  const again = await heading("Dashboard");
  await waitFor(() => expect(hasFocus(again)).toBe(true));
});

test("a link to a part of a page leads to that part, as soon as it is there", async () => {
  const page = visit("/dashboard", asAda);
  await screen.findByText("Online");
  const late = Promise.withResolvers<Response>();
  page.answers["GET /api/offers"] = () => late.promise;
  await page.user.click(screen.getByRole("link", { name: "Redeem a key" }));
  const title = await heading("License");
  await waitFor(() => expect(hasFocus(title)).toBe(true));
  late.resolve(Response.json({ status: 200, data: [premium] }));
  await waitFor(() => expect(hasFocus(screen.getByRole("region", { name: "Redeem" }))).toBe(true));
  expect(location.pathname + location.hash).toBe("/dashboard/license#redeem");
});

test("a text over the landing page moves no focus behind it", async () => {
  const page = visit("/", { "GET /api/offers": ok([]) });
  await goTo(page, "Terms of Service");
  await screen.findByRole("dialog");
  expect(document.activeElement?.tagName).not.toBe("H1");
});

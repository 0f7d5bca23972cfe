import { beforeEach, describe, expect, type Mock, spyOn, test } from "bun:test";
import { screen, waitFor, within } from "@testing-library/react";
import type { CheckedCode } from "@/contract/wire/offers";
import { type Answers, asAda, hasFocus, limitedFor, ok, refused, unreachable, visit } from "./browser";

const check = "POST /api/offers/code";
const checkout = "POST /api/stripe/create-checkout-session";
const sentence = "That code is unknown or no longer valid";
const unknown = refused(400, sentence, { code: "code_unknown", field: "code" });
const takes = (more: Partial<CheckedCode> = {}) =>
  ok({ amount: 400, off: 100, lasts: "once", sure: true, ...more });
const selling: Answers = {
  ...asAda,
  "GET /api/functions/get-stripe-key": () => Response.json({ key: "pk_test_1" }),
  [check]: takes(),
  [checkout]: ok({ id: "cs_1", url: "https://pay.example/c/cs_1" }),
};

let leave: Mock<typeof location.assign>;
beforeEach(() => {
  sessionStorage.clear();
  leave = spyOn(window.location, "assign").mockImplementation(() => {});
});

const buy = () => screen.findByRole("button", { name: "Purchase Premium" });
const codeField = () => screen.getByLabelText<HTMLInputElement>("Promotion code");
const remove = () => screen.findByRole("button", { name: "Remove code" });
const price = () => screen.getAllByRole("status").find(({ tagName }) => tagName === "OUTPUT")?.textContent;

type Page = ReturnType<typeof visit>;
async function apply(page: Page, code: string) {
  await buy();
  await page.user.click(screen.getByText("Have a code?"));
  await page.user.type(codeField(), code);
  await page.user.click(screen.getByRole("button", { name: "Apply" }));
}
const ordered = async (page: Page) => {
  await waitFor(() => expect(leave).toHaveBeenCalled());
  return page.sent(checkout);
};

describe("a promotion code", () => {
  test("changes the price beside what it was, before anybody pays", async () => {
    const page = visit("/", selling);
    await apply(page, " TRY20 ");
    await screen.findByText(", 20% off");
    expect(hasFocus(await remove())).toBe(true);
    expect(price()).toBe("Before: $5$4Lifetime");
    screen.getByText("One payment of $4.00. The license never expires.");
    await page.user.click(await buy());
    expect(await ordered(page)).toEqual([{ currency: "usd", offer: "premium", code: "TRY20" }]);
    expect(page.sent(check)).toEqual([{ offer: "premium", code: "TRY20", quantity: 1 }]);
  });

  test("that is refused stays in its field with the reason, and a correction clears that", async () => {
    const page = visit("/", { ...selling, [check]: unknown });
    await apply(page, "TRY2O");
    expect((await screen.findByRole("alert")).textContent).toBe(sentence);
    expect(hasFocus(codeField())).toBe(true);
    expect(codeField().getAttribute("aria-describedby")).toBe(screen.getByRole("alert").id);
    expect(page.named(checkout)).toEqual([]);
    page.answers[check] = takes();
    await page.user.clear(codeField());
    await page.user.type(codeField(), "TRY20");
    expect(screen.queryByRole("alert")).toBeNull();
    await page.user.click(screen.getByRole("button", { name: "Apply" }));
    await remove();
  });

  test("of the URL leaves it and is checked; one that does nothing says why, and isn't sent", async () => {
    const page = visit("/?code=NOPE&from=mail#get", { ...selling, [check]: unknown });
    await screen.findByText(`: ${sentence}`);
    expect(location.pathname + location.search + location.hash).toBe("/?from=mail#get");
    expect(price()).toBe("$5Lifetime");
    await page.user.click(await buy());
    expect(await ordered(page)).toEqual([{ currency: "usd", offer: "premium" }]);
  });

  for (const [what, more, words] of [
    ["takes a part that is no whole percentage", { amount: 433, off: 67 }, ", $0.67 off"],
    ["Stripe may still refuse", { sure: false }, ", 20% off if Stripe accepts it"],
    ["Stripe doesn't explain", { amount: 500, off: 0, sure: false }, ", checked at checkout"],
  ] as const)
    test(`that ${what} says so`, async () => {
      visit("/?code=TRY20", { ...selling, [check]: takes(more) });
      await screen.findByText(words);
    });

  test("that can't be checked now is sent all the same", async () => {
    const page = visit("/?code=TRY20", { ...selling, [check]: unreachable });
    await screen.findByText(", checked at checkout");
    await page.user.click(await buy());
    expect(await ordered(page)).toEqual([{ currency: "usd", offer: "premium", code: "TRY20" }]);
  });

  test("that was typed and not applied counts as well", async () => {
    const page = visit("/", selling);
    await buy();
    await page.user.click(screen.getByText("Have a code?"));
    await page.user.type(codeField(), " TRY20 ");
    await page.user.click(await buy());
    expect(await ordered(page)).toEqual([{ currency: "usd", offer: "premium", code: "TRY20" }]);
  });

  test("that the checkout refuses is removed with the reason, and the next press buys without it", async () => {
    const page = visit("/?code=TRY20", {
      ...selling,
      [check]: takes({ sure: false }),
      [checkout]: refused(400, "Not for you.", { code: "code_refused", field: "code" }),
    });
    await screen.findByText(/if Stripe accepts it/);
    await page.user.click(await buy());
    await screen.findByText("TRY20 was removed. Not for you.");
    expect(price()).toBe("$5Lifetime");
    expect(document.querySelector("[data-sonner-toast]")).toBeNull();
    page.answers[checkout] = selling[checkout]!;
    await page.user.click(await buy());
    expect((await ordered(page)).at(-1)).toEqual({ currency: "usd", offer: "premium" });
  });

  test("asked for too often counts down on Apply", async () => {
    const page = visit("/", { ...selling, [check]: limitedFor(42) });
    await apply(page, "TRY20");
    const button = await screen.findByRole("button", { name: /^Try again in 4[012] s$/ });
    expect(button).toHaveProperty("disabled", true);
  });

  for (const path of ["/", "/dashboard/license", "/?quantity=2"])
    test(`can be removed on ${path}`, async () => {
      sessionStorage.setItem("promotion-code", "TRY20");
      const page = visit(path, selling);
      const place = path === "/?quantity=2" ? within(await screen.findByRole("dialog")) : screen;
      await page.user.click(await place.findByRole("button", { name: "Remove code" }));
      expect(hasFocus(await place.findByText("Have a code?"))).toBe(true);
      expect(sessionStorage.getItem("promotion-code")).toBeNull();
    });
});

import { expect, spyOn, test } from "bun:test";
import { act, screen, waitFor, within } from "@testing-library/react";
import { ada, asAda, ok, premium, refused, signedOut, toastSaying, unreachable, visit } from "./browser";

const me = "GET /api/user/me";
/** The browser brings a page back as it was left. */
const restore = () =>
  act(() => void dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true })));

const another = { ...ada, id: "another", username: "bea", email: "bea@example.com" };
const nowBea = "You are now signed in as bea in this browser.";
const redeem = "POST /api/licenses/redeem";

test("a page's request for an account that is no longer signed in is refused, and the page switches to the account that is", async () => {
  const { user, answers, named, calls } = visit("/dashboard/license", {
    ...asAda,
    [redeem]: refused(409, "This page shows another account", { code: "other_account" }),
  });
  await user.type(await screen.findByPlaceholderText(/^WISP/), "WISP-61Y5-S1EE-BVJN-C1PM");
  answers[me] = ok(another);
  await user.click(screen.getByRole("button", { name: "Redeem" }));
  await toastSaying(nowBea);
  expect(named(redeem).map(({ headers }) => headers.get("x-account"))).toEqual([ada.id]);
  expect(named(me).map(({ headers }) => headers.has("x-account"))).toEqual([false, false]);
  expect(screen.getByPlaceholderText<HTMLInputElement>(/^WISP/).value).toBe("");
  await waitFor(() => {
    const lists = calls.filter(({ name }) => name === "GET /api/licenses/me");
    expect(lists.at(-1)?.headers.get("x-account")).toBe(another.id);
  });
  expect(document.querySelectorAll("[data-sonner-toast]")).toHaveLength(1);
});

test("while nobody can be asked who is signed in, the refusal itself is shown", async () => {
  const { user, answers } = visit("/dashboard/license", {
    ...asAda,
    [redeem]: refused(409, "This page shows another account", { code: "other_account" }),
  });
  const field = await screen.findByPlaceholderText<HTMLInputElement>(/^WISP/);
  await user.type(field, "WISP-1");
  answers[me] = unreachable;
  await user.click(screen.getByRole("button", { name: "Redeem" }));
  await screen.findByText("This page shows another account");
  expect(field.value).toBe("WISP-1");
});

test("a purchase for an account that is signed out is refused, and the page says so", async () => {
  const { user, answers, named } = visit("/dashboard/license", {
    ...asAda,
    "GET /api/functions/get-stripe-key": ok(null, { key: "pk_test_1" }),
    "POST /api/stripe/create-checkout-session": refused(409, "Load it again", { code: "other_account" }),
  });
  const buy = await screen.findByRole("button", { name: /Buy|Purchase/ });
  answers[me] = signedOut;
  await user.click(buy);
  await toastSaying("You are no longer signed in on this browser.");
  expect(location.pathname).toBe("/login");
  expect(named("POST /api/stripe/create-checkout-session")).toHaveLength(1);
});

for (const event of ["focus", "visibilitychange"]) {
  test(`a page with an open dialog rechecks who is signed in on ${event}, at most every five seconds`, async () => {
    // the page has asked for more than this screen takes
    window.earlyAnswers = new Map([["/api/licenses/unused", Promise.resolve(Response.json({ data: [] }))]]);
    const { user, answers, named } = visit("/dashboard/settings", asAda);
    await user.click(await screen.findByRole("button", { name: "Change Password" }));
    await user.type(within(await screen.findByRole("dialog")).getByLabelText("Old Password"), "ada's");
    const begun = Date.now();
    const clock = spyOn(Date, "now").mockImplementation(() => begun + 2_000);
    const returnToIt = () => act(() => void document.dispatchEvent(new Event(event, { bubbles: true })));
    for (let i = 0; i < 5; i += 1) returnToIt();
    expect(named(me)).toHaveLength(1);
    answers[me] = ok(another);
    clock.mockImplementation(() => begun + 10_000);
    for (let i = 0; i < 5; i += 1) returnToIt();
    await toastSaying(nowBea);
    await screen.findAllByText("bea@example.com");
    expect(screen.queryByText("ada@example.com")).toBeNull();
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(window.earlyAnswers.size).toBe(0);
    expect(named(me)).toHaveLength(2);
  });
}

test("a visitor who signed in elsewhere sees the offers of that account when the page comes back", async () => {
  const { answers, named, queries } = visit("/", { "GET /api/offers": ok([{ ...premium, amount: 700 }]) });
  await screen.findAllByText("$7");
  await waitFor(() => expect(queries.isFetching()).toBe(0));
  Object.assign(answers, { [me]: ok(ada), "GET /api/offers": ok([{ ...premium, amount: 900 }]) });
  restore();
  await screen.findAllByText("$9");
  expect(named("GET /api/offers")).toHaveLength(2);
});

for (const noticed of ["on the way back", "by a refused call"]) {
  test(`signing out elsewhere, noticed ${noticed}, leads to sign-in, and the next account sees nothing of the one before`, async () => {
    const { answers, queries, named } = visit("/dashboard/payments", {
      ...asAda,
      "GET /api/payments": ok([]),
    });
    await screen.findByRole("heading", { name: "Payments" });
    await waitFor(() => expect(queries.isFetching()).toBe(0));
    answers[me] = signedOut;
    if (noticed === "on the way back") {
      restore();
      await toastSaying("You are no longer signed in on this browser.");
    } else {
      answers["GET /api/tickets"] = signedOut;
      await queries.invalidateQueries({ queryKey: ["tickets"] });
    }
    await waitFor(() => expect(location.pathname).toBe("/login"));
    await screen.findByRole("button", { name: "Login" });
    Object.assign(answers, { ...asAda, [me]: ok(another) });
    restore();
    await waitFor(() =>
      expect(named("GET /api/payments").map(({ headers }) => headers.get("x-account"))).toEqual([
        ada.id,
        "another",
      ]),
    );
    expect(screen.queryByText(nowBea)).toBeNull();
  });
}

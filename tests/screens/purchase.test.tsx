import { expect, spyOn, test } from "bun:test";
import { screen, waitFor } from "@testing-library/react";
import { type Answers, limitedFor, ok, refused, silence, toastSaying, unreachable, visit } from "./browser";

const key = "GET /api/functions/get-stripe-key";
const checkout = "POST /api/stripe/create-checkout-session";
const bareKey = () => Response.json({ key: "pk_test_1" });
const url = "https://pay.example/c/cs_1";

async function press(answers: Answers) {
  const page = visit("/", answers);
  const button = await screen.findByRole("button", { name: "Purchase Premium" });
  await page.user.click(button);
  return { ...page, button };
}

test("the button says that a checkout is being opened, and can't be pressed twice", async () => {
  const { button, user, named } = await press({ [key]: silence });
  expect(button.textContent).toBe("Opening checkout…");
  expect(button.getAttribute("aria-busy")).toBe("true");
  await user.click(button);
  expect(named(key)).toHaveLength(1);
});

test("payment is in US dollars on the provider's page", async () => {
  const assign = spyOn(window.location, "assign").mockImplementation(() => {});
  const { sent, button } = await press({ [key]: bareKey, [checkout]: ok({ id: "cs_1", url }) });
  await waitFor(() => expect(assign).toHaveBeenCalledWith(url));
  expect(sent(checkout)).toEqual([{ currency: "usd", offer: "premium" }]);
  // It stays busy until the browser has left.
  expect(button.getAttribute("aria-busy")).toBe("true");
});

test("the provider's page opens although the shop does not tell the key", async () => {
  for (const answer of [unreachable, refused(429, "Too many requests")]) {
    const assign = spyOn(window.location, "assign").mockImplementation(() => {});
    await press({ [key]: answer, [checkout]: ok({ id: "cs_1", url }) });
    await waitFor(() => expect(assign).toHaveBeenCalledWith(url));
  }
});

test("after too many tries the button counts down, and nothing else repeats it", async () => {
  const { button } = await press({ [key]: bareKey, [checkout]: limitedFor(42) });
  const waiting = await screen.findByRole("button", { name: /^Try again in 4[012] s$/ });
  expect(waiting).toHaveProperty("disabled", true);
  expect(screen.queryByText("Too many requests")).toBeNull();
  expect(button.isConnected).toBe(false);
});

const failures: Record<string, [Answers, string]> = {
  "no key in the answer": [{ [key]: () => Response.json({ key: "" }) }, "Failed to fetch Stripe key."],
  "no answer about the key or the checkout": [
    { [key]: unreachable, [checkout]: unreachable },
    "An error occurred during the purchase process.",
  ],
  "no answer about the checkout": [
    { [key]: bareKey, [checkout]: unreachable },
    "An error occurred during the purchase process.",
  ],
  "a checkout without an address": [
    { [key]: bareKey, [checkout]: ok({ id: "cs_1", url: "" }) },
    "Failed to create checkout session.",
  ],
  "a proxy's page in place of an answer": [
    { [key]: bareKey, [checkout]: () => new Response("<h1>Bad Gateway</h1>", { status: 502 }) },
    "Failed to create checkout session.",
  ],
  "the payment provider's refusal": [
    { [key]: bareKey, [checkout]: refused(502, "Your account cannot currently make live charges.") },
    "Your account cannot currently make live charges.",
  ],
  "too many tries": [
    { [key]: bareKey, [checkout]: refused(429, "Too many requests, please try again in 40 seconds") },
    "Too many requests, please try again in 40 seconds",
  ],
};

for (const [name, [answers, sentence]] of Object.entries(failures)) {
  test(`after ${name} it says '${sentence}' and can be pressed again`, async () => {
    const { button } = await press(answers);
    expect((await toastSaying(sentence)).dataset.type).toBe("error");
    expect(button.textContent).toBe("Purchase Premium");
    expect(button.getAttribute("aria-busy")).toBe("false");
    // The sentence stays beside the button when the toast is gone.
    const beside = document.getElementById(button.getAttribute("aria-describedby") ?? "");
    expect(beside?.textContent).toBe(sentence);
  });
}

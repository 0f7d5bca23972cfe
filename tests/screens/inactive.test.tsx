/** The License page without an active licence; Home and License with a dispute or a bought key that isn't in use. */
import { describe, expect, test } from "bun:test";
import { screen, waitFor, within } from "@testing-library/react";
import type { Licence } from "@/contract/wire/licences";
import type { Offer } from "@/contract/wire/offers";
import { ada, type Answers, asAda, licence, ok, premium, refused, toastSaying, visit } from "./browser";

const month: Offer = { ...premium, id: "month", name: "One month", amount: 250, days: 30 };

/** Ada with these licenses, in a shop with one offer. */
const holding = (...licences: Licence[]): Answers => ({
  ...asAda,
  "GET /api/user/me": ok({ ...ada, active_license: licences.some(({ active }) => active) }),
  "GET /api/licenses/me": ok(licences),
});

const card = async () => within(await screen.findByRole("region", { name: "License status" }));
const actionsOf = async () =>
  (await card()).queryAllByRole("link").map((link) => [link.textContent, link.getAttribute("href")]);

const support = ["Ask support", "/dashboard/tickets"];
const payment = ["See the payment", "/dashboard/transaction?payment_intent=pi_1"];

const cases: [Licence, RegExp, RegExp, string[][]][] = [
  [
    licence("disputed"),
    /^Your license is on hold because its payment/,
    /withdraw the dispute/,
    [support, payment],
  ],
  [licence("suspended"), /^Your license is suspended/, /lift the suspension/, [support]],
  [licence("refunded"), /its payment was refunded/, /buy another license/, [payment]],
  [licence("revoked"), /^Your license was revoked/, /doesn't come back by itself/, [support, payment]],
  [
    licence("expired", { expiry_date: "2026-02-01T12:00:00.000Z" }),
    /^Your license has expired/,
    /Renew the license/,
    [],
  ],
  [licence("other_mode"), /^Your license doesn't count here/, /write to us/, [support, payment]],
];

describe("the License page", () => {
  for (const [one, title, next, actions] of cases) {
    test(`says why a license that is ${one.status} isn't active, what happens next and what to do`, async () => {
      visit("/dashboard/license", holding(one));
      const text = await card();
      text.getByRole("heading", { name: title });
      text.getByText(next);
      expect(await actionsOf()).toEqual(actions);
    });
  }

  test("says nothing about inactive licenses to a customer with an active one", async () => {
    visit("/dashboard/license", holding(licence("active"), licence("refunded")));
    await screen.findByText("Active");
    expect(screen.queryByRole("region", { name: "License status" })).toBeNull();
  });
});

for (const page of ["/dashboard", "/dashboard/license"]) {
  describe(page, () => {
    test("offers a customer with a disputed payment nothing to buy, whatever other licenses they had", async () => {
      visit(page, {
        ...holding(licence("expired", { expiry_date: "2026-02-01T12:00:00.000Z" }), licence("disputed")),
        "GET /api/offers": ok([premium, month]),
      });
      expect((await card()).getAllByText(/bank/).length).toBeGreaterThan(0);
      await screen.findByText(page === "/dashboard" ? "Online" : "Disputed");
      expect(document.body.textContent).not.toMatch(/\b(buy|renew|purchase|get a license)\b/i);
    });

    test("offers a bought key that isn't in use, and adds it with one click", async () => {
      const key = "WISP-7K3M-QX9T-0B2C-ZZ8V";
      const unused = { key, name: "One month", days: 30, payment_id: "pi_2" };
      const { user, answers, sent } = visit(page, {
        ...holding(licence("expired", { expiry_date: "2026-02-01T12:00:00.000Z" })),
        "GET /api/licenses/unused": ok([unused]),
        "POST /api/licenses/redeem": ok({ expiry_date: "2026-03-01T12:00:00.000Z" }),
      });
      const waiting = within(await screen.findByRole("region", { name: "Unused key" }));
      waiting.getByRole("heading", { name: "You have a key that isn't in use." });
      waiting.getByText(key);
      await waitFor(async () => expect((await card()).queryByRole("link")).toBeNull());
      (await card()).getByText("Your account stays as it is. Add your key to go on.");
      answers["GET /api/licenses/unused"] = ok([]);
      await user.click(waiting.getByRole("button", { name: "Add it" }));
      await toastSaying("Successfully redeemed key, expires Mar 1, 2026 at 12:00 PM");
      expect(sent("POST /api/licenses/redeem")).toMatchObject([{ key }]);
      await waitFor(() => expect(screen.queryByRole("region", { name: "Unused key" })).toBeNull());
    });
  });
}

test("a refused key says why, and stays", async () => {
  const unused = { key: "WISP-7K3M-QX9T-0B2C-ZZ8V", name: "One month", days: 30, payment_id: "pi_2" };
  const sentence = "This license has been suspended";
  const { user } = visit("/dashboard", {
    ...holding(licence("active")),
    "GET /api/licenses/unused": ok([unused, { ...unused, key: "WISP-AAAA" }]),
    "POST /api/licenses/redeem": refused(409, sentence, { code: "license_suspended" }),
  });
  await screen.findByText(/and 1 more/);
  await user.click(await screen.findByRole("button", { name: "Add it" }));
  await toastSaying(sentence);
  screen.getByRole("button", { name: "Add it" });
});

test("the table says beside the status why a license is inactive", async () => {
  visit("/dashboard/license", holding(licence("refunded"), licence("suspended"), licence("revoked")));
  const table = within(await screen.findByRole("table", { name: "Licenses" }));
  const states = table
    .getAllByRole("row")
    .slice(1)
    .map((row) => row.querySelector("td")?.textContent);
  expect(states).toEqual(["InactivePayment refunded", "InactiveSuspended by support", "InactiveRevoked"]);
});

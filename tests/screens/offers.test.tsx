import { beforeEach, describe, expect, type Mock, spyOn, test } from "bun:test";
import { screen, waitFor, within } from "@testing-library/react";
import { featureLabels } from "@/brand/feature-labels";
import type { Licence } from "@/contract/wire/licences";
import type { Offer } from "@/contract/wire/offers";
import { priceText } from "@/contract/vocabulary/money";
import { saleText } from "@/contract/wire/offer-term";
import { day } from "@/contract/vocabulary/time";
import { runsText } from "@/web/screens/dashboard/license/runs";
import { type Answers, asAda, hasFocus, lifetime, ok, premium, refused, visit } from "./browser";

const checkout = "POST /api/stripe/create-checkout-session";
const check = "POST /api/offers/code";
const month: Offer = { ...premium, id: "month", name: "One month", amount: 250, days: 30 };
const monthly: Offer = {
  ...premium,
  id: "month",
  name: "A month",
  amount: 300,
  recurring: { interval: "month", trial_days: 7 },
};
const selling = (...offers: Offer[]): Answers => ({
  "GET /api/offers": ok(offers),
  "GET /api/functions/get-stripe-key": () => Response.json({ key: "pk_test_1" }),
  [checkout]: ok({ id: "cs_1", url: "https://pay.example/c/cs_1" }),
});
const both = selling(premium, month);

let leave: Mock<typeof location.assign>;
beforeEach(() => {
  leave = spyOn(window.location, "assign").mockImplementation(() => {});
});

const premiumCard = async () => {
  const card = (await screen.findByRole("heading", { level: 3, name: "Premium" })).closest("li");
  if (!card) throw new Error("no card");
  return within(card);
};
const ordered = async (page: ReturnType<typeof visit>) => {
  await waitFor(() => expect(leave).toHaveBeenCalled());
  return page.sent(checkout);
};

test("prices are written as on the product cards, and terms in days", () => {
  expect(priceText(500, "usd")).toBe("$5");
  expect(priceText(250, "usd")).toBe("$2.50");
  expect(priceText(500, "jpy")).toBe("¥500");
  const terms = [null, 1, 30].map((days) => saleText({ ...premium, days }));
  expect(terms).toEqual(["Lifetime", "1 day", "30 days"]);
});

describe("the Premium card", () => {
  test("offers no choice when only one thing is sold", async () => {
    visit("/", selling(premium));
    const card = await premiumCard();
    await card.findByRole("button", { name: "Purchase Premium" });
    expect(card.queryByRole("radio")).toBeNull();
    card.getByText("One payment of $5.00. The license never expires.");
  });

  test("shows the price in the shop's currency", async () => {
    visit("/", selling({ ...premium, currency: "eur" }));
    const card = await premiumCard();
    await card.findByText("€5");
    card.getByText("One payment of €5.00. The license never expires.");
  });

  test("shows the chosen offer's price, and buys that offer", async () => {
    const page = visit("/", both);
    const card = await premiumCard();
    const second = await card.findByRole("radio", { name: /One month/ });
    expect(card.getByRole("radio", { name: /Wisp Premium/ })).toHaveProperty("checked", true);
    await page.user.click(second);
    expect(card.getAllByText("$2.50")).toHaveLength(2);
    expect(card.getAllByText("30 days")).toHaveLength(2);
    await page.user.click(card.getByRole("button", { name: "Purchase Premium" }));
    expect(await ordered(page)).toEqual([{ currency: "usd", offer: "month" }]);
    page.unmount();
    // Back from Stripe's page
    visit(null, both);
    const again = await (await premiumCard()).findByRole("radio", { name: /One month/ });
    expect(again).toHaveProperty("checked", true);
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  test("fetches the offers again if the chosen one was retired in the meantime", async () => {
    const sentence = "That offer is not for sale";
    const page = visit("/", {
      ...both,
      [checkout]: refused(400, sentence, { code: "offer_unknown", field: "offer" }),
    });
    const card = await premiumCard();
    await page.user.click(await card.findByRole("radio", { name: /One month/ }));
    page.answers["GET /api/offers"] = ok([premium]);
    await page.user.click(card.getByRole("button", { name: "Purchase Premium" }));
    await card.findByText(sentence);
    await waitFor(() => expect(card.queryByRole("radio")).toBeNull());
    card.getByText("$5");
    card.getByText("Lifetime");
  });

  test("opens with the offer of a link chosen, in a list or not", async () => {
    const secret = { ...month, id: "secret", name: "For friends" };
    const shop: Answers = {
      ...both,
      "GET /api/offers": (call) => {
        const id = call.query.get("id");
        return ok(id === null ? [premium, month] : [month, secret].filter((one) => one.id === id))();
      },
    };
    const page = visit("/?offer=secret", shop);
    expect(await (await premiumCard()).findByRole("radio", { name: /For friends/ })).toHaveProperty(
      "checked",
      true,
    );
    page.unmount();
    const listed = visit("/?offer=month", shop);
    const second = await (await premiumCard()).findByRole("radio", { name: /One month/ });
    expect(second).toHaveProperty("checked", true);
    listed.unmount();
    visit("/?offer=gone", shop);
    const card = await premiumCard();
    await card.findByText("The offer in your link isn't on sale.");
    expect(card.getByRole("radio", { name: /Wisp Premium/ })).toHaveProperty("checked", true);
  });

  test("still sells if the offers can't be fetched", async () => {
    const page = visit("/", { ...both, "GET /api/offers": refused(400, "No") });
    const card = await premiumCard();
    await page.user.click(await card.findByRole("button", { name: "Purchase Premium" }));
    expect(await ordered(page)).toEqual([{ currency: "usd", offer: "premium" }]);
  });

  test("keeps the applied code across pages of the site", async () => {
    const answers = {
      ...selling(premium),
      [check]: ok({ amount: 400, off: 100, lasts: "once", sure: true }),
    };
    const page = visit("/?code=LAUNCH", answers);
    await (await premiumCard()).findByText("LAUNCH");
    page.unmount();
    const again = visit("/", answers);
    await (await premiumCard()).findByText("LAUNCH");
    await again.user.click(screen.getByRole("button", { name: "Purchase Premium" }));
    expect(await ordered(again)).toEqual([{ currency: "usd", offer: "premium", code: "LAUNCH" }]);
    sessionStorage.clear();
  });

  test("has a door to a gift, which begins with their email", async () => {
    const page = visit("/", selling(premium));
    await page.user.click((await premiumCard()).getByRole("link", { name: "Send as a gift" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Send Wisp as a gift" }));
    await waitFor(() => expect(hasFocus(dialog.getByLabelText("Their email"))).toBe(true));
    await page.user.type(dialog.getByLabelText("From"), "Ada");
    dialog.getByText("Ada sent you Wisp Premium.");
  });

  test("says how to go on from a phone", async () => {
    visit("/", selling(premium));
    (await premiumCard()).getByText("We email you the key; install it on your computer later.");
  });

  for (const [who, offers] of [
    ["where one thing is sold", [{ ...premium, adds: false }]],
    ["among several", [premium, month].map((offer) => ({ ...offer, adds: false }))],
  ] as const) {
    test(`warns the owner of a lifetime licence that it would add nothing, ${who}`, async () => {
      visit("/", { ...asAda, ...selling(...offers) });
      const card = await premiumCard();
      await card.findByText(/would add nothing/);
      card.getByRole("button", { name: "Purchase Premium" });
    });
  }
});

describe("an order of several keys, or of a gift", () => {
  const order = () => screen.findByRole("dialog").then(within);

  test("begins with a link in any shop", async () => {
    const page = visit("/?quantity=3", selling(premium));
    const form = await order();
    expect(form.getByLabelText<HTMLInputElement>("How many keys").value).toBe("3");
    form.getByRole("heading", { name: "Buy more than one" });
    form.getByText("$15");
    form.getByText("One payment of $15.00. The keys never expire.");
    await page.user.click(form.getByRole("button", { name: "Purchase 3 keys" }));
    expect(await ordered(page)).toEqual([{ currency: "usd", offer: "premium", quantity: 3 }]);
  });

  test("goes without a code that is good for one key, which counts again for one", async () => {
    const sentence = "That code takes off the whole price";
    const page = visit("/?quantity=3&code=FREE", {
      ...selling(premium),
      [check]: ({ body }) =>
        (body as { quantity: number }).quantity > 1
          ? Response.json(
              { status: 400, data: sentence, code: "code_for_one", field: "code" },
              { status: 400 },
            )
          : Response.json({ status: 200, data: { amount: 0, off: 500, lasts: "once", sure: true } }),
    });
    const form = await order();
    await form.findByText(`: ${sentence}`);
    await page.user.click(form.getByRole("button", { name: "Purchase 3 keys" }));
    expect(await ordered(page)).toEqual([{ currency: "usd", offer: "premium", quantity: 3 }]);
    await page.user.clear(form.getByLabelText("How many keys"));
    await page.user.type(form.getByLabelText("How many keys"), "1");
    await form.findByText("You pay nothing. The license never expires.");
    sessionStorage.clear();
  });

  for (const wrong of ["0", "1.5", "101", ""]) {
    test(`of '${wrong}' keys isn't sent`, async () => {
      const page = visit("/?quantity=3", selling(premium));
      const form = await order();
      const field = form.getByLabelText<HTMLInputElement>("How many keys");
      await page.user.clear(field);
      if (wrong) await page.user.type(field, wrong);
      await page.user.click(form.getByRole("button", { name: "Purchase" }));
      expect(field.getAttribute("aria-invalid")).toBe("true");
      form.getByText("Choose from 1 to 100");
      expect(document.activeElement).toBe(field);
      expect(page.named(checkout)).toEqual([]);
    });
  }

  test("as a gift names its receiver, and omits fields that were left empty", async () => {
    const page = visit("/?gift", both);
    const form = await order();
    await page.user.click(form.getByRole("radio", { name: /One month/ }));
    await page.user.click(form.getByRole("button", { name: "Purchase gift" }));
    form.getByText("Enter an email address");
    expect(document.activeElement).toBe(form.getByLabelText("Their email"));
    await page.user.type(form.getByLabelText("Their email"), "bob@example.com");
    await page.user.type(form.getByLabelText("Message"), "Happy birthday!");
    await page.user.click(form.getByRole("button", { name: "Purchase gift" }));
    const gift = { email: "bob@example.com", message: "Happy birthday!" };
    expect(await ordered(page)).toEqual([{ currency: "usd", offer: "month", gift }]);
  });

  test("continues with the first offer if the chosen one was retired in the meantime", async () => {
    const page = visit("/?quantity=3", {
      ...both,
      [checkout]: refused(400, "That offer is not for sale", { code: "offer_unknown", field: "offer" }),
    });
    const form = await order();
    await page.user.click(form.getByRole("radio", { name: /One month/ }));
    form.getByText("3 × One month");
    page.answers["GET /api/offers"] = ok([premium]);
    await page.user.click(form.getByRole("button", { name: "Purchase 3 keys" }));
    await form.findByText("3 × Wisp Premium");
    form.getByText("$15");
  });

  test("is as it was left after Back from Stripe's page, on the landing page and on License", async () => {
    for (const path of ["/", "/dashboard/license"]) {
      const answers = { ...asAda, ...both };
      const page = visit(path, answers);
      await page.user.click(await screen.findByRole("link", { name: "Send as a gift" }));
      const form = await order();
      await page.user.click(form.getByRole("radio", { name: /One month/ }));
      await page.user.type(form.getByLabelText("Their email"), "bob@example.com");
      await page.user.type(form.getByLabelText("From"), "Ada");
      await page.user.type(form.getByLabelText("Message"), "Happy birthday!");
      await page.user.click(form.getByRole("button", { name: "Purchase gift" }));
      const [first] = (await ordered(page)).slice(-1);
      page.unmount();
      leave.mockClear();
      const back = visit(null, answers);
      const again = await order();
      await back.user.click(again.getByRole("button", { name: "Purchase gift" }));
      expect(await ordered(back)).toEqual([first]);
      await back.user.keyboard("{Escape}");
      await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
      expect(screen.getByRole("radio", { name: /One month/ })).toHaveProperty("checked", true);
      back.unmount();
      leave.mockClear();
    }
  });

  test("opens from the card when several things are sold, and closes again", async () => {
    const { user } = visit("/", both);
    const opener = await screen.findByRole("link", { name: "Buy more than one" });
    await user.click(opener);
    await order();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(document.activeElement).toBe(opener);
  });
});

test("a signed-in buyer learns before paying that it is added to their account, and how to give it instead", async () => {
  const page = visit("/", { ...asAda, ...selling({ ...premium, adds: true }) });
  const card = await premiumCard();
  await card.findByText("It's added to your account after payment.");
  // and again after it was closed
  for (let time = 0; time < 2; time += 1) {
    await page.user.click(card.getByRole("link", { name: "Send as a gift" }));
    const dialog = within(await screen.findByRole("dialog"));
    await dialog.findByLabelText("Their email");
    await page.user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  }
});

test("the card of a subscription says what is charged, and its button what it begins", async () => {
  const page = visit("/", selling(premium, monthly));
  const card = await premiumCard();
  await page.user.click(await card.findByRole("radio", { name: /A month.*7 days free.*\$3 \/ month/ }));
  card.getByText("/ month · 7 days free");
  card.getByText(/^Free until \w{3} \d+(, \d{4})?, then \$3\.00 a month\. Cancel any time\.$/);
  await page.user.click(card.getByRole("button", { name: "Start free trial" }));
  expect(await ordered(page)).toEqual([{ currency: "usd", offer: "month" }]);
});

describe("inside the dashboard", () => {
  const timed: Licence = { ...lifetime, expiry_date: new Date(Date.now() + day).toISOString() };
  const holding = (...licences: Licence[]): Answers => ({
    ...asAda,
    ...both,
    "GET /api/licenses/me": ok(licences),
  });

  test("a customer whose licence is about to end renews it with the timed offer", async () => {
    const page = visit("/dashboard/license", holding(timed));
    await page.user.click(await screen.findByRole("button", { name: "Renew" }));
    expect(await ordered(page)).toEqual([{ currency: "usd", offer: "month" }]);
  });

  test("a customer whose timed licence was revoked buys one anew", async () => {
    const page = visit("/dashboard/license", holding({ ...timed, active: false, status: "revoked" }));
    await page.user.click(await screen.findByRole("button", { name: "Purchase Premium" }));
    expect(await ordered(page)).toEqual([{ currency: "usd", offer: "premium" }]);
  });

  test("a customer whose licence ends upgrades it to a lifetime", async () => {
    const page = visit("/dashboard/license", { ...holding(timed), ...selling(premium) });
    const card = within(await screen.findByRole("region", { name: "Renew" }));
    card.getByRole("heading", { name: "Upgrade to lifetime" });
    await page.user.click(card.getByRole("button", { name: "Upgrade to lifetime" }));
    expect(await ordered(page)).toEqual([{ currency: "usd", offer: "premium" }]);
  });

  test("only what adds something is sold to the holder of a licence", async () => {
    visit("/dashboard/license", {
      ...holding({ ...timed, expiry_date: null }),
      ...selling(
        { ...premium, adds: false },
        { ...premium, id: "studio", name: "Studio", devices: 3, adds: true },
      ),
    });
    const card = within(await screen.findByRole("region", { name: "Buy" }));
    card.getByText("Lifetime, 3 computers");
    expect(card.queryByRole("radio")).toBeNull();
  });

  test("one offer is sold too, without a choice", async () => {
    const page = visit("/dashboard/license", { ...holding(), ...selling(premium) });
    const card = within(await screen.findByRole("region", { name: "Buy" }));
    card.getByRole("heading", { name: "Get Wisp Premium" });
    card.getByText("$5");
    card.getByText("It's added to your account after payment.");
    expect(card.queryByRole("radio")).toBeNull();
    await page.user.click(card.getByRole("button", { name: "Purchase Premium" }));
    expect(await ordered(page)).toEqual([{ currency: "usd", offer: "premium" }]);
  });

  const now = new Date("2026-11-23T12:00:00.000Z");
  const until = (end: string, more: Partial<Licence> = {}) => ({ ...timed, expiry_date: end, ...more });
  for (const [what, offer, licences, text] of [
    [
      "how much later it would end",
      month,
      [until("2026-12-23T12:00:00.000Z"), until("2026-12-03T12:00:00.000Z")],
      "It extends your license from Dec 23, 2026 to Jan 22, 2027.",
    ],
    [
      "until when it would run",
      month,
      [until("2026-11-20T12:00:00.000Z", { status: "expired" })],
      "It runs until Dec 23, 2026.",
    ],
    [
      "what a lifetime would replace",
      premium,
      [until("2026-12-23T12:00:00.000Z")],
      "Your license now ends Dec 23, 2026.",
    ],
    [
      "what a subscription would run beside",
      monthly,
      [until("2026-12-23T12:00:00.000Z")],
      "It runs alongside your license, which ends Dec 23, 2026.",
    ],
  ] as const) {
    test(`the card says ${what}`, () => expect(runsText(offer, licences, now)).toBe(text));
  }
});

describe("offers of several levels", () => {
  const level = { id: "team", name: "Team" };
  const team: Offer = {
    ...premium,
    id: "team",
    amount: 900,
    level,
    includes: ["premium"],
    features: ["export"],
  };
  const grouped = async () => within(await screen.findByRole("group", { name: "Team" }));

  test("stand by level, the price first, then what it adds, as the brand names it", async () => {
    featureLabels["sync"] = "Sync between computers";
    const shop = selling(
      premium,
      { ...team, features: ["constructor", "sync"] },
      { ...team, id: "days", days: 30, amount: 300 },
    );
    visit("/dashboard/license", { ...asAda, ...shop, "GET /api/licenses/me": ok([]) });
    const group = await grouped();
    delete featureLabels["sync"];
    const texts = [
      "Team",
      "from $3",
      `Everything in ${premium.level.name}`,
      "constructor",
      "Sync between computers",
    ];
    const card = screen.getByRole("group", { name: "Team" }).textContent ?? "";
    expect(card).toStartWith(texts.join(""));
    expect(group.getAllByRole("radio")).toHaveLength(2);
  });

  test("that add nothing are not sold on the page of plans, and are told so beside others", async () => {
    const shop = selling({ ...premium, adds: false }, { ...team, adds: true });
    const held = { ...lifetime, level };
    const { unmount } = visit("/dashboard/license", {
      ...asAda,
      ...shop,
      "GET /api/licenses/me": ok([held]),
    });
    const card = within(await screen.findByRole("region", { name: "Buy" }));
    card.getByRole("heading", { name: "Get Team" });
    expect((await card.findByRole("group", { name: "Team" })).textContent).toContain("$9");
    expect(card.queryByRole("radio")).toBeNull();
    unmount();
    visit("/", { ...asAda, ...shop });
    await (
      await premiumCard()
    ).findByText(
      `Your license already includes ${premium.level.name}, so this would add nothing to it. You can send it as a gift.`,
    );
  });

  test("show a hidden one beside the others while its link is open, and no longer", async () => {
    const secret = { ...team, id: "secret", name: "For friends" };
    const page = visit("/?offer=secret", {
      ...asAda,
      ...selling(premium),
      "GET /api/offers": ({ query }) => ok(query.get("id") === "secret" ? [secret] : [premium])(),
      "GET /api/licenses/me": ok([]),
    });
    expect((await grouped()).getByRole("radio", { name: /For friends/ })).toHaveProperty("checked", true);
    screen.getByRole("button", { name: "Buy Team" });
    page.unmount();
    visit("/dashboard/license", page.answers);
    const card = within(await screen.findByRole("region", { name: "Buy" }));
    expect(card.queryByText("For friends")).toBeNull();
  });
});

test("a subscription says how often it is paid, and can't be bought several times or as a gift", async () => {
  const { user } = visit("/dashboard/license", {
    ...asAda,
    "GET /api/licenses/me": ok([]),
    "GET /api/subscriptions": ok([]),
    ...selling(premium, monthly),
  });
  const card = within(await screen.findByRole("region", { name: "Buy" }));
  const choice = card.getByRole("radio", { name: /A month/ });
  expect(choice.closest("label")?.textContent).toBe("A month7 days free$3 / month");
  await user.click(choice);
  card.getByText(/^Free until .* a month\. Cancel any time\.$/);
  card.getByRole("button", { name: "Start free trial" });
  for (const [door, sentence] of [
    ["Send as a gift", "A subscription can't be a gift. This gift is Wisp Premium."],
    ["Buy more than one", "A subscription is bought one at a time. This order is for Wisp Premium."],
  ] as const) {
    await user.click(card.getByRole("link", { name: door }));
    const dialog = within(await screen.findByRole("dialog"));
    expect(dialog.queryByText("A month")).toBeNull();
    dialog.getByText(sentence);
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  }
});

test("an order for several says nothing about subscriptions to who chose none", async () => {
  const { user } = visit("/", selling(premium, monthly));
  await user.click(await screen.findByRole("link", { name: "Buy more than one" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.queryByText(/subscription/)).toBeNull();
});

for (const path of ["/", "/?gift", "/dashboard/license"])
  test(`in a shop that sells only subscriptions, nothing leads to an order of several, on ${path}`, async () => {
    visit(path, {
      ...asAda,
      "GET /api/subscriptions": ok([]),
      ...selling(monthly, { ...monthly, id: "year", name: "A year" }),
    });
    await screen.findByRole("radio", { name: /A year/ });
    expect(screen.queryAllByText(/as a gift|more than one/).length).toBe(0);
    expect(screen.queryAllByRole("dialog").length).toBe(0);
  });

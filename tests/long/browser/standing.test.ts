import { expect, test } from "bun:test";
import { day } from "@/contract/vocabulary/time";
import { operated } from "../../support/operator/run-operator";
import type { Person } from "../../support/people/person";
import { release } from "../../support/shop/publish-release";
import { openShop } from "../../support/shop/shop-in-browser";
import type { Stage } from "../../support/shop/stage";
import { sizes, tooWide } from "../../browser/browser";
import { visit } from "../../browser/visit";

const why = ["--reason", "a story"];

/** Someone who registered with a key that they had bought. */
async function buyerOf(stage: Stage, username: string) {
  const person = stage.person();
  const { key, sessionId } = await stage.buy(`${username}@example.com`);
  expect((await person.register(key, username)).status).toBe(200);
  return { person, key, sessionId };
}

/** Somebody with a key for some days. */
async function holderOf(stage: Stage, days: number, username: string) {
  const person = stage.person();
  expect((await person.register(await stage.handOut(days), username)).status).toBe(200);
  return person;
}

type Fate = {
  befall: (stage: Stage) => Promise<Person>;
  /** How Home's first card begins, and its first action. */
  home: [RegExp, string];
  /** The License page's one prominent button; null: that of the card that sells. */
  prominent: string | null;
};

/** One customer of each layout; `screens/standing` has every state. Who needs a later day comes last, because that moves the clock. */
const fates: Record<string, Fate> = {
  active: {
    befall: async (stage) => (await buyerOf(stage, "ada")).person,
    home: [/^Wisp Premium · Active · for life$/, "Download for Linux (opens in a new tab)"],
    prominent: "Download for Linux (opens in a new tab)",
  },
  ending: {
    befall: (stage) => holderOf(stage, 5, "enid"),
    home: [/^Wisp Premium · Active · until \w{3} \d+, \d{4}$/, "Upgrade to lifetime · $5"],
    prominent: null,
  },
  disputed: {
    async befall(stage) {
      const { person, sessionId } = await buyerOf(stage, "dora");
      await stage.atStripe("dispute", { session: sessionId, status: "needs_response" });
      return person;
    },
    home: [/^Wisp Premium · Disputed$/, "Ask support"],
    prominent: "Ask support",
  },
  revoked: {
    async befall(stage) {
      const { person, key } = await buyerOf(stage, "rex");
      await operated(stage, "licences", "revoke", key, ...why);
      return person;
    },
    home: [/^Wisp Premium · Revoked$/, "Ask support"],
    prominent: "Ask support",
  },
  expired: {
    async befall(stage) {
      const person = await holderOf(stage, 1, "eve");
      stage.advance(2 * day);
      return person;
    },
    home: [/^Wisp Premium · Expired$/, "Buy Wisp Premium"],
    prominent: null,
  },
};

for (const [fate, { befall, home, prominent }] of Object.entries(fates)) {
  test(`Home and License tell a customer who is ${fate} where they stand and what to do now`, async () => {
    await using stage = await openShop({ env: { LIMITS: "own=1000/60" } });
    await release(stage, "1.0.0", { content: "One thing." });
    const person = await befall(stage);
    await stage.stripe.flush();
    for (const viewport of [sizes[2], sizes[0]]) {
      const { page, to, judge, close } = await visit(stage.url, { person, viewport, slowly: true });
      await to("/dashboard");
      const card = page.getByRole("region", { name: "License status" });
      expect(await card.getByRole("heading").innerText()).toMatch(home[0]);
      const action = card.locator("[data-slot=button].bg-primary");
      expect((await action.textContent())?.trim()).toBe(home[1]);
      if (fate === "disputed") {
        await card.getByText(/^Your USD 5\.00 payment is disputed\./).waitFor();
        expect(await page.getByText(/\b(buy|renew|upgrade)\b/i).count()).toBe(0);
      }
      await judge(`${fate}, Home at ${viewport.width}`);
      const narrower = viewport === sizes[2] ? [sizes[2], sizes[1]] : [sizes[0]];
      for (const size of narrower) {
        expect(await tooWide(page, [size])).toEqual([]);
        const box = await action.boundingBox();
        expect(box && box.y + box.height).toBeLessThan(size.height);
      }

      await page.setViewportSize(viewport);
      await to("/dashboard/license");
      await page.getByRole("region", { name: "Redeem" }).waitFor();
      const buttons = page.locator("main [data-slot=button].bg-primary");
      expect(await buttons.count()).toBe(1);
      if (prominent === null) expect(await page.locator("#buy .bg-primary").count()).toBe(1);
      else expect((await buttons.textContent())?.trim()).toBe(prominent);
      expect(await page.locator("#buy").count()).toBe(fate === "disputed" || fate === "active" ? 0 : 1);
      await judge(`${fate}, License at ${viewport.width}`);
      expect(await tooWide(page, narrower)).toEqual([]);
      await close();
    }
  });
}

test("License moves nothing where the histories below come before the cards above", async () => {
  await using stage = await openShop();
  const person = await holderOf(stage, 1, "eve");
  stage.advance(2 * day);
  const { page, judge, close } = await visit(stage.url, { person, slowly: true });
  const above = Promise.withResolvers<void>();
  await page.route("**/api/licenses/unused*", async (route) => {
    await above.promise;
    await route.continue();
  });
  const histories = page.waitForResponse("**/api/licenses/history*");
  await page.goto(new URL("/dashboard/license", stage.url).href);
  await (await histories).finished();
  above.resolve();
  await page.getByRole("region", { name: "History" }).waitFor();
  await judge("License", { axe: true });
  await close();
});

import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { day } from "@/contract/time";
import { operated } from "../support/operator/run-operator";
import type { Person } from "../support/people/person";
import { release } from "../support/shop/publish-release";
import { openShop } from "../support/shop/shop-in-browser";
import type { Stage } from "../support/shop/stage";
import {
  axeFindings,
  findingsAtBothWidths,
  openBrowser,
  shiftOf,
  signIn,
  sizes,
  still,
  watchShifts,
} from "./browser";

const browser = await openBrowser();
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
  /** The License page's one prominent button. */
  prominent: string;
};

/** Each kind of customer. Those who need a later day come last, because they move the clock. */
const fates: Record<string, Fate> = {
  active: {
    befall: async (stage) => (await buyerOf(stage, "ada")).person,
    home: [/^Wisp Premium · Active · for life$/, "Download for Linux (opens in a new tab)"],
    prominent: "Redeem",
  },
  timed: {
    befall: (stage) => holderOf(stage, 30, "tim"),
    home: [/^Wisp Premium · Active · until \w{3} \d+, \d{4}$/, "Download for Linux (opens in a new tab)"],
    prominent: "Renew",
  },
  ending: {
    befall: (stage) => holderOf(stage, 5, "enid"),
    home: [/^Wisp Premium · Active · until \w{3} \d+, \d{4}$/, "Renew"],
    prominent: "Renew",
  },
  disputed: {
    async befall(stage) {
      const { person, sessionId } = await buyerOf(stage, "dora");
      await stage.atStripe("dispute", { session: sessionId, status: "needs_response" });
      return person;
    },
    home: [/^Wisp Premium · Paused$/, "See payment"],
    prominent: "Ask support",
  },
  refunded: {
    async befall(stage) {
      const { person, sessionId } = await buyerOf(stage, "rhea");
      await stage.atStripe("refund", { session: sessionId });
      return person;
    },
    home: [/^Wisp Premium · Refunded$/, "Buy again"],
    prominent: "Buy",
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
  suspended: {
    async befall(stage) {
      const { person, key } = await buyerOf(stage, "sue");
      await operated(stage, "licences", "suspend", key, ...why);
      return person;
    },
    home: [/^Wisp Premium · Suspended$/, "Ask support"],
    prominent: "Ask support",
  },
  expired: {
    async befall(stage) {
      const person = await holderOf(stage, 1, "eve");
      stage.advance(2 * day);
      return person;
    },
    home: [/^Wisp Premium · Ended \w{3} \d+, \d{4}$/, "Renew"],
    prominent: "Renew",
  },
};

for (const [fate, { befall, home, prominent }] of Object.entries(fates)) {
  test(`Home and License tell a customer who is ${fate} where they stand and what to do now`, async () => {
    await using stage = await openShop({ env: { LIMITS: "own=1000/60" } });
    await release(stage, "1.0.0", { content: "One thing." });
    const person = await befall(stage);
    await stage.stripe.flush();
    for (const viewport of sizes) {
      const { page, wrong, close } = await visit(person, stage, viewport);
      await page.goto(new URL("/dashboard", stage.url).href, { waitUntil: "networkidle" });
      const card = page.getByRole("region", { name: "License status" });
      expect(await card.getByRole("heading").innerText()).toMatch(home[0]);
      const action = card.locator("[data-slot=button]").first();
      expect((await action.textContent())?.trim()).toBe(home[1]);
      const box = await action.boundingBox();
      expect(box && box.y + box.height).toBeLessThan(viewport.height);
      if (fate === "disputed") {
        await card.getByText("Your bank disputed USD 5.00. Paused until it decides.").waitFor();
        expect(await page.getByText(/\b(buy|renew)\b/i).count()).toBe(0);
      }
      await judge(page, wrong, `${fate}, Home at ${viewport.width}`);

      await page.goto(new URL("/dashboard/license", stage.url).href, { waitUntil: "networkidle" });
      await page.getByRole("region", { name: "Redeem" }).waitFor();
      const buttons = page.locator("main [data-slot=button].bg-primary");
      expect(await buttons.allTextContents()).toEqual([prominent]);
      expect(await page.getByRole("region", { name: /^(Buy|Renew)$/ }).count()).toBe(
        fate === "disputed" ? 0 : 1,
      );
      await judge(page, wrong, `${fate}, License at ${viewport.width}`);
      await close();
    }
  });
}

test("Renew on Home leads to the card that renews, without a detour", async () => {
  await using stage = await openShop();
  const person = await holderOf(stage, 5, "enid");
  const { page, close } = await visit(person, stage, sizes[0]);
  await page.goto(new URL("/dashboard", stage.url).href);
  await page.getByRole("link", { name: "Renew" }).click();
  const card = page.getByRole("region", { name: "Renew" });
  await card.getByText(/^Runs for life, now until /).waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Renew");
  expect(await card.getByRole("button", { name: "Renew" }).isVisible()).toBe(true);
  await close();
});

test("License moves nothing where the histories below come before the cards above", async () => {
  await using stage = await openShop();
  const person = await holderOf(stage, 1, "eve");
  stage.advance(2 * day);
  const { page, wrong, close } = await visit(person, stage, sizes[2]);
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
  await judge(page, wrong, "License");
  await close();
});

test("the first steps tick themselves and can be closed for good", async () => {
  await using stage = await openShop();
  await release(stage, "1.0.0", { content: "One thing." });
  const person = await holderOf(stage, 30, "tim");
  const { page, wrong, close } = await visit(person, stage, sizes[0]);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(new URL("/dashboard", stage.url).href, { waitUntil: "networkidle" });
  const steps = page.getByRole("region", { name: "First steps" });
  const fetched = page.waitForEvent("download");
  await steps.getByRole("link", { name: /^Download for Linux/ }).click();
  await fetched;
  await steps.getByText("Download the application (done)").waitFor();
  await steps.getByRole("button", { name: "Copy token" }).click();
  await steps.getByText("Copy your token into it (done)").waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toHaveLength(43);
  await judge(page, wrong, "Home with steps");
  await page.reload();
  await steps.getByText("Copy your token into it (done)").waitFor();
  await steps.getByRole("button", { name: "Close first steps" }).click();
  await page.reload({ waitUntil: "networkidle" });
  expect(await steps.count()).toBe(0);
  await close();
});

test("a bought key that isn't in use is added from the home page with one click", async () => {
  await using stage = await openShop();
  const person = stage.person();
  expect((await person.register(await stage.handOut(1), "eve")).status).toBe(200);
  const opened = await person.post("/api/stripe/create-checkout-session", { currency: "usd", quantity: 2 });
  await stage.atStripe("pay", { session: opened.body.data.id, email: "eve@example.com" });
  await stage.stripe.flush();
  const context = await browser.newContext({ ...still, viewport: { width: 1280, height: 900 } });
  await signIn(context, person, stage.url);
  const page = await context.newPage();
  await page.goto(new URL("/dashboard", stage.url).href);
  await page.getByRole("heading", { name: "You have a key that isn't in use." }).waitFor();
  expect(await findingsAtBothWidths(page)).toEqual([]);
  await page.getByRole("button", { name: "Add it" }).click();
  await page.getByText("Successfully redeemed key, expires never").waitFor();
  // to a lifetime the second would add nothing
  await page.getByRole("region", { name: "Unused key" }).waitFor({ state: "detached" });
  await context.close();
});

/** A page in a window of that size, signed in as somebody, whose calls take a moment. */
async function visit(person: Person, stage: Stage, viewport: { width: number; height: number }) {
  const context = await browser.newContext({ ...still, viewport });
  await signIn(context, person, stage.url);
  const page = await context.newPage();
  await watchShifts(page);
  const wrong: string[] = [];
  page.on("pageerror", (error) => void wrong.push(error.message));
  return { page, wrong, close: () => context.close() };
}

/** Nothing failed, moved by itself, is too wide, or is found by axe. */
async function judge(page: Page, wrong: string[], what: string) {
  const shift = await shiftOf(page);
  const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect([what, await axeFindings(page), shift <= 0.02 || shift, sideways, wrong]).toEqual([
    what,
    [],
    true,
    0,
    [],
  ]);
}

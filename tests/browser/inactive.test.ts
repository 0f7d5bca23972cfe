import { expect, test } from "bun:test";
import { day } from "@/contract/time";
import { operated } from "../support/operator/run-operator";
import type { Person } from "../support/people/person";
import { openShop } from "../support/shop/shop-in-browser";
import type { Stage } from "../support/shop/stage";
import { findingsAtBothWidths, openBrowser, signIn, still } from "./browser";

const browser = await openBrowser();
const why = ["--reason", "a story"];

/** Someone who registered with a key that they had bought. */
async function buyerOf(stage: Stage, username: string) {
  const person = stage.person();
  const { key, sessionId } = await stage.buy(`${username}@example.com`);
  expect((await person.register(key, username)).status).toBe(200);
  return { person, key, sessionId };
}

/** Each customer's event, and the title that the page then shows. */
const fates: Record<string, { title: RegExp; befall: (stage: Stage) => Promise<Person> }> = {
  disputed: {
    title: /on hold because its payment is disputed/,
    async befall(stage) {
      const { person, sessionId } = await buyerOf(stage, "dora");
      await stage.atStripe("dispute", { session: sessionId, status: "needs_response" });
      return person;
    },
  },
  refunded: {
    title: /has ended because its payment was refunded/,
    async befall(stage) {
      const { person, sessionId } = await buyerOf(stage, "rhea");
      await stage.atStripe("refund", { session: sessionId });
      return person;
    },
  },
  revoked: {
    title: /was revoked/,
    async befall(stage) {
      const { person, key } = await buyerOf(stage, "rex");
      await operated(stage, "licences", "revoke", key, ...why);
      return person;
    },
  },
  suspended: {
    title: /is suspended/,
    async befall(stage) {
      const { person, key } = await buyerOf(stage, "sue");
      await operated(stage, "licences", "suspend", key, ...why);
      return person;
    },
  },
  expired: {
    title: /has expired/,
    async befall(stage) {
      const person = stage.person();
      expect((await person.register(await stage.handOut(1), "eve")).status).toBe(200);
      stage.advance(2 * day);
      return person;
    },
  },
};

test("Home and License say why nothing is active, on every screen", async () => {
  await using stage = await openShop();
  for (const [fate, { title, befall }] of Object.entries(fates)) {
    const person = await befall(stage);
    await stage.stripe.flush();
    const context = await browser.newContext({ ...still, viewport: { width: 1280, height: 900 } });
    await signIn(context, person, stage.url);
    const page = await context.newPage();
    const wrong: string[] = [];
    page.on("pageerror", (error) => wrong.push(error.message));
    for (const path of ["/dashboard", "/dashboard/license"]) {
      await page.goto(new URL(path, stage.url).href);
      await page.getByRole("heading", { name: title }).waitFor();
      if (fate === "disputed") expect(await page.getByText(/\b(buy|renew)\b/i).count()).toBe(0);
      wrong.push(...(await findingsAtBothWidths(page, `${fate} ${path}`)));
    }
    expect(wrong).toEqual([]);
    await context.close();
  }
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

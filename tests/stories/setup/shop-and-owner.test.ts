import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { readBrand } from "@/brand/read";
import { operator } from "@/core/base/actor";
import { commit } from "@/core/database/commit";
import { keepFact } from "@/core/database/key-values";
import { keyPrefixFact } from "@/domain/licences/keys/issue";
import { staffOfShop } from "@/domain/staff/staff-actions";
import { withDatabase } from "@/operator/setup/steps/open";
import { ownerStep } from "@/operator/setup/steps/owner";
import { shopStep } from "@/operator/setup/steps/shop";
import { stripeStep } from "@/operator/setup/steps/stripe";
import { type StripeSimulator, startStripeSimulator } from "@/simulators/stripe/simulator";
import { startedSetup } from "../../support/operator/scripted-ui";

let stripe: StripeSimulator;
beforeAll(async () => {
  stripe = await startStripeSimulator({ seed: 1 });
});
afterAll(() => stripe.stop());

/** A set-up with a database. */
async function opened() {
  const shop = startedSetup({ STRIPE_API_URL: stripe.url, SELLER: "Olga Owner" });
  await shop.run(stripeStep, {
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_PUBLISHABLE_KEY: stripe.publishableKey,
  });
  return shop;
}

test("an owner's link that was lost is replaced at a terminal, also by one for another address", async () => {
  using shop = await opened();
  const linkIn = ({ said }: { said: string }) => /^http\S+\/invitation\S+$/m.exec(said)?.[0];
  const first = linkIn(await shop.run(ownerStep, {}));
  expect(first).toBeString();
  const kept = await shop.run(ownerStep, {});
  expect(kept.said).toBe(
    "olga@example.com has an open invitation to be the shop's owner. End it, and make a new link for olga@example.com?",
  );
  const second = linkIn(await shop.run(ownerStep, { NEW_LINK: "yes" }));
  expect(second).toBeString();
  expect(second).not.toBe(first);
  shop.setup.file = { ...shop.setup.file, OWNER_EMAIL: "ola@example.com" };
  expect(linkIn(await shop.run(ownerStep, { NEW_LINK: "yes" }))).toBeString();
  const { invitations } = await withDatabase(shop.setup, (ctx) => staffOfShop(ctx, { actor: operator }));
  expect(invitations).toMatchObject([{ email: "ola@example.com", role: "owner" }]);
});

test("a shop that has keys but no brand gets one with the prefix of its keys", async () => {
  using shop = await opened();
  await withDatabase(shop.setup, (ctx) => commit(ctx.store, [keepFact(ctx, keyPrefixFact, "EASEL")]));
  const brand = join(shop.setup.dataDir, "brand");
  rmSync(brand, { recursive: true });
  const { said } = await shop.run(shopStep, { PRODUCT: "Brushwork", KEY_PREFIX: ["BRUSH", ""] });
  expect(said).toContain("It must be EASEL, with which the shop's keys begin.");
  expect(readBrand(brand).keyPrefix).toBe("EASEL");
});

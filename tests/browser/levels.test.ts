import { expect, test } from "bun:test";
import { addOffer } from "@/domain/offers/change";
import { by } from "../stories/subscriptions/subscriber";
import { addLevels } from "../support/shop/levels";
import { openShop } from "../support/shop/shop-in-browser";
import { goTo, openBrowser, still } from "./browser";

test("levels stand side by side with what they add, and a link opens a hidden offer chosen", async () => {
  await using stage = await openShop();
  await addLevels(
    stage,
    { id: "team", name: "Team", features: ["export"] },
    { id: "studio", name: "Studio", features: ["api"] },
  );
  const team = { id: "team", name: "Team, for life", amount: 900, days: null, level: "team" };
  await addOffer(stage.ctx, team, by);
  await addOffer(
    stage.ctx,
    { ...team, id: "secret", name: "For friends", level: "studio", hidden: true },
    by,
  );
  const context = await (await openBrowser()).newContext(still);
  const page = await context.newPage();
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await goTo(page, new URL("/?offer=team", stage.url).href);
    await page.getByRole("radio", { name: /Team, for life/, checked: true }).waitFor();
    await page.getByRole("button", { name: "Buy Team" }).waitFor();
    await shoot(`two-${width}`);
    await goTo(page, new URL("/?offer=secret", stage.url).href);
    const chosen = page.getByRole("radio", { name: /For friends/, checked: true });
    await chosen.waitFor();
    await page.getByRole("group", { name: "Studio" }).getByText("Everything in Team").waitFor();
    await shoot(`three-${width}`);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
  await context.close();
  async function shoot(name: string) {
    if (process.env.SHOTS)
      await page.locator("[data-sale]").screenshot({ path: `${process.env.SHOTS}/${name}.png` });
  }
});

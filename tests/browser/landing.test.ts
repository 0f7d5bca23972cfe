import { expect, test } from "bun:test";
import { openShop } from "../support/shop/shop-in-browser";
import { openBrowser, still } from "./browser";

const browser = await openBrowser();

test("the questions open without scripts, and search engines read the same answers and the price", async () => {
  await using stage = await openShop({ env: { CURRENCY: "eur" } });
  const context = await browser.newContext({ ...still, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(stage.url.href);
  const questions = page.locator("#questions details");
  expect(await questions.count()).toBe(8);
  await page.getByText("Can I get a refund?").click();
  const answer = page.getByText(/Only if a fatal error/);
  expect(await answer.isVisible()).toBe(true);
  const block = await page.locator('script[type="application/ld+json"]').textContent();
  const [product, faq] = JSON.parse(block ?? "")["@graph"];
  expect(product.offers).toMatchObject({
    price: "5.00",
    priceCurrency: "EUR",
    url: `${stage.url.origin}/#get`,
  });
  expect(product.description).toContain("€5");
  expect(product.image).toBe(`${stage.url.origin}/og.png`);
  const asked = faq.mainEntity.map(({ name, acceptedAnswer }: Question) => [name, acceptedAnswer.text]);
  const shown = await questions.evaluateAll((all) =>
    all.map((one) => [one.querySelector("summary")?.textContent, one.querySelector("p")?.textContent]),
  );
  expect(asked).toEqual(shown);
  await context.close();
});

type Question = { name: string; acceptedAnswer: { text: string } };

import { expect, test } from "bun:test";
import { operated } from "../support/operator/run-operator";
import { sellMonth } from "../support/shop/sell-month";
import { openShop } from "../support/shop/shop-in-browser";
import { eventually } from "../support/shop/stage";
import { signIn } from "./browser";
import {
  bill,
  licences,
  pay,
  proceed,
  purchase,
  register,
  scrollToOffers,
  visitor,
  wholeKey,
  why,
} from "./journeys/offers";

test("an offer added while the shop runs can be bought with a 20 % code, and its time counts down", async () => {
  await using stage = await openShop();
  const { page, to, look, close } = await visitor(stage);
  await to("/");
  const asked = page.waitForResponse("**/api/offers");
  await scrollToOffers(page);
  await asked;
  expect(await page.getByRole("radio").count()).toBe(0);

  await sellMonth(stage);
  await operated(stage, "codes", "create", "LAUNCH", "--percent", "20", ...why);
  await to("/?code=LAUNCH");
  await scrollToOffers(page);
  await page.getByRole("radio", { name: /One month/ }).check();
  await page.getByText("The code LAUNCH is checked when you buy.").waitFor();
  await look();
  await purchase(page);
  await page.waitForURL("**/c/pay/**");
  await page.getByRole("heading", { name: "One month" }).waitFor();
  await pay(page, "month@example.com");
  expect(await bill(page).innerText()).toBe("One month\nUSD 2.00\nDiscount\n−USD 0.40\nPaid\nUSD 1.60");
  await look();

  await page.getByRole("link", { name: "Register" }).click();
  await register(page, "monthly");
  await to("/dashboard/license");
  await licences(page).getByText("29 days left").waitFor();
  await to("/dashboard/payments");
  await page.getByRole("cell", { name: "One month USD 1.60" }).waitFor();
  await look();
  await close();
});

test("a gift's key goes to its receiver, who opens it, and the buyer never sees it", async () => {
  await using stage = await openShop();
  const giver = await visitor(stage);
  await giver.to("/?gift");
  await giver.look();
  await giver.page.getByLabel("Their email").fill("bob@example.com");
  await giver.page.getByLabel("From").fill("Ada");
  await giver.page.getByLabel("Message").fill("Happy birthday!");
  await proceed(giver.page);
  await pay(giver.page, "ada@example.com");
  await giver.page.getByText("A gift for bob@example.com, from Ada").waitFor();
  await giver.look();
  const [email] = await eventually(
    () => stage.mail.messages("bob@example.com"),
    (emails) => emails.length > 0,
  );
  expect(email?.text).toContain("Happy birthday!");
  const key = wholeKey.exec(email?.text ?? "")?.[0] ?? "";
  expect(key).not.toBe("");
  expect(await giver.page.content()).not.toContain(key);
  expect(await giver.page.getByRole("link", { name: "Register" }).count()).toBe(0);

  const receiver = await visitor(stage);
  await receiver.to("/register");
  await register(receiver.page, "bob", { email: "bob@example.com", key });
  await receiver.to("/dashboard/license");
  await licences(receiver.page).getByText("Lifetime").waitFor();
  await giver.page.getByRole("button", { name: "Refresh status" }).click();
  await giver.page.getByText("Your gift has been opened.").waitFor();
  await giver.close();
  await receiver.close();
});

test("a timed license is renewed from the License page, and is on the account when it is paid", async () => {
  await using stage = await openShop();
  await sellMonth(stage);
  const { page, to, look, close } = await visitor(stage);
  const person = stage.person();
  await person.register(await stage.handOut(10), "regular");
  await signIn(page.context(), person, stage.url);
  await to("/dashboard/license");
  await page.getByRole("button", { name: "Renew" }).waitFor();
  await look();
  await page.getByRole("button", { name: "Renew" }).click();
  await pay(page);
  expect(await page.getByRole("link", { name: "Register" }).count()).toBe(0);
  await page.getByText("Your license is on your account.").waitFor();
  await look();
  await page.getByRole("link", { name: "Your licenses" }).click();
  await page.waitForURL("**/dashboard/license");
  // the cell alone: a key that ends in 3 stands before "9 days left"
  await licences(page).getByRole("cell", { name: "39 days left" }).waitFor();

  await person.post("/api/licenses/redeem", { key: await stage.handOut(), timezone: "UTC" });
  await page.reload();
  await page.getByText("this would add nothing to it").waitFor();
  await page.getByRole("button", { name: "Buy", exact: true }).waitFor();
  await look();
  await close();
});

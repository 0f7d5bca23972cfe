import { expect, test } from "bun:test";
import { operated } from "../../support/operator/run-operator";
import { openShop } from "../../support/shop/shop-in-browser";
import { eventually } from "../../support/shop/stage";
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
} from "../../browser/journeys/offers";

test("with a 100 % code nothing is paid, and the license is like any other", async () => {
  await using stage = await openShop();
  await operated(stage, "codes", "create", "FREE", "--percent", "100", ...why);
  const { page, to, close } = await visitor(stage);
  await to("/?code=FREE");
  await scrollToOffers(page);
  await page.getByText("The code FREE is checked when you buy.").waitFor();
  await purchase(page);
  await pay(page, "free@example.com", true);
  expect(await bill(page).innerText()).toBe("Wisp Premium\nUSD 5.00\nDiscount\n−USD 5.00\nPaid\nUSD 0.00");
  await page.getByRole("link", { name: "Register" }).click();
  await register(page, "lucky");
  await to("/dashboard/license");
  await licences(page).getByText("Lifetime").waitFor();
  await to("/dashboard/payments");
  await page.getByRole("row", { name: /Wisp Premium/ }).click();
  await page.getByRole("heading", { name: "Payment Verified" }).waitFor();
  await close();
});

test("each of three keys opens an account; a partial refund revokes none of them, a full one all", async () => {
  await using stage = await openShop({ env: { SELLER: "Wisp Software Ltd\\n1 Example Street" } });
  const { page, to, look, close } = await visitor(stage);
  await to("/?quantity=3");
  await look();
  await proceed(page);
  await pay(page, "school@example.com");
  const session = await page.evaluate(() => sessionStorage.getItem("last-checkout"));
  const keys = await page.getByRole("list", { name: "License keys" }).getByText(wholeKey).allTextContents();
  expect(new Set(keys).size).toBe(3);
  await look();
  await page.getByRole("link", { name: "Register" }).click();
  await register(page, "teacher");

  const pupil = stage.person();
  expect((await pupil.register(keys[1] ?? "", "pupil")).status).toBe(200);
  const [payment] = (await pupil.get("/api/payments")).body.data;
  await stage.atStripe("refund", { session, amount: 500 });
  await to(`/dashboard/transaction?payment_intent=${payment.payment_id}`);
  await bill(page).getByText("Refunded").waitFor();
  expect(await bill(page).innerText()).toContain("Paid\nUSD 15.00\nRefunded\n−USD 5.00");
  expect(await page.getByText("1 Example Street").first().innerText()).toBe(
    "Wisp Software Ltd\n1 Example Street",
  );
  await look();
  await to("/dashboard/license");
  await licences(page).getByText("Active", { exact: true }).waitFor();

  await stage.atStripe("refund", { session });
  await to(`/dashboard/transaction?payment_intent=${payment.payment_id}`);
  await page.getByRole("heading", { name: "Payment Refunded" }).waitFor();
  await to("/dashboard/license");
  await licences(page).getByText("Inactive").waitFor();
  expect((await pupil.get("/api/user/me")).body.data.active_license).toBe(false);
  await close();
});

test("tax is on the bill, and the invoice is one click away", async () => {
  await using stage = await openShop({ env: { TAX: "stripe", INVOICES: "stripe" } });
  await stage.atStripe("tax", { percent: 19, within: false });
  const { page, to, look, close } = await visitor(stage);
  await to("/");
  await purchase(page);
  await pay(page, "taxed@example.com");
  expect(await bill(page).innerText()).toBe("Wisp Premium\nUSD 5.00\nTax\nUSD 0.95\nPaid\nUSD 5.95");
  await look();
  const [invoice] = await Promise.all([
    page.waitForEvent("popup"),
    page.getByRole("link", { name: "See the invoice" }).click(),
  ]);
  await invoice.getByText("$5.95").waitFor();
  await close();
});

test("an order placed under a mistyped address is corrected by staff, then found, and opens an account", async () => {
  await using stage = await openShop();
  const { page, to, look, close } = await visitor(stage);
  await to("/");
  await purchase(page);
  await pay(page, "ada@exmaple.com");
  await page.context().clearCookies();
  await page.reload();
  await page.getByRole("link", { name: "Find your order" }).click();
  const find = async () => {
    await page.getByLabel("Email").fill("ada@example.com");
    await page.getByRole("button", { name: "Send Email" }).click();
    await page.getByRole("heading", { name: "Check your email" }).waitFor();
  };
  await look();
  await find();
  await look();
  await stage.shop.worker.drain();
  expect(stage.mail.messages("ada@example.com")).toEqual([]);

  const [payment] = await operated(stage, "payments", "find", "--email", "ada@exmaple.com");
  await operated(stage, "payments", "correct-email", payment.id, "ada@example.com", ...why);
  await page.getByRole("button", { name: "Try another address" }).click();
  await find();
  const emails = await eventually(
    () => stage.mail.messages("ada@example.com"),
    (all) => all.some(({ subject }) => subject === "Your orders"),
  );
  const list = emails.find(({ subject }) => subject === "Your orders")?.text ?? "";
  await to("/register");
  await register(page, "ada", { email: "ada@example.com", key: wholeKey.exec(list)?.[0] ?? "" });
  await to("/dashboard/license");
  await licences(page).getByText("Lifetime").waitFor();
  await close();
});

import { expect, test } from "bun:test";
import { screen } from "@testing-library/react";
import { brand } from "@/brand/brand";
import { limitedFor, ok, visit } from "./browser";

const find = "POST /api/payments/find";
const sent = ok("If that address bought something, the order is on its way. Check spam, too.");
const said = async (address: string) =>
  expect((await screen.findByText(address)).parentElement?.textContent).toBe(
    `If ${address} bought something, the order is on its way. Check spam, too.`,
  );

async function send(answers: Parameters<typeof visit>[1], email = "ada@example.com") {
  const page = visit("/find-order", answers);
  const field = await screen.findByLabelText("Email");
  if (email) await page.user.type(field, email);
  await page.user.click(screen.getByRole("button", { name: "Send Email" }));
  return { ...page, field };
}

for (const path of ["/login", "/register", "/success"]) {
  test(`${path} leads to the page`, async () => {
    const { user } = visit(path);
    await user.click(await screen.findByRole("link", { name: "Find your order" }));
    await screen.findByRole("heading", { name: "Find your order" });
    expect(location.pathname).toBe("/find-order");
  });
}

test("nothing is sent without an address", async () => {
  const { field, named } = await send({}, "");
  expect(field.getAttribute("aria-invalid")).toBe("true");
  expect(named(find)).toEqual([]);
});

test("a pasted address loses its blanks and what nobody sees", async () => {
  const page = await send({ [find]: sent }, " \u202aada\u200b@exam\u00adple.com\u202c ");
  await said("ada@example.com");
  expect(page.sent(find)).toEqual([{ email: "ada@example.com" }]);
});

test("a slip of the pen is seen, and another address can be tried", async () => {
  const page = await send({ [find]: sent }, "ada@exmaple.com");
  await said("ada@exmaple.com");
  await page.user.click(screen.getByRole("button", { name: "Try another address" }));
  expect((await screen.findByLabelText<HTMLInputElement>("Email")).value).toBe("");
});

test("after too many requests the button counts down, and nothing is sent until it is done", async () => {
  const page = await send({ [find]: limitedFor(42) });
  const button = await screen.findByRole("button", { name: /^Try again in 4[012] s$/ });
  expect(button).toHaveProperty("disabled", true);
  expect(screen.getByRole("link", { name: brand.supportEmail }).getAttribute("href")).toContain("mailto:");
  await page.user.type(page.field, "{Enter}");
  expect(page.named(find)).toHaveLength(1);
});

import { expect, test } from "bun:test";
import { screen } from "@testing-library/react";
import { ok, rateLimited, refused, visit } from "./browser";

const find = "POST /api/payments/find";
const sentence =
  "If anything was bought with that address, an email that lists it is on its way (check spam folder)";

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

test("an address is needed, and nothing is sent without one", async () => {
  const { field, named } = await send({}, "");
  expect(field.getAttribute("aria-invalid")).toBe("true");
  expect(named(find)).toEqual([]);
});

test("whatever is known of the address, the server's sentence is shown, and another may be tried", async () => {
  const { named, user } = await send({ [find]: ok(sentence) });
  await screen.findByText(sentence);
  expect(named(find).map(({ body }) => body)).toEqual([{ email: "ada@example.com" }]);
  await user.click(screen.getByRole("button", { name: "Try another address" }));
  expect((await screen.findByLabelText<HTMLInputElement>("Email")).value).toBe("");
});

test("too many questions and a bad address are told in the server's words", async () => {
  const page = await send({ [find]: rateLimited });
  expect((await screen.findByRole("alert")).textContent).toBe(
    "Too many requests, please try again in 12 seconds",
  );
  page.answers[find] = refused(400, "email must be an email address", { field: "email" });
  await page.user.click(screen.getByRole("button", { name: "Send Email" }));
  await screen.findByText("email must be an email address");
});

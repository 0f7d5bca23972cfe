import { beforeEach, describe, expect, type Mock, spyOn, test } from "bun:test";
import { screen, waitFor, within } from "@testing-library/react";
import { type Answers, asAda, hasFocus, ok, premium, refused, visit } from "./browser";

const checkout = "POST /api/stripe/create-checkout-session";
const sentence = "That code is unknown or no longer valid";
const refusing: Answers = {
  ...asAda,
  "GET /api/functions/get-stripe-key": () => Response.json({ key: "pk_test_1" }),
  [checkout]: refused(400, sentence, { code: "code_unknown", field: "code" }),
};

let leave: Mock<typeof location.assign>;
beforeEach(() => {
  sessionStorage.clear();
  leave = spyOn(window.location, "assign").mockImplementation(() => {});
});

const buy = () => screen.findByRole("button", { name: "Purchase Premium" });
const codeField = () => screen.getByLabelText<HTMLInputElement>("Promotion code");
const bodies = (page: ReturnType<typeof visit>) => page.sent(checkout);

describe("a promotion code", () => {
  test("that is refused leaves the address and stays in its field, whose error a new code clears", async () => {
    const page = visit("/?code=TRY2O&from=mail#get", refusing);
    await screen.findByText("Code: TRY2O");
    expect(location.pathname + location.search + location.hash).toBe("/?from=mail#get");
    await page.user.click(await buy());
    await waitFor(() => expect(hasFocus(codeField())).toBe(true));
    expect(codeField().value).toBe("TRY2O");
    expect(codeField().closest("details")?.open).toBe(true);
    expect(document.getElementById(codeField().getAttribute("aria-describedby") ?? "")?.textContent).toBe(
      sentence,
    );
    await page.user.clear(codeField());
    await page.user.type(codeField(), "TRY20");
    expect(codeField().getAttribute("aria-invalid")).toBeNull();
    expect(document.getElementById("code-problem")).toBeNull();
    await page.user.click(screen.getByRole("button", { name: "Apply" }));
    await screen.findByText(/is checked when you buy/);
    expect(document.getElementById("purchase-problem")).toBeNull();
    page.answers[checkout] = ok({ id: "cs_1", url: "https://pay.example/c/cs_1" });
    await page.user.click(await buy());
    await waitFor(() => expect(leave).toHaveBeenCalled());
    expect(bodies(page)).toEqual([
      { currency: "usd", code: "TRY2O" },
      { currency: "usd", code: "TRY20" },
    ]);
  });

  test("in use fills its field when that is opened, and is removed when the field is emptied", async () => {
    const page = visit("/?code=TRY20", refusing);
    await page.user.click(await screen.findByText("Code: TRY20"));
    await waitFor(() => expect(codeField().value).toBe("TRY20"));
    await page.user.clear(codeField());
    await page.user.click(screen.getByRole("button", { name: "Apply" }));
    expect(hasFocus(await screen.findByText("Have a code?"))).toBe(true);
    await page.user.click(await buy());
    await waitFor(() => expect(bodies(page)).toEqual([{ currency: "usd" }]));
  });

  for (const path of ["/", "/dashboard/license", "/?quantity=2"])
    test(`can be removed on ${path}`, async () => {
      sessionStorage.setItem("promotion-code", "TRY20");
      const page = visit(path, refusing);
      const place = path === "/?quantity=2" ? within(await screen.findByRole("dialog")) : screen;
      await page.user.click(await place.findByRole("button", { name: "Remove code" }));
      await waitFor(() => expect(place.queryByText(/is checked when you buy/)).toBeNull());
      expect(sessionStorage.getItem("promotion-code")).toBeNull();
      await waitFor(() => expect(hasFocus(document.body)).toBe(false));
    });

  test("that was refused on License is not on the landing page as a wrong one", async () => {
    const page = visit("/dashboard/license?code=SPENT", { ...refusing, "GET /api/offers": ok([premium]) });
    await page.user.click(await screen.findByRole("button", { name: "Buy" }));
    await screen.findByText(sentence, { selector: "p" });
    page.unmount();
    visit("/", refusing);
    await buy();
    expect(screen.getByText("Have a code?").closest("details")?.open).toBe(false);
  });
});

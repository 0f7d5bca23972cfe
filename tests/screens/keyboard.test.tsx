/** What the keyboard does beyond Tab: where the focus goes, and which keys act. */
import { describe, expect, test } from "bun:test";
import { act, screen, waitFor, within } from "@testing-library/react";
import { day } from "@/contract/vocabulary/time";
import { focusGraceMilliseconds } from "@/web/hooks/use-kept-focus";
import { ada, type Answers, asAda, hasFocus, lifetime, ok, premium, toastSaying, visit } from "./browser";

const heading = (name: string) => screen.findByRole("heading", { level: 1, name });
const goTo = async ({ user }: ReturnType<typeof visit>, name: string) => {
  const [link] = await screen.findAllByRole("link", { name });
  if (link) await user.click(link);
};

test("a link to a part of a page leads to that part, as soon as it is there", async () => {
  const late = Promise.withResolvers<Response>();
  const expiry_date = new Date(Date.now() + 30 * day).toISOString();
  const page = visit("/dashboard", {
    ...asAda,
    "GET /api/licenses/me": ok([{ ...lifetime, expiry_date }]),
    "GET /api/offers": () => late.promise,
  });
  await screen.findByText("Online");
  await page.user.keyboard("{Control>}k{/Control}");
  await page.user.type(await screen.findByRole("combobox"), "renew{Enter}");
  const title = await heading("License");
  await waitFor(() => expect(hasFocus(title)).toBe(true));
  late.resolve(Response.json({ status: 200, data: [premium] }));
  await waitFor(() => expect(document.activeElement?.id).toBe("buy"));
  expect(location.pathname + location.hash).toBe("/dashboard/license#buy");
});

test("a text over the landing page moves no focus behind it", async () => {
  const page = visit("/", { "GET /api/offers": ok([]) });
  await goTo(page, "Terms of Service");
  await screen.findByRole("dialog");
  expect(document.activeElement?.tagName).not.toBe("H1");
});

describe("a press that takes its own button away leaves the focus", () => {
  const landsOn = (place: Element) => waitFor(() => expect(hasFocus(place)).toBe(true));
  const beginner: Answers = {
    ...asAda,
    "GET /api/user/me": ok({ ...ada, api_key: "token-1" }),
    "GET /api/licenses/me": ok([lifetime]),
  };

  test("in the card that the button stood in", async () => {
    const { user } = visit("/dashboard", beginner);
    await user.click(await screen.findByRole("button", { name: "Copy token" }));
    await landsOn(screen.getByRole("region", { name: "First steps" }));
  });

  test("on the page's heading if the card is gone too", async () => {
    const { user } = visit("/dashboard/download?file=win_zip", {
      ...beginner,
      "GET /api/version/builds": ok(null),
    });
    await user.click(await screen.findByRole("button", { name: "Not now" }));
    await landsOn(await heading("Download"));
  });

  test("on the heading of what replaces a form", async () => {
    const { user } = visit("/find-order", { "POST /api/payments/find": ok("It is on its way") });
    await user.type(await screen.findByLabelText("Email"), "ada@example.com{Enter}");
    await landsOn(await heading("Check your email"));
    await user.click(screen.getByRole("button", { name: "Try another address" }));
    await landsOn(await heading("Find your order"));
  });

  test("nowhere if the visitor pressed beside it meanwhile", async () => {
    const answer = Promise.withResolvers<Response>();
    const { user } = visit("/find-order", { "POST /api/payments/find": () => answer.promise });
    await user.type(await screen.findByLabelText("Email"), "ada@example.com{Enter}");
    await user.click(document.body);
    answer.resolve(Response.json({ status: 200, data: "It is on its way" }));
    await heading("Check your email");
    await new Promise((resolve) => setTimeout(resolve, 2 * focusGraceMilliseconds));
    expect(hasFocus(document.body)).toBe(true);
  });
});

describe("the palette acts:", () => {
  const answers: Answers = {
    ...asAda,
    "GET /api/user/me": ok({ ...ada, api_key: "token-1", hwid_set: true }),
    "GET /api/licenses/me": ok([lifetime]),
  };
  /** Opens the palette, and enters these words. */
  const enter = async (words: string, given = answers) => {
    const page = visit("/dashboard", given);
    await screen.findByText("Online");
    await page.user.keyboard("{Control>}k{/Control}");
    await page.user.type(await screen.findByRole("combobox"), words);
    await page.user.keyboard("{Enter}");
    return page;
  };

  test("it leads to what is for sale, or to a gift, but not with a disputed payment", async () => {
    const page = await enter("buy a", { ...answers, "GET /api/licenses/me": ok([]) });
    await waitFor(() => expect(location.pathname + location.hash).toBe("/dashboard/license#buy"));
    page.unmount();
    const lasting = await enter("gift");
    await waitFor(() => expect(location.pathname + location.search).toBe("/?gift"));
    lasting.unmount();
    const disputed = { ...lifetime, active: false, disputed: true, status: "disputed" };
    await enter("buy a", {
      ...answers,
      "GET /api/licenses/me": ok([disputed]),
      "GET /api/payments": ok([]),
    });
    expect(screen.queryByRole("option", { name: /^Buy/ })).toBeNull();
    expect(location.pathname).toBe("/dashboard");
  });

  test("it resets the hardware ID, once that is confirmed", async () => {
    const reset = "POST /api/user/info/reset/hwid";
    const { user, named } = await enter("reset hard", { ...answers, [reset]: ok(null) });
    await screen.findByRole("group", { name: "Reset hardware ID?" });
    expect(named(reset)).toEqual([]);
    await user.keyboard("{Enter}");
    await waitFor(() => expect(screen.queryByRole("combobox")).toBeNull());
    expect(named(reset)).toEqual([]);
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await screen.findByRole("combobox"), "reset hard");
    await user.keyboard("{Enter}{ArrowDown}{Enter}");
    await toastSaying("Hardware ID reset successfully");
    expect(named(reset)).toHaveLength(1);
  });

  for (const [words, path] of [
    ["new tick", "/dashboard/tickets"],
    ["sign out", "/"],
  ] as const) {
    test(`'${words}' leads to ${path}`, async () => {
      await enter(words, {
        ...answers,
        "GET /api/tickets": ok([]),
        "POST /api/auth/logout": ok(null),
      });
      await waitFor(() => expect(location.pathname).toBe(path));
    });
  }
});

describe("keys", () => {
  const list = { name: "Keyboard shortcuts" };

  test("? lists the shortcuts, but types a question mark into a field", async () => {
    const { user } = visit("/dashboard/license", asAda);
    await user.type(await screen.findByLabelText("Redeem a license key"), "?");
    expect(screen.queryByRole("dialog", list)).toBeNull();
    act(() => (document.activeElement as HTMLElement).blur());
    await user.keyboard("?");
    const dialog = within(await screen.findByRole("dialog", list));
    dialog.getByText("Go to Payments");
  });

  test("G and a letter lead to a page", async () => {
    const { user } = visit("/dashboard", { ...asAda, "GET /api/payments": ok([]) });
    await screen.findByText("Online");
    await user.keyboard("gp");
    await waitFor(() => expect(location.pathname).toBe("/dashboard/payments"));
  });

  test("of one letter can be turned off, for this browser", async () => {
    const { user } = visit("/dashboard", asAda);
    await screen.findByText("Online");
    await user.keyboard("?");
    await user.click(await screen.findByRole("checkbox"));
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog", list)).toBeNull());
    await user.keyboard("?gl");
    expect(screen.queryByRole("dialog", list)).toBeNull();
    expect(location.pathname).toBe("/dashboard");
  });
});

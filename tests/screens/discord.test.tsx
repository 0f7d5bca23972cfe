import { describe, expect, spyOn, test } from "bun:test";
import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import type { DiscordStatus } from "@/contract/wire/discord";
import {
  ada,
  type Answers,
  asAda,
  changing,
  ok,
  rateLimited,
  refused,
  silence,
  toastSaying,
  unlinked,
  unreachable,
  visit,
} from "./browser";

const me = "GET /api/user/me";
const standing = "GET /api/discord/me";
const authorize = "GET /api/functions/get-discord-oauth-url";
const deauthorize = "POST /api/discord/deauth";
const callback = "POST /api/discord/auth/callback";

const linked: DiscordStatus = {
  connected: true,
  name: "Ada L.",
  linked_at: new Date(2026, 4, 31, 16, 5).toISOString(),
  role: {
    held: true,
    reason: "held",
    sentence: "You have the role.",
    gives: "Wisp Premium role",
    join_url: null,
  },
};

describe("Discord Linking", () => {
  async function open(answers: Answers = {}) {
    const page = visit("/dashboard/settings", {
      ...asAda,
      ...answers,
    });
    const section = await screen.findByRole("region", { name: "Discord Linking" });
    const press = async (name: string) =>
      page.user.click(await within(section).findByRole("button", { name }));
    return { ...page, section, press };
  }

  test("without a connection it explains what connecting is for, and Authorize leads to Discord", async () => {
    const assign = spyOn(window.location, "assign").mockImplementation(() => {});
    const url = "https://discord.example/oauth2/authorize?state=x";
    const { section, press } = await open({ [authorize]: () => Response.json({ url }) });
    await within(section).findByText("Not Connected");
    within(section).getByText("Connect your account.");
    await press("Authorize");
    await waitFor(() => expect(assign).toHaveBeenCalledWith(url));
  });

  test("connecting asks for the password, and with two-factor for a code, and then continues", async () => {
    const assign = spyOn(window.location, "assign").mockImplementation(() => {});
    const url = "https://discord.example/oauth2/authorize?state=x";
    const prove = "POST /api/user/reauthenticate";
    const page = await open({
      [me]: ok({ ...ada, mfa: true }),
      [authorize]: refused(403, "Please enter your password again", { code: "reauthenticate" }),
      [prove]: refused(401, "That is not your password", { code: "password_wrong", field: "password" }),
    });
    await page.press("Authorize");
    const dialog = await screen.findByRole("dialog", { name: "Confirm it's you" });
    await page.user.keyboard("not this one");
    await page.user.click(within(dialog).getByRole("textbox", { name: /^Digit 1/ }));
    await page.user.keyboard("123456");
    await page.user.click(within(dialog).getByRole("button", { name: "Continue" }));
    await within(dialog).findByText("That is not your password");
    page.answers[prove] = ok(null);
    page.answers[authorize] = () => Response.json({ url });
    await page.user.click(within(dialog).getByRole("button", { name: "Continue" }));
    await waitFor(() => expect(assign).toHaveBeenCalledWith(url));
    expect(page.named(prove)[1]?.body).toEqual({ password: "not this one", security_code: "123456" });
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  test("an authorization that can't be fetched is reported", async () => {
    const { press } = await open({ [authorize]: unreachable });
    await press("Authorize");
    await toastSaying("There was an error fetching the authorization");
  });

  test("a connection shows its name and can be removed", async () => {
    const page = await open({
      [standing]: ok(linked),
      [deauthorize]: changing({ [standing]: ok(unlinked) }, ok(null)),
    });
    await within(page.section).findByText("Connected");
    within(page.section).getByText("Ada L.");
    within(page.section).getByText("You have the role.");
    await page.press("Deauthorize");
    await within(page.section).findByText("Not Connected");
    expect(page.named(me).length).toBeGreaterThan(1);
  });

  test("a connection that can't be removed is reported", async () => {
    const { press } = await open({ [standing]: ok(linked), [deauthorize]: refused(500, "Oh") });
    await press("Deauthorize");
    await toastSaying("There was an error de-authorizing your discord account");
  });

  for (const [name, given] of [
    ["Authorize", unlinked],
    ["Deauthorize", linked],
  ] as const) {
    test(`${name} is locked without an active licence, and says why`, async () => {
      const page = visit("/dashboard/settings", {
        ...asAda,
        [me]: ok({ ...ada, active_license: false }),
        [standing]: ok(given),
      });
      const button = await screen.findByRole("button", { name });
      expect(button.getAttribute("aria-disabled")).toBe("true");
      act(() => button.focus());
      expect((await screen.findByRole("tooltip")).textContent).toBe(
        "You must have an active license to be granted to premium role.",
      );
      fireEvent.click(button);
      expect(page.named(authorize).length + page.named(deauthorize).length).toBe(0);
    });
  }

  test("a role that waits for the member to join the server comes with the server's invite", async () => {
    const join_url = "https://discord.example/invite";
    const role = { held: false, reason: "not_member", sentence: "Join first.", join_url } as const;
    const { section } = await open({ [standing]: ok({ ...linked, role }) });
    const link = await within(section).findByRole("link", { name: /^Join the server/ });
    expect(link.getAttribute("href")).toBe(join_url);
  });

  test("it names the roles of the account's levels, and no role where none comes with them", async () => {
    const role = { ...linked.role, gives: "Pro and Team roles" };
    const { section } = await open({ [standing]: ok({ ...linked, role }) });
    await within(section).findByText("Your license gives you the Pro and Team roles on our Discord server.");
    cleanup();
    const without = { ...linked.role, held: false, reason: "no_role", gives: null } as const;
    const other = await open({ [standing]: ok({ ...linked, role: without }) });
    await within(other.section).findByText("The Discord account that you use on our server.");
  });

  test("a shop without Discord offers no authorization", async () => {
    const role = {
      held: false,
      reason: "off",
      sentence: "Discord is not part of this shop.",
      join_url: null,
    };
    const { section } = await open({ [standing]: ok({ ...unlinked, role }) });
    await within(section).findByText("Discord is not part of this shop.");
    expect(within(section).queryByRole("button")).toBeNull();
  });

  test("a failed request can be retried", async () => {
    const page = await open({ [standing]: unreachable });
    await within(page.section).findByText("An error occurred while attempting to reach the server");
    page.answers[standing] = ok(linked);
    await page.press("Try again");
    await within(page.section).findByText("Ada L.");
  });
});

describe("the way back from Discord", () => {
  const query = "?code=the-code&state=the-state";
  const open = (search: string, answers: Answers = {}) =>
    visit(`/dashboard/discord-callback${search}`, { ...asAda, [standing]: ok(linked), ...answers });
  const answering = (status: number, status_message: string, data: string) => () =>
    Response.json({ status, status_message, data }, { status });
  const result = async (title: string) => {
    await screen.findByRole("heading", { name: title });
    return document.querySelector("[data-outcome]")?.getAttribute("data-outcome");
  };

  test("the code is sent once and removed from the URL", async () => {
    const page = open(query, { [callback]: answering(200, "Success", "You have the role.") });
    expect(await result("Success")).toBe("success");
    screen.getByText("You have the role.");
    expect(page.sent(callback)).toEqual([{ code: "the-code", state: "the-state" }]);
    expect(location.search).toBe("");
    await waitFor(() => expect(page.named(me).length).toBeGreaterThan(1));
  });

  test("a spinner is shown while it is sent", async () => {
    open(query, { [callback]: silence });
    await screen.findByText("Verifying…");
    expect(location.search).toBe("");
  });

  for (const [status, title, icon] of [
    [200, "Success", "success"],
    [403, "Forbidden", "refused"],
    [400, "Bad Request", "refused"],
    [403, "Denied", "denied"],
  ] as const) {
    test(`${title} has its icon, and its detail`, async () => {
      open(query, { [callback]: answering(status, title, "Some detail.") });
      expect(await result(title)).toBe(icon);
      screen.getByText("Some detail.");
    });
  }

  test("Pending has its icon, says why, and updates with the role", async () => {
    const role = { held: false, reason: "pending", sentence: "It is on its way.", join_url: null };
    const page = open(query, {
      [callback]: answering(202, "Pending", "It is on its way."),
      [standing]: ok({ ...linked, role }),
    });
    expect(await result("Pending")).toBe("pending");
    screen.getByText("It is on its way.");
    page.answers[standing] = ok(linked);
    expect(await result("Success")).toBe("success");
  });

  test("declining at Discord shows that it was canceled and sends nothing", async () => {
    const page = open("?error=access_denied&state=x");
    expect(await result("Access Denied")).toBe("denied");
    screen.getByText("Authentication request was canceled.");
    expect(page.named(callback)).toEqual([]);
    expect(location.search).toBe("");
  });

  for (const search of ["", "?state=x", "?error=server_error"]) {
    test(`without a code (${search || "nothing at all"}) data is missing`, async () => {
      const page = open(search);
      expect(await result("Missing Required Data")).toBe("unknown");
      expect(page.named(callback)).toEqual([]);
    });
  }

  for (const [why, answer] of [
    ["no answer", unreachable],
    ["an answer without a headline", refused(500, "Something went wrong on our side")],
    ["too many tries", rateLimited],
  ] as const) {
    test(`${why}: the status could not be fetched, and the refresh icon tries again`, async () => {
      const page = open(query, { [callback]: answer });
      expect(await result("Could Not Fetch Status")).toBe("unknown");
      screen.getByText(/refresh to try again/);
      page.answers[callback] = answering(200, "Success", "You have the role.");
      await page.user.click(screen.getByRole("button", { name: "Refresh status" }));
      expect(await result("Success")).toBe("success");
      expect(page.named(callback)[1]?.body).toEqual({ code: "the-code", state: "the-state" });
    });
  }
});

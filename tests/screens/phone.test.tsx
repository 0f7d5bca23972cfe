/** What hands on a phone expect: Back, and a keyboard that covers nothing they type into. */
import { afterEach, describe, expect, test } from "bun:test";
import { act, screen, waitFor, within } from "@testing-library/react";
import type { ListedTicket } from "@/contract/wire/tickets";
import { notify } from "@/web/page/notices";
import { asAda, ok, toastSaying, visit } from "./browser";

/** The entry of the history that is shown, and Back to it, as far as this browser has a history. */
const entry = () => ({ state: history.state, url: location.href });
const backTo = ({ state, url }: ReturnType<typeof entry>) =>
  act(() => {
    history.pushState(state, "", url);
    dispatchEvent(new PopStateEvent("popstate"));
  });

describe("Back", () => {
  const tickets: ListedTicket[] = Array.from({ length: 30 }, (_, at) => ({
    id: `ticket-${at}`,
    number: at,
    topic: "Device",
    state: "open",
    opened_at: "2026-05-31T14:05:00.000Z",
    closed_at: null,
    closed_by: null,
    close_reason: null,
    stars: null,
    via: "site",
    waiting_for: "staff",
    unread: false,
    last: { author: "member", text: "Why?" },
  }));

  test("leads to where a page and its list were left", async () => {
    const { user } = visit("/dashboard/tickets", {
      ...asAda,
      "GET /api/tickets": ok(tickets, { next: null }),
    });
    const list = () => screen.findByRole("list", { name: "Tickets" });
    await list();
    // what remembers comes with the toasts
    act(() => notify("info", "Hello"));
    await toastSaying("Hello");
    const left = entry();
    (await list()).scrollTop = 300;
    scrollTo(0, 200);
    dispatchEvent(new Event("scroll"));
    await user.click(screen.getByRole("link", { name: "New ticket" }));
    await screen.findByRole("heading", { name: "New ticket" });
    scrollTo(0, 0);
    backTo(left);
    const { scrollTop } = await list();
    expect([scrollTop, window.scrollY]).toEqual([300, 200]);
  });

  test("leads to the commands that were found", async () => {
    const { user } = visit("/commands");
    const search = () => screen.findByRole<HTMLInputElement>("searchbox");
    await user.type(await search(), "purgelinks");
    await waitFor(() => expect(history.state.filter).toMatchObject({ words: "purgelinks" }));
    const left = entry();
    await user.click(within(screen.getByRole("main")).getByRole("link", { name: "Get Wisp" }));
    await waitFor(() => expect(location.pathname).toBe("/"));
    backTo(left);
    expect((await search()).value).toBe("purgelinks");
    screen.getByText("1 command");
  });

  test("closes what is open over the page, which stays", async () => {
    const opened: EventTarget[] = [];
    globalThis.CloseWatcher = class extends EventTarget {
      constructor() {
        super();
        opened.push(this);
      }
      destroy() {
        opened.splice(opened.indexOf(this), 1);
      }
    };
    try {
      const { user } = visit("/dashboard", asAda);
      await user.click(await screen.findByRole("button", { name: "Open navigation" }));
      await screen.findByRole("dialog", { name: "Navigation" });
      expect(opened).toHaveLength(1);
      act(() => void opened[0]?.dispatchEvent(new Event("close")));
      await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
      expect(location.pathname).toBe("/dashboard");
      expect(opened).toEqual([]);
    } finally {
      globalThis.CloseWatcher = undefined;
    }
  });
});

describe("a keyboard that covers the window without making it smaller, as on iOS", () => {
  afterEach(() => void Reflect.deleteProperty(window, "visualViewport"));

  test("leaves a dialog above it, where nothing sticks once little is left", async () => {
    const viewport = Object.assign(new EventTarget(), { scale: 1, height: innerHeight, offsetTop: 0 });
    Object.defineProperty(window, "visualViewport", { value: viewport, configurable: true });
    visit("/?gift");
    const dialog = await screen.findByRole("dialog");
    const keyboardLeaves = (height: number) =>
      act(() => {
        viewport.height = height;
        viewport.dispatchEvent(new Event("resize"));
      });
    const seen = () => [dialog.style.getPropertyValue("--visible-height"), dialog.hasAttribute("data-low")];
    expect(seen()).toEqual(["", false]);
    keyboardLeaves(400);
    expect(seen()).toEqual(["400px", false]);
    keyboardLeaves(300);
    expect(seen()).toEqual(["300px", true]);
    keyboardLeaves(innerHeight);
    expect(seen()).toEqual(["", false]);
  });
});

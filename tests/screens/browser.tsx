/** A browser for one test: the whole app in a page, with the test's answers instead of the network. */
import { spyOn } from "bun:test";
import { configure, render, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { BrowserRouter } from "react-router";
import type { Me } from "@/contract/wire/accounts";
import type { DiscordStatus } from "@/contract/wire/discord";
import type { Licence } from "@/contract/wire/licences";
import type { Offer } from "@/contract/wire/offers";
import type { OwnDevice } from "@/contract/wire/own-devices";
import type { PurchaseResult } from "@/contract/wire/payments";
import { App } from "@/web/app";
import { createQueryClient } from "@/web/query-client";

// A busy machine takes its time to show a screen; no passing test waits this long.
configure({ asyncUtilTimeout: 10_000 });

export type Call = { name: string; query: URLSearchParams; headers: Headers; body: unknown };
type Answer = (call: Call, answers: Answers) => Response | Promise<Response>;
export type Answers = { [call: string]: Answer };

export const ok = (data: unknown, extra: object = {}) => {
  return () => Response.json({ status: 200, data, ...extra });
};

export const refused = (status: number, data: string, extra: object = {}) => {
  return () => Response.json({ status, data, code: "internal", ...extra }, { status });
};

/** Answers, and other calls from then on otherwise. */
export const changing = (next: Answers, answer: Answer): Answer => {
  return (call, answers) => {
    Object.assign(answers, next);
    return answer(call, answers);
  };
};

export const unreachable: Answer = () => Promise.reject(new TypeError("fetch failed"));
export const silence: Answer = () => new Promise(() => {});
export const rateLimited = refused(429, "Too many requests, please try again in 12 seconds", {
  code: "rate_limited",
});
/** Too many requests, for as long as the answer says. */
export const limitedFor = (seconds: number, data = "Too many requests") => {
  const body = { status: 429, data, code: "rate_limited" };
  return () => Response.json(body, { status: 429, headers: { "retry-after": `${seconds}` } });
};

export const ada: Me = {
  id: "01a1fd74-495b-730b-a5fe-a252e03c534b",
  username: "ada",
  email: "ada@example.com",
  email_confirmed: true,
  email_pending: null,
  sends_mail: true,
  api_key: null,
  mfa: false,
  active_license: true,
  level: { id: "premium", name: "Wisp Premium" },
  features: [],
  hwid_set: false,
  last_reset: null,
  devices: { used: 0, places: 1 },
  discord_authed: false,
  staff: null,
  staff_asleep: false,
  past_due: null,
  created_at: "2026-01-02T03:04:05.000Z",
};

/** Signs ada in. */
export const signsIn = changing({ "GET /api/user/me": ok(ada) }, ok({ username: "ada" }));
export const signedOut = refused(401, "Please sign in first", { code: "unauthenticated" });

/** What the default shop sells. */
export const premium: Offer = {
  id: "premium",
  name: "Wisp Premium",
  amount: 500,
  currency: "usd",
  days: null,
  devices: 1,
  level: { id: "premium", name: "Wisp Premium" },
  includes: [],
  features: [],
  recurring: null,
};

/** Ada's order of it. */
export const purchase: PurchaseResult = {
  status: "Payment Successful",
  message: "Thank you!",
  id: "cs_test_1",
  created: new Date(2026, 4, 31, 16, 5).getTime() / 1_000,
  currency: "usd",
  amount: 500,
  bill: {
    currency: "usd",
    asked: 500,
    off: 0,
    tax: 0,
    tax_included: 0,
    credit: 0,
    outside: 0,
    paid: 500,
    refunded: 0,
  },
  offer: "premium",
  offer_name: "Wisp Premium",
  level: { id: "premium", name: "Wisp Premium" },
  quantity: 1,
  license_key: "WISP-61Y5-S1EE-BVJN-C1PM",
  license_keys: ["WISP-61Y5-S1EE-BVJN-C1PM"],
  unusable_keys: [],
  redeemed_keys: [],
  term: { days: null, devices: 1, recurring: null },
  refunded_at: null,
  for_account: null,
  order: "01a1fd74-48f7-7688-877e-15f3c5b2c5ea",
  checkout_url: null,
  order_again: null,
  next_charge: null,
  invoice_url: null,
  subscription: null,
  renewal: false,
  gift: null,
  email: "ada@example.com",
  sent_receipt: true,
  seller: [],
};

/** By default nobody is signed in and one thing is sold; keys look like `GET /api/user/me`. */
const nobody: Answers = {
  "GET /api/offers": ok([premium]),
  "GET /api/user/me": signedOut,
};

/** Ada and Discord. */
export const unlinked: DiscordStatus = {
  connected: false,
  name: null,
  linked_at: null,
  role: {
    held: false,
    reason: "not_linked",
    sentence: "Connect your account.",
    gives: "Wisp Premium role",
    join_url: null,
  },
};

/** Ada's only license. */
export const lifetime: Licence = {
  key: "WISP-61Y5-S1EE-BVJN-C1PM",
  type: "premium",
  level: { id: "premium", name: "Wisp Premium" },
  active: true,
  disputed: false,
  redeemed_date: "2026-01-01T00:00:00.000Z",
  expiry_date: null,
  status: "active",
  payment_id: null,
  subscription: null,
  renews_at: null,
};
/** One that was bought and is so now. */
export const licence = (status: Licence["status"], more: Partial<Licence> = {}): Licence => ({
  ...lifetime,
  key: `WISP-${status.slice(0, 4).toUpperCase()}-S1EE-BVJN-C1PM`,
  active: status === "active",
  disputed: status === "disputed",
  status,
  payment_id: "pi_1",
  ...more,
});

/** A computer that ada may remove. */
export const computer: OwnDevice = {
  id: "desktop",
  label: "Ada's desktop",
  os: "Windows 11",
  version: "2.4.0",
  active: true,
  first_seen: ada.created_at,
  last_seen: ada.created_at,
  removable_at: null,
  offline_until: null,
};

/** For pages that need a signed-in account. */
export const asAda: Answers = {
  "GET /api/user/me": ok(ada),
  "GET /api/user/device": ok(null),
  "GET /api/discord/me": ok(unlinked),
  "GET /api/subscriptions": ok([], { next: null }),
  "GET /api/payments": ok([]),
  "GET /api/user/dashboard": ok({ user_count: 1234 }),
  "GET /api/version/logs": ok([]),
  "GET /api/licenses/history": ok([]),
  "GET /api/licenses/me": ok([]),
  "GET /api/licenses/unused": ok([]),
  "GET /api/version/filesizes": ok({}),
  "GET /api/tickets": ok([], { next: null }),
  "GET /api/tickets/answer-time": ok({ hours: null }),
};

/** JSON as it was sent; of other bodies, such as a part of a file, their text. */
const bodyOf = (text: string, headers: Headers): unknown =>
  text !== "" && headers.get("content-type") !== "application/octet-stream"
    ? JSON.parse(text)
    : text || undefined;

/** Opens a page, or the last one again if `null`; `answers` may be changed while it is open. */
export function visit(path: string | null, given: Answers = {}) {
  // As in a browser, what loads by itself (the toasts' code) doesn't wait for a test to act.
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false });
  const answers = { ...nobody, ...given };
  const calls: Call[] = [];
  const network = async (input: string | URL | Request, init?: RequestInit) => {
    const request = new Request(input instanceof Request ? input : new URL(input, location.href), init);
    const { pathname, searchParams: query } = new URL(request.url);
    const text = await request.text();
    // A closed page still ends what it had begun; the test after it doesn't hear of that.
    if (!page.container.isConnected) return new Promise<Response>(() => {});
    const call: Call = {
      name: `${request.method} ${pathname}`,
      query,
      headers: request.headers,
      body: bodyOf(text, request.headers),
    };
    calls.push(call);
    const answer = answers[call.name];
    if (answer) return answer(call, answers);
    console.error(`the test has no answer for ${call.name}`);
    return new Response(null, { status: 404 });
  };
  spyOn(globalThis, "fetch").mockImplementation(Object.assign(network, { preconnect: () => {} }));
  if (path !== null) history.replaceState(null, "", path);
  const queries = createQueryClient();
  const page = render(
    <BrowserRouter>
      <App queries={queries} />
    </BrowserRouter>,
  );
  const named = (name: string) => calls.filter((call) => call.name === name);
  /** The bodies of those. */
  const sent = (name: string) => named(name).map(({ body }) => body);
  return { ...page, user: userEvent.setup(), answers, calls, named, sent, queries };
}

/** The toast that says this. */
export async function toastSaying(text: string): Promise<HTMLElement> {
  return waitFor(() => {
    const found = screen.queryAllByText(text).map((element) => element.closest("[data-sonner-toast]"));
    const shown = found.find((one) => one instanceof HTMLElement);
    if (!(shown instanceof HTMLElement)) throw new Error(`no toast says: ${text}`);
    return shown;
  });
}

/** What is saved to the downloads during this test. */
export function watchDownloads() {
  const saved: { name: string; text: Promise<string> }[] = [];
  let text = Promise.resolve("");
  spyOn(URL, "createObjectURL").mockImplementation((file) => {
    if (file instanceof Blob) text = file.text();
    return "blob:file";
  });
  // In happy-dom a click on a link navigates, even with `download`.
  spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, text });
  });
  return saved;
}

/** Whether the element has the keyboard focus. */
export const hasFocus = (element: Element | undefined) => document.activeElement === element;

import { expect, test } from "bun:test";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import type { TicketTranscript } from "@/contract/wire/tickets";
import { answerTime } from "@/web/screens/dashboard/support/answer-time";
import { groupsOf } from "@/web/parts/ticket-messages";
import {
  asAda,
  type Call,
  hasFocus,
  limitedFor,
  ok,
  refused,
  toastSaying,
  unreachable,
  visit,
} from "./browser";

const list = "GET /api/tickets";
const id = "01a1fd74-495b-730b-a5fe-a252e03c534c";
const summary = {
  id,
  number: 12,
  topic: "License",
  state: "closed",
  opened_at: new Date(2026, 4, 31, 16, 5).toISOString(),
  closed_at: null,
  closed_by: null,
  close_reason: null,
  stars: null,
  via: "site",
  waiting_for: null,
  unread: false,
  last: { author: "member", text: "It does nothing" },
} as const;
const details = { question: "?", answers_by: "mail", reopen_until: null, rating_comment: null } as const;
const message = {
  id: "1",
  author: "member",
  name: "Ada",
  content: "",
  at: summary.opened_at,
  edited_at: null,
  deleted: false,
  before: [],
  files: [],
  waiting: false,
} satisfies TicketTranscript["messages"][number];

const keyOf = ({ headers }: Call) => headers.get("idempotency-key");

test("the tickets are listed, each with whose turn it is, its last line and a link to its page", async () => {
  const answered = {
    ...summary,
    id: "01a1fd74",
    number: 13,
    state: "open",
    waiting_for: "member",
    unread: true,
  } as const;
  const last = { author: "staff", text: "Try again" } as const;
  visit("/dashboard/tickets", { ...asAda, [list]: ok([{ ...answered, last }, summary]) });
  const rows = within(await screen.findByRole("list", { name: "Tickets" })).getAllByRole("link");
  expect(rows[1]?.getAttribute("href")).toBe(`/dashboard/ticket?id=${id}`);
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    "#13 License, unreadNew replySupport: Try againMay 31, 2026",
    "#12 LicenseClosedYou: It does nothingMay 31, 2026",
  ]);
  await screen.findByRole("link", { name: "Tickets (unread answer)" });
});

test("an empty list of tickets is one block with a button", async () => {
  visit("/dashboard/tickets", {
    ...asAda,
    [list]: ok([]),
    "GET /api/tickets/answer-time": ok({ hours: 3 }),
  });
  await screen.findByText("No tickets yet");
  await screen.findByText(/^Usually within 3 hours · /);
  expect(screen.getByRole("link", { name: "New ticket" }).getAttribute("href")).toBe(
    "/dashboard/tickets?new",
  );
});

test("tickets that can't be fetched show an error and a retry button", async () => {
  const { user, answers } = visit("/dashboard/tickets", { ...asAda, [list]: unreachable });
  await toastSaying("Failed to fetch tickets, an error occurred");
  answers[list] = ok([summary]);
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByRole("link", { name: /#12 License/ });
});

test("a transcript shows everything as text, with edits, deletions and files", async () => {
  const evil = '<img src=x onerror="alert(1)"> [x](javascript:alert(1)) **bold**';
  const messages: TicketTranscript["messages"] = [
    { ...message, content: evil, edited_at: summary.opened_at, before: ["<b>first</b>"] },
    {
      ...message,
      id: "2",
      author: "staff",
      name: "Sam",
      content: "gone",
      deleted: true,
      files: [
        { id: "8", name: "shot.png", size: 4, state: "kept", picture: true },
        { id: "9", name: "log.txt", size: 4, state: "kept", picture: false },
        { id: "10", name: "huge.bin", size: 4, state: "too_large", picture: false },
      ],
    },
  ];
  const [at, name] = [summary.opened_at, "Dora"];
  const back = `**Closed**, back <t:${Date.parse(at) / 1000}:R>.`;
  messages.push({ ...message, id: "3", author: "shop", name: "Shop", content: back });
  messages.push({ ...message, id: "4", author: "guest", name, content: "me too" });
  const ticket: TicketTranscript = { ...summary, ...details, messages };
  visit(`/dashboard/ticket?id=${id}`, { ...asAda, [`GET /api/tickets/${id}`]: ok(ticket) });
  await screen.findByText(evil);
  await screen.findByText("<b>first</b>");
  expect(document.querySelector("img[onerror]")).toBeNull();
  const [, second, third, fourth] = screen
    .getAllByRole("listitem")
    .filter((one) => one.closest('[aria-label="Messages"]'));
  expect(third?.textContent).toBe("Shop, 4:05 PMClosed, back May 31, 2026 at 4:05 PM.");
  expect(fourth?.textContent).toBe("Dora (guest), 4:05 PMme too");
  expect(second?.textContent).toContain("deleted");
  const picture = screen.getByRole("img", { name: "shot.png" });
  expect(picture.getAttribute("src")).toBe(`/api/tickets/${id}/files/8`);
  expect([picture.getAttribute("width"), picture.getAttribute("height")]).toEqual(["320", "224"]);
  const whole = screen.getByRole("link", { name: /^shot\.png/ });
  expect([whole.getAttribute("href"), whole.getAttribute("target")]).toEqual([
    `/api/tickets/${id}/files/8`,
    "_blank",
  ]);
  expect(screen.getByRole("link", { name: "log.txt" }).getAttribute("href")).toBe(
    `/api/tickets/${id}/files/9`,
  );
  screen.getByText("huge.bin was too large to save");
});

test("of a long ticket the newest messages are shown, and earlier ones on request", async () => {
  const page = (from: number) =>
    Array.from({ length: 3 }, (_, at) => ({
      ...message,
      id: `${from + at}`,
      content: `message ${from + at}`,
      at: new Date(2026, 4, 31, 16, from + at).toISOString(),
    }));
  const ticket = { ...summary, ...details };
  const { user } = visit(`/dashboard/ticket?id=${id}`, {
    ...asAda,
    [`GET /api/tickets/${id}`]: ({ query }) => {
      const earlier = query.get("before") === "earlier";
      const data = { ...ticket, messages: page(earlier ? 1 : 4) };
      return Response.json({ status: 200, data, next: earlier ? null : "earlier" });
    },
  });
  const shown = (list: "Messages" | "Earlier messages") =>
    within(screen.getByRole("list", { name: list }))
      .getAllByRole("listitem")
      .map(({ textContent }) => /message \d/.exec(textContent ?? "")?.[0]);
  await screen.findByText("message 6");
  expect(shown("Messages")).toEqual(["message 4", "message 5", "message 6"]);
  await user.click(screen.getByRole("button", { name: "Show earlier messages" }));
  await screen.findByText("message 1");
  expect(shown("Earlier messages")).toEqual(["message 1", "message 2", "message 3"]);
  // a screen reader announces what comes into the log, and none of these is new
  const log = screen.getByRole("log");
  expect(within(log).getAllByRole("listitem")).toHaveLength(3);
  expect(shown("Messages")).toEqual(["message 4", "message 5", "message 6"]);
  expect(screen.queryByRole("button", { name: "Show earlier messages" })).toBeNull();
});

test("another customer's ticket is not found", async () => {
  const answer = refused(404, "There is no such ticket", { code: "ticket_unknown" });
  visit(`/dashboard/ticket?id=${id}`, { ...asAda, [`GET /api/tickets/${id}`]: answer });
  await screen.findByText("There is no such ticket");
});

test.each([
  [
    { closed_by: "staff", close_reason: "Solved", reopen_until: new Date(2026, 5, 7, 16, 5).toISOString() },
    ["Closed by support, May 31, 2026 at 4:05 PM: Solved", "until Jun 7, 2026 at 4:05 PM", "Reopen"],
  ],
  [
    { closed_by: "member", close_reason: null, reopen_until: null },
    ["Closed by you, May 31, 2026 at 4:05 PM.", "can no longer be reopened"],
  ],
  [{ closed_by: "shop", close_reason: null, reopen_until: null }, ["Closed automatically, May 31, 2026"]],
  [{ state: "open", closed_at: null, closed_by: null, reopen_until: null }, ["We'll also email you."]],
] as const)(
  "a ticket says how it ended, and how and until when it can be opened again",
  async (end, sentence) => {
    const ticket = { ...summary, ...details, closed_at: summary.opened_at, messages: [message], ...end };
    visit(`/dashboard/ticket?id=${id}`, { ...asAda, [`GET /api/tickets/${id}`]: ok(ticket) });
    await screen.findByRole("heading", { name: "Ticket #12" });
    for (const words of sentence) expect(document.body.textContent).toContain(words);
    expect(screen.getByRole("link", { name: "Save as text" }).getAttribute("href")).toBe(
      `/api/tickets/${id}/transcript`,
    );
  },
);

const open = { ...summary, ...details, state: "open", waiting_for: "staff" } as const;
const page = `/dashboard/ticket?id=${id}`;
const get = `GET /api/tickets/${id}`;
const write = `POST /api/tickets/${id}/messages`;
const paged = (data: object) => ok(data, { next: null });

test("a message is sent with Ctrl+Enter; one that was not stays in the field, and says why", async () => {
  const { user, answers, sent } = visit(page, {
    ...asAda,
    [get]: paged({ ...open, messages: [message] }),
    [write]: unreachable,
  });
  const field = await screen.findByRole("textbox", { name: "Your message" });
  screen.getByText("We'll also email you.");
  await user.type(field, "Still nothing");
  await user.keyboard("{Control>}{Enter}{/Control}");
  await screen.findByText(/^Not sent: /);
  expect(field).toHaveProperty("value", "Still nothing");
  const waiting = { ...message, id: "2", content: "Still nothing", waiting: true };
  answers[write] = () => {
    answers[get] = paged({ ...open, messages: [message, waiting] });
    return Response.json({ status: 202, data: open }, { status: 202 });
  };
  await user.click(screen.getByRole("button", { name: "Send" }));
  await screen.findByText("Saved. Support sees it when Discord is back.");
  expect(field).toHaveProperty("value", "");
  expect(sent(write)).toEqual([
    { text: "Still nothing" },
    { text: "Still nothing" },
    { text: "Still nothing" },
  ]);
});

test("a draft is still there when the page is opened again", async () => {
  const given = { ...asAda, [get]: paged({ ...open, messages: [message] }) };
  const { user, unmount } = visit(page, given);
  await user.type(await screen.findByRole("textbox", { name: "Your message" }), "Half a sen");
  unmount();
  visit(null, given);
  expect(await screen.findByRole("textbox", { name: "Your message" })).toHaveProperty("value", "Half a sen");
});

test("somebody who writes too fast sees how long to wait", async () => {
  const { user } = visit(page, {
    ...asAda,
    [get]: paged({ ...open, messages: [message] }),
    [write]: limitedFor(90),
  });
  await user.type(await screen.findByRole("textbox", { name: "Your message" }), "Hello");
  await user.click(screen.getByRole("button", { name: "Send" }));
  await screen.findByRole("button", { name: /^Try again in \d+ s$/ });
});

test("a file that is too large is refused before it is sent; another is sent as its bytes", async () => {
  const { user } = visit(page, { ...asAda, [get]: paged({ ...open, messages: [message] }) });
  await screen.findByRole("textbox", { name: "Your message" });
  const large = new File([new Uint8Array(8 * 1024 * 1024 + 1)], "film.bin");
  const small = new File(["x"], "log.txt");
  const input = document.querySelector("input[type=file]");
  if (!(input instanceof HTMLInputElement)) throw new Error("there is no field for files");
  await user.upload(input, [large, small]);
  await screen.findByText("film.bin is larger than 8 MB.");
  const chosen = within(screen.getByRole("list", { name: "Files to send" })).getAllByRole("listitem");
  expect(chosen.map(({ textContent }) => textContent)).toEqual(["log.txt"]);
});

test("new answers appear without disturbing the draft, with a line before those that are new", async () => {
  const answer = { ...message, id: "2", author: "staff", name: "Sam", content: "Look again" } as const;
  const { user, answers } = visit(page, { ...asAda, [get]: paged({ ...open, messages: [message] }) });
  const field = await screen.findByRole("textbox", { name: "Your message" });
  await user.type(field, "I am typ");
  answers[get] = paged({ ...open, waiting_for: "member", messages: [message, answer] });
  await screen.findByText("Look again", undefined, { timeout: 6_000 });
  expect(field).toHaveProperty("value", "I am typ");
  cleanup();
  answers[get] = paged({ ...open, unread: true, messages: [message, answer] });
  visit(null, answers);
  await screen.findByText("New");
});

test("a ticket is closed after one question, rated with a comment, and opened again", async () => {
  const closedAt = { state: "closed", closed_by: "member", closed_at: summary.opened_at } as const;
  const closed = {
    ...open,
    ...closedAt,
    waiting_for: null,
    reopen_until: new Date(Date.now() + 1e9).toISOString(),
  };
  const { user, answers, named } = visit(page, {
    ...asAda,
    [get]: paged({ ...open, messages: [message] }),
    [`POST /api/tickets/${id}/close`]: () => {
      answers[get] = paged({ ...closed, messages: [message] });
      return ok(closed)();
    },
    [`POST /api/tickets/${id}/rating`]: ok({ ...closed, stars: 4 }),
    [`POST /api/tickets/${id}/reopen`]: ok(open),
  });
  await user.click(await screen.findByRole("button", { name: "Close ticket" }));
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Close ticket" }));
  const { parentElement: ending } = await screen.findByText(/^Closed by you/);
  await waitFor(() => expect(ending && hasFocus(ending)).toBe(true));
  await user.click(screen.getByRole("radio", { name: "4 stars" }));
  await user.type(screen.getByRole("textbox"), "Quick");
  await user.click(screen.getByRole("button", { name: "Send rating" }));
  await screen.findByText("Thank you.");
  expect(named(`POST /api/tickets/${id}/rating`)[0]?.body).toEqual({ stars: 4, comment: "Quick" });
  await user.click(screen.getByRole("button", { name: "Reopen" }));
  expect(named(`POST /api/tickets/${id}/reopen`)).toHaveLength(1);
});

test("a new ticket has its field at once; a topic brings its question and common answers, and the draft stays", async () => {
  const { user, named } = visit("/dashboard/tickets?new", {
    ...asAda,
    "POST /api/tickets": ok(open),
    [get]: paged({ ...open, messages: [message] }),
  });
  await user.type(await screen.findByRole("textbox", { name: "How can we help?" }), "It is gone");
  expect(screen.queryByRole("region", { name: "Common answers" })).toBeNull();
  await user.click(screen.getByRole("button", { name: /License/ }));
  screen.getByRole("textbox", { name: "What happened with your license?" });
  screen.getByText("I lost my key");
  await user.click(screen.getByRole("button", { name: /Device/ }));
  expect(screen.getByRole("textbox")).toHaveProperty("value", "It is gone");
  await user.click(screen.getByRole("button", { name: "Send" }));
  await screen.findByRole("heading", { name: "Ticket #12" });
  expect(named("POST /api/tickets")[0]?.body).toEqual({ topic: "device", question: "It is gone" });
});

test("text that is typed while a message is sent stays, and a message whose answer was lost is not sent twice", async () => {
  const { user, answers, named } = visit(page, { ...asAda, [get]: paged({ ...open, messages: [message] }) });
  const field = await screen.findByRole("textbox", { name: "Your message" });
  await user.type(field, "First");
  answers[write] = unreachable;
  await user.click(screen.getByRole("button", { name: "Send" }));
  await screen.findByText(/^Not sent: /);
  answers[write] = ok(open);
  await user.click(screen.getByRole("button", { name: "Send" }));
  await waitFor(() => expect(field).toHaveProperty("value", ""));
  expect(named(write)).toHaveLength(3);
  expect(new Set(named(write).map(keyOf)).size).toBe(1);
  const second = Promise.withResolvers<Response>();
  answers[write] = () => second.promise;
  await user.clear(field);
  await user.type(field, "Second");
  await user.click(screen.getByRole("button", { name: "Send" }));
  await user.type(field, " and third");
  second.resolve(Response.json({ status: 200, data: open }));
  await screen.findByRole("button", { name: "Send" });
  expect(field).toHaveProperty("value", "and third");
  expect(new Set(named(write).map(keyOf)).size).toBe(2);
});

test("a new ticket whose answer was lost is sent again under its key; another question has another key", async () => {
  const { user, answers, named } = visit("/dashboard/tickets?new", {
    ...asAda,
    "POST /api/tickets": unreachable,
    [get]: paged({ ...open, messages: [message] }),
  });
  await user.click(await screen.findByRole("button", { name: /Device/ }));
  await user.type(screen.getByRole("textbox"), "Help");
  await user.click(screen.getByRole("button", { name: "Send" }));
  await screen.findByRole("alert");
  await user.type(screen.getByRole("textbox"), " me");
  answers["POST /api/tickets"] = ok(open);
  await user.click(screen.getByRole("button", { name: "Send" }));
  await screen.findByRole("heading", { name: "Ticket #12" });
  const keys = named("POST /api/tickets").map(keyOf);
  expect(keys).toHaveLength(3);
  expect(keys[0]).toBe(keys[1]);
  expect(keys[2]).not.toBe(keys[0]);
});

test("a new ticket's draft is shown with its topic after a reload, and a file that could not be sent waits in the ticket's form", async () => {
  const given = {
    ...asAda,
    "POST /api/tickets": ok(open),
    [`POST /api/tickets/${id}/files`]: refused(503, "No room for files now"),
    [get]: paged({ ...open, messages: [message] }),
  };
  const { user, unmount } = visit("/dashboard/tickets?new", given);
  await user.click(await screen.findByRole("button", { name: /Device/ }));
  await user.type(screen.getByRole("textbox"), "Half a sen");
  unmount();
  const again = visit(null, given);
  expect(await screen.findByRole("textbox")).toHaveProperty("value", "Half a sen");
  expect(screen.getByRole("button", { name: /Device/ }).getAttribute("aria-pressed")).toBe("true");
  const input = document.querySelector("input[type=file]");
  if (!(input instanceof HTMLInputElement)) throw new Error("there is no field for files");
  await again.user.upload(input, new File(["1"], "log.txt"));
  await again.user.click(screen.getByRole("button", { name: "Send" }));
  await screen.findByRole("heading", { name: "Ticket #12" });
  await toastSaying("log.txt was not sent: No room for files now");
  const chosen = within(await screen.findByRole("list", { name: "Files to send" })).getAllByRole("listitem");
  expect(chosen.map(({ textContent }) => textContent)).toEqual(["log.txt"]);
  again.unmount();
  visit("/dashboard/tickets?new", given);
  expect(await screen.findByRole("textbox")).toHaveProperty("value", "");
});

test("reading a new reply takes its mark from the navigation", async () => {
  const listed = (unread: boolean) => ok([{ ...summary, unread }], { next: null });
  const { named } = visit(page, {
    ...asAda,
    [list]: listed(true),
    [get]: (_, answers) => {
      answers[list] = listed(false);
      return paged({ ...open, unread: true, messages: [{ ...message, content: "Look again" }] })();
    },
  });
  await screen.findByText("Look again");
  await waitFor(() => expect(named(list).length).toBeGreaterThan(1));
  await waitFor(() => expect(screen.queryByRole("link", { name: "Tickets (unread answer)" })).toBeNull());
});

test("a link to a new ticket can choose its topic", async () => {
  visit("/dashboard/tickets?new=device", asAda);
  await screen.findByRole("textbox", { name: "Which computer, and what does it say?" });
});

test("who waits for support reads how soon it usually answers, and who is to write doesn't", async () => {
  const hours = { "GET /api/tickets/answer-time": ok({ hours: 1 }) };
  const { unmount } = visit(page, { ...asAda, ...hours, [get]: paged({ ...open, messages: [message] }) });
  await screen.findByText(/^Usually within 1 hour · .* your time$/);
  unmount();
  const answered = { ...open, waiting_for: "member", messages: [message] };
  visit(page, { ...asAda, ...hours, [get]: paged(answered) });
  await screen.findByText("We'll also email you.");
  expect(screen.queryByText(/^Usually within/)).toBeNull();
});

const berlin = { timezone: "Europe/Berlin", from: 9, to: 21, days: [1, 2, 3, 4, 5, 6, 7] };
const weekdays = { ...berlin, days: [1, 2, 3, 4, 5] };
const january = new Date("2027-01-15T12:00:00Z");
for (const [zone, hours, open, text] of [
  ["Europe/Berlin", 3, berlin, "Usually within 3 hours · 9 AM–9 PM your time"],
  ["America/New_York", 1, berlin, "Usually within 1 hour · 3 AM–3 PM your time"],
  ["Asia/Kolkata", null, berlin, "Support answers 1:30 PM–1:30 AM your time"],
  ["Europe/Berlin", null, weekdays, "Support answers Monday–Friday, 9 AM–9 PM your time"],
  ["Pacific/Auckland", null, weekdays, "Support answers Monday–Friday, 9 PM–9 AM your time"],
  [
    "Pacific/Honolulu",
    null,
    { ...berlin, days: [1, 4] },
    "Support answers Sunday, Wednesday, 10 PM–10 AM your time",
  ],
  ["Asia/Kolkata", 2, { ...berlin, from: 0, to: 24 }, "Usually within 2 hours · around the clock"],
] as const) {
  test(`in ${zone} it reads ${text}`, () => {
    expect(answerTime(hours, january, open, zone)).toBe(text);
  });
}

test("messages of one author within a minute are one bubble, unless a line stands between them", () => {
  const at = (minute: number, second = 0) => new Date(2026, 4, 31, 16, minute, second).toISOString();
  const said = [
    { ...message, id: "1", at: at(5) },
    { ...message, id: "2", at: at(5, 59) },
    { ...message, id: "3", at: at(6) },
    { ...message, id: "4", at: at(6), author: "staff", name: "Sam" },
    { ...message, id: "5", at: at(6), author: "staff", name: "Sam" },
    { ...message, id: "6", at: at(6), author: "staff", name: "Kim" },
  ] as const;
  const ids = (apart: string[]) => groupsOf(said, apart).map((group) => group.map(({ id }) => id).join());
  expect(ids([])).toEqual(["1,2", "3", "4,5", "6"]);
  expect(ids(["2", "5"])).toEqual(["1", "2", "3", "4", "5", "6"]);
});

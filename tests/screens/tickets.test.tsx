import { expect, test } from "bun:test";
import { screen, within } from "@testing-library/react";
import type { TicketTranscript } from "@/contract/tickets";
import { asAda, ok, refused, toastSaying, unreachable, visit } from "./browser";

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

test("the tickets are listed, each with a link to its transcript", async () => {
  visit("/dashboard/tickets", { ...asAda, [list]: ok([summary]) });
  const link = await screen.findByRole("link", { name: "Ticket #12" });
  expect(link.getAttribute("href")).toBe(`/dashboard/ticket?id=${id}`);
  const [, row] = within(screen.getByRole("table", { name: "Tickets" })).getAllByRole("row");
  expect(row?.textContent).toBe("Ticket #12ClosedLicenseMay 31, 2026 at 4:05 PM");
});

test("an empty list of tickets says so", async () => {
  visit("/dashboard/tickets", { ...asAda, [list]: ok([]) });
  await screen.findByText("No support tickets found");
});

test("tickets that can't be fetched show an error and a retry button", async () => {
  const { user, answers } = visit("/dashboard/tickets", { ...asAda, [list]: unreachable });
  await toastSaying("Failed to fetch tickets, an error occured");
  answers[list] = ok([summary]);
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByRole("link", { name: "Ticket #12" });
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
  expect(third?.textContent).toBe("ShopMay 31, 2026 at 4:05 PMClosed, back May 31, 2026 at 4:05 PM.");
  expect(fourth?.textContent).toBe("DoraGuestMay 31, 2026 at 4:05 PMme too");
  expect(second?.textContent).toContain("deleted");
  expect(screen.getByAltText("shot.png").getAttribute("src")).toBe(`/api/tickets/${id}/files/8`);
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
  const shown = () =>
    within(screen.getByRole("list", { name: "Messages" }))
      .getAllByRole("listitem")
      .map(({ textContent }) => /message \d/.exec(textContent ?? "")?.[0]);
  await screen.findByText("message 6");
  expect(shown()).toEqual(["message 4", "message 5", "message 6"]);
  await user.click(screen.getByRole("button", { name: "Show earlier messages" }));
  await screen.findByText("message 1");
  expect(shown()).toEqual([1, 2, 3, 4, 5, 6].map((number) => `message ${number}`));
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
    [
      "Closed by support, May 31, 2026 at 4:05 PM: Solved",
      "until Jun 7, 2026 at 4:05 PM",
      "/support reopen number:12",
    ],
  ],
  [
    { closed_by: "member", close_reason: null, reopen_until: null },
    ["Closed by you, May 31, 2026 at 4:05 PM.", "can't be reopened"],
  ],
  [{ state: "open", closed_at: null, closed_by: null, reopen_until: null }, ["Continue in its thread"]],
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

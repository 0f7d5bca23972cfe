import { expect, test } from "bun:test";
import { screen, waitFor, within } from "@testing-library/react";
import { ok, refused, visit } from "./browser";
import { asStaff, hostile, operate, ticketDetails } from "./desk-answers";

const path = `/desk/tickets/${ticketDetails.id}`;
const call = (verb: string) => `POST /api${path}/${verb}`;
const answerField = () => screen.findByLabelText<HTMLTextAreaElement>("Your answer");

test("support reads the question, what was said and who asks, and no text is markup", async () => {
  visit(path, asStaff("support"));
  await screen.findByRole("heading", { level: 1, name: "#12 Device" });
  const log = screen.getByRole("log", { name: "Messages" });
  within(log).getByText("It asks for my token again.");
  expect(within(log).getAllByText(hostile).length).toBeGreaterThan(0);
  within(log).getByText("Note, only staff see it");
  expect(document.querySelector("img[src='x']")).toBeNull();
  await screen.findByText("customer-1@example.com");
});

test("a question that is also the first message, as on the site, is shown once", async () => {
  const [first, ...others] = ticketDetails.messages;
  if (!first) throw new Error("the ticket has no message");
  const asked = { ...ticketDetails, messages: [{ ...first, text: ticketDetails.question }, ...others] };
  visit(path, { ...asStaff("support"), [`GET /api${path}`]: ok(asked) });
  const log = await screen.findByRole("log", { name: "Messages" });
  expect(within(log).getAllByText(ticketDetails.question)).toHaveLength(1);
});

test("an answer is sent by Ctrl+Enter, and what was refused stays in the field and over a reload", async () => {
  const page = visit(path, {
    ...asStaff("support"),
    [call("messages")]: refused(409, "That ticket is already closed", { code: "ticket_closed" }),
  });
  await page.user.type(await answerField(), "Try the new token.");
  await page.user.keyboard("{Control>}{Enter}{/Control}");
  await screen.findByText("That ticket is already closed");
  page.unmount();
  const again = visit(path, { ...asStaff("support"), [call("messages")]: ok(ticketDetails) });
  expect((await answerField()).value).toBe("Try the new token.");
  await again.user.click(screen.getByRole("button", { name: "Answer" }));
  await waitFor(async () => expect((await answerField()).value).toBe(""));
  expect(again.sent(call("messages"))).toEqual([{ text: "Try the new token." }]);
});

test("a saved reply is put after what was typed, and a note goes to staff alone", async () => {
  const page = visit(path, { ...asStaff("support"), [call("notes")]: ok(ticketDetails) });
  await page.user.type(await answerField(), "Hello,");
  await page.user.selectOptions(await screen.findByLabelText("Insert a saved reply"), "New token");
  expect((await answerField()).value).toBe("Hello,\n\nCopy the token anew.");
  await page.user.click(screen.getByRole("button", { name: "Add note" }));
  await waitFor(() => expect(page.named(call("notes"))).toHaveLength(1));
});

test("closing says what the customer reads, and asks for the reason", async () => {
  const page = visit(path, { ...asStaff("support"), [call("close")]: ok(ticketDetails) });
  const dialog = await operate(page.user, "Close ticket");
  dialog.getByText(/sees the reason/);
  await waitFor(() => expect(page.sent(call("close"))).toEqual([{ reason: "Because" }]));
});

test("viewers read a ticket and are shown nothing that they may not do", async () => {
  visit(path, asStaff("viewer"));
  await screen.findByRole("heading", { level: 1, name: "#12 Device" });
  expect(screen.queryByLabelText("Your answer")).toBeNull();
  for (const name of ["Claim", "Close ticket", "Answer", "Add note"])
    expect(screen.queryByRole("button", { name })).toBeNull();
});

test("the list says whom each ticket waits for, and is narrowed to what waits for us", async () => {
  const page = visit("/desk/tickets?waiting_for=staff", asStaff());
  const row = (await screen.findByText(`#12 ${hostile}`)).closest("[role=row]");
  expect(row?.textContent).toMatch(/ (min|h|days) for /);
  expect(page.named("GET /api/desk/tickets").at(-1)?.query.get("waiting_for")).toBe("staff");
});

test("support's figures tell waits, stars and comments, by topic and by who answered, and a range is in the address", async () => {
  const work = {
    opened: 3,
    first_answer: { median: 600, p90: 10_800 },
    stars: { count: 2, average: 4.5 },
  };
  const figures = {
    from: "2026-03-01",
    to: "2026-03-30",
    tz: "UTC",
    totals: { ...work, closed: 2, closing: { median: 3_600, p90: 259_200 } },
    topics: [{ topic: "Device", ...work, closed: 2, closing: null }],
    people: [{ by: { kind: "staff", id: "1", name: "sam", role: "support", via: "desk" }, ...work }],
    comments: [
      {
        ticket: { id: ticketDetails.id, number: 12 },
        stars: 5,
        comment: hostile,
        opened_at: ticketDetails.opened_at,
      },
    ],
    more: false,
  };
  const page = visit("/desk/tickets/figures", {
    ...asStaff("viewer"),
    "GET /api/desk/figures/support": ok(figures),
  });
  await screen.findByRole("heading", { level: 1, name: "Support's figures" });
  expect((await screen.findAllByText("10 min median · 90% under 3 h")).length).toBeGreaterThan(1);
  screen.getByText("60 min median · 90% under 3 days");
  screen.getByText(hostile);
  await page.user.selectOptions(screen.getByLabelText("Range"), "90 days");
  await waitFor(() => expect(location.search).toBe("?range=90"));
  await waitFor(() =>
    expect(page.named("GET /api/desk/figures/support").at(-1)?.query.get("from")).toMatch(/^\d{4}-/),
  );
});

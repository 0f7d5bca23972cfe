import { expect, test } from "bun:test";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { day } from "@/contract/vocabulary/time";
import { ok, refused, visit } from "./browser";
import { asStaff, dialogNamed, hostile, operate, paymentDetails, press, ticketDetails } from "./desk-answers";

const path = `/desk/tickets/${ticketDetails.id}`;
const call = (verb: string) => `POST /api${path}/${verb}`;
const answerField = () => screen.findByLabelText<HTMLTextAreaElement>("Your answer");

test("support reads the question, what was said and who asks, and no text is markup", async () => {
  visit(path, asStaff("support"));
  await screen.findByRole("heading", { level: 1, name: "#12 Device" });
  const log = screen.getByRole("log", { name: "Messages" });
  within(log).getByText("It asks for my token again.");
  expect(within(log).getAllByText(hostile).length).toBeGreaterThan(0);
  within(log).getByText(/^sam, a note that only staff see/);
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
  await page.user.click(screen.getByRole("tab", { name: "Note" }));
  expect(screen.getByLabelText<HTMLTextAreaElement>("Your note").value).toBe("");
  screen.getByText("Only staff see this.");
  await page.user.type(screen.getByLabelText("Your note"), "Asked twice.");
  await press(page.user, "Add note");
  await waitFor(() => expect(page.sent(call("notes"))).toEqual([{ text: "Asked twice." }]));
  await page.user.click(screen.getByRole("tab", { name: "Answer" }));
  expect((await answerField()).value).toBe("Hello,\n\nCopy the token anew.");
});

test("a pasted picture is sent before the answer that closes the ticket", async () => {
  const files = `PUT /api${path}/files`;
  const page = visit(path, {
    ...asStaff("support"),
    [call("messages")]: ok(ticketDetails),
    [files]: ok(ticketDetails),
  });
  const field = await answerField();
  await press(page.user, "Answer and close");
  expect(page.named(call("messages"))).toEqual([]);
  await page.user.type(field, "Here it is.");
  fireEvent.paste(field, { clipboardData: { files: [new File(["bytes"], "shot.png")] } });
  await screen.findByText("shot.png");
  await press(page.user, "Answer and close");
  await waitFor(() => expect(page.sent(call("messages"))).toEqual([{ text: "Here it is.", close: true }]));
  expect(page.named(files).map(({ query, body }) => [query.get("name"), body])).toEqual([
    ["shot.png", "bytes"],
  ]);
  expect(page.calls.findIndex(({ name }) => name === files)).toBeLessThan(
    page.calls.findIndex(({ name }) => name === call("messages")),
  );
  await waitFor(() => expect(screen.queryByText("shot.png")).toBeNull());
});

test("one press claims a ticket, and the next press is nobody's by accident", async () => {
  const claimer = { kind: "staff", id: "olgas-id", name: "olga", role: null, via: "desk" };
  const page = visit(path, { ...asStaff("support"), [call("claim")]: ok(ticketDetails) });
  const claim = await screen.findByRole("button", { name: "Claim" });
  page.answers[`GET /api${path}`] = ok({ ...ticketDetails, claimed_by: claimer.id, claimer });
  await page.user.click(claim);
  await waitFor(() => expect(page.sent(call("claim"))).toEqual([{}]));
  const unclaim = await screen.findByRole("button", { name: "Unclaim" });
  expect(document.activeElement).toBe(unclaim);
  expect(screen.queryByRole("dialog")).toBeNull();
  await page.user.click(unclaim);
  await dialogNamed("Unclaim");
});

test("a ticket says who has it and offers nothing that the shop would refuse", async () => {
  const claimer = { kind: "staff", id: "sams-id", name: "sam", role: null, via: "desk" };
  const open = async (role: "owner" | "support", of: object, button: string) => {
    const shown = { ...ticketDetails, ...of };
    const { unmount } = visit(path, { ...asStaff(role), [`GET /api${path}`]: ok(shown) });
    await screen.findByRole("heading", { level: 1, name: "#12 Device" });
    const isClaimed = screen.queryByText("With sam") !== null;
    const isOffered = screen.queryByRole("button", { name: button }) !== null;
    unmount();
    return { isClaimed, isOffered };
  };
  const sams = { claimed_by: claimer.id, claimer };
  expect(await open("support", sams, "Unclaim")).toEqual({ isClaimed: true, isOffered: false });
  expect(await open("owner", sams, "Unclaim")).toEqual({ isClaimed: true, isOffered: true });
  const closed = (days: number) => ({
    status: "closed",
    closed_at: new Date(Date.now() - days * day).toISOString(),
  });
  expect((await open("support", closed(6), "Reopen")).isOffered).toBe(true);
  expect((await open("support", closed(8), "Reopen")).isOffered).toBe(false);
});

test("the customer is helped from the ticket's page, as far as one's role allows", async () => {
  const resend = `POST /api/desk/payments/${paymentDetails.id}/resend`;
  const page = visit(path, { ...asStaff("support"), [resend]: ok(paymentDetails) });
  const card = within(await screen.findByRole("region", { name: "Customer" }));
  await page.user.click(await card.findByRole("button", { name: "Resend email for customer-1" }));
  const dialog = await dialogNamed("Resend email");
  await page.user.click(dialog.getByRole("button", { name: "Resend email" }));
  await waitFor(() => expect(page.sent(resend)).toEqual([{}]));
  card.getByRole("button", { name: "Propose refund for customer-1" });
  for (const name of [/^Grant a license/, /^Erase/, /^Suspend/])
    expect(card.queryByRole("button", { name })).toBeNull();
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

test("the list begins with what waits for us, with its last words, and shows the rest when asked", async () => {
  const page = visit("/desk/tickets", asStaff());
  const row = within(await screen.findByRole("row", { name: /#12/ }));
  row.getByText(`#12 ${hostile}`);
  row.getByText(/^Waits \d/);
  const asked = () => Object.fromEntries(page.named("GET /api/desk/tickets").at(-1)?.query ?? []);
  expect(asked()).toEqual({ waiting_for: "staff", limit: "50" });
  await page.user.selectOptions(screen.getByLabelText("Status"), "Closed");
  await waitFor(() => expect(asked()).toEqual({ status: "closed", limit: "50" }));
  await press(page.user, "Clear filters");
  await waitFor(() => expect(asked()).toEqual({ limit: "50" }));
  page.unmount();
  visit("/desk/tickets", { ...asStaff(), "GET /api/desk/tickets": ok({ rows: [], next: null }) });
  await screen.findByText("Nobody is waiting for an answer.");
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
    months: ["2026-02-01", "2026-03-01"].map((month) => ({ month, ...work, closed: 2, closing: null })),
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
  const months = within(screen.getByRole("grid", { name: "By month" }))
    .getAllByRole("row")
    .slice(1);
  expect(months.map(({ textContent }) => /^\w+ \d{4}/.exec(textContent ?? "")?.[0])).toEqual([
    "March 2026",
    "February 2026",
  ]);
  await page.user.selectOptions(screen.getByLabelText("Range"), "90 days");
  await waitFor(() => expect(location.search).toBe("?range=90"));
  await waitFor(() =>
    expect(page.named("GET /api/desk/figures/support").at(-1)?.query.get("from")).toMatch(/^\d{4}-/),
  );
});

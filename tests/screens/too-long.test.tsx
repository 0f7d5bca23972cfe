import { describe, expect, test } from "bun:test";
import { screen, waitFor } from "@testing-library/react";
import { ada, type Answers, asAda, computer, hasFocus, ok, visit } from "./browser";

const id = "01a1fd74-495b-730b-a5fe-a252e03c534c";
const ticket = {
  id,
  number: 12,
  topic: "License",
  state: "open",
  opened_at: "2026-11-20T10:00:00.000Z",
  closed_at: null,
  closed_by: null,
  close_reason: null,
  stars: null,
  via: "site",
  waiting_for: null,
  unread: false,
  last: { author: "member", text: "?" },
  question: "?",
  answers_by: "mail",
  reopen_until: null,
  rating_comment: null,
  messages: [],
} as const;
const closed = { ...ticket, state: "closed", closed_by: "member", closed_at: ticket.opened_at, stars: 4 };
const transcript = `GET /api/tickets/${id}`;

type Case = {
  path: string;
  answers: Answers;
  field: string;
  most: number;
  button: string;
  call: string;
  before?: (user: ReturnType<typeof visit>["user"]) => Promise<void>;
};
const press = (name: RegExp) => async (user: ReturnType<typeof visit>["user"]) =>
  user.click(await screen.findByRole("button", { name }));

const gift = (field: string, most: number): Case => ({
  path: "/?gift",
  answers: {
    "GET /api/functions/get-stripe-key": () => Response.json({ key: "pk_test_1" }),
    "POST /api/stripe/create-checkout-session": ok({ id: "cs_1", url: "#paid" }),
  },
  field,
  most,
  button: "Purchase gift",
  call: "POST /api/stripe/create-checkout-session",
  before: async (user) => user.type(await screen.findByLabelText("Their email"), "bob@example.com"),
});

const cases: Record<string, Case> = {
  "a new ticket's question": {
    path: "/dashboard/tickets?new",
    answers: { "POST /api/tickets": ok(ticket), [transcript]: ok(ticket, { next: null }) },
    field: "What happened with your license?",
    most: 4_000,
    button: "Send",
    call: "POST /api/tickets",
    before: press(/License/),
  },
  "a ticket's message": {
    path: `/dashboard/ticket?id=${id}`,
    answers: {
      [transcript]: ok(ticket, { next: null }),
      [`POST /api/tickets/${id}/messages`]: ok(ticket),
    },
    field: "Your message",
    most: 4_000,
    button: "Send",
    call: `POST /api/tickets/${id}/messages`,
  },
  "a rating's comment": {
    path: `/dashboard/ticket?id=${id}`,
    answers: {
      [transcript]: ok(closed, { next: null }),
      [`POST /api/tickets/${id}/rating`]: ok(closed),
    },
    field: "What could be better? (optional)",
    most: 1_000,
    button: "Send rating",
    call: `POST /api/tickets/${id}/rating`,
  },
  "a gift's message": gift("Message", 500),
  "a gift's sender": gift("From", 40),
  "a computer's name": {
    path: "/dashboard/account#hwid",
    answers: {
      "GET /api/user/me": ok({ ...ada, hwid_set: true, devices: { used: 1, places: 3 } }),
      "GET /api/devices": ok([computer], { next: null }),
      "POST /api/devices/rename": ok(null),
    },
    field: "Name",
    most: 64,
    button: "Save",
    call: "POST /api/devices/rename",
    before: press(/Rename/),
  },
};

describe("a text that is too long stays whole in its field, and is sent once it is shortened", () => {
  for (const [what, { path, answers, field: label, most, button, call, before }] of Object.entries(cases))
    test(what, async () => {
      const { user, named } = visit(path, { ...asAda, ...answers });
      await before?.(user);
      const field = await screen.findByLabelText<HTMLInputElement>(label);
      await user.clear(field);
      await user.click(field);
      await user.paste("x".repeat(most + 12));
      const send = screen
        .getAllByRole<HTMLButtonElement>("button", { name: button })
        .find(({ form }) => form === field.form);
      if (!send) throw new Error("no form");
      await user.click(send);
      expect(field.value).toHaveLength(most + 12);
      expect(field.getAttribute("aria-invalid")).toBe("true");
      const described = document.getElementById(field.getAttribute("aria-describedby") ?? "");
      expect(described?.textContent).toBe("12 characters too many");
      expect(hasFocus(field)).toBe(true);
      expect(named(call)).toEqual([]);
      await user.clear(field);
      await user.paste("x".repeat(most));
      expect(field.getAttribute("aria-invalid")).toBeNull();
      await user.click(send);
      await waitFor(() => expect(named(call)).toHaveLength(1));
    });
});

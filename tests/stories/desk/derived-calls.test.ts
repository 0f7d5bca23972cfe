import { afterAll, beforeAll, expect, test } from "bun:test";
import { cursorOf } from "@/contract/wire/pages";
import { sealedCursor } from "@/domain/operations/list";
import { auditTrail } from "@/core/database/audit";
import { atDesk, type Colleague } from "../../support/people/desk";
import { openStage, type Stage } from "../../support/shop/stage";
import { member } from "../accounts/people";

async function openTicket(of: Stage, name: string): Promise<string> {
  const person = await member(of, name);
  const asked = await person.post("/api/tickets", { topic: "other", question: "It does not start." });
  return asked.body.data.id;
}

let stage: Stage;
let olga: Colleague;

beforeAll(async () => {
  stage = await openStage();
  olga = await atDesk(stage, "olga", "owner");
});
afterAll(() => stage[Symbol.asyncDispose]());

test("a call without fields takes no body, an empty one, and nothing else", async () => {
  const id = await openTicket(stage, "ada");
  for (const wrong of [{ reason: "a reason" }, [], "text"])
    expect((await olga.post(`tickets/${id}/claim`, wrong)).status).toBe(400);
  expect((await olga.post(`tickets/${id}/claim`, {})).status).toBe(200);
  expect((await olga.post(`tickets/${id}/unclaim`)).status).toBe(200);
});

test("a reason that is left out is stored as none, in the log and in a ticket", async () => {
  const id = await openTicket(stage, "bea");
  expect((await olga.post(`tickets/${id}/close`, {})).status).toBe(200);
  expect((await olga.get(`tickets/${id}`)).body.data.close_reason).toBeNull();
  const [closed] = await auditTrail(stage.ctx, { about: id, limit: 1 });
  expect(closed).toMatchObject({ action: "ticket.closed", reason: null });
});

test("a cursor is taken only by the list that made it, and only with an id of that list", async () => {
  for (const [list, name] of [
    ["codes", "code.read"],
    ["webhooks/deliveries", "webhook.deliveries"],
  ] as const) {
    for (const after of [
      cursorOf({ at: new Date(0), id: "promo_1" }),
      sealedCursor("offer.read", {}, { at: new Date(0), id: "promo_1" }),
      sealedCursor(name, {}, { at: new Date(0), id: "made-up" }),
    ])
      expect((await olga.get(`${list}?after=${after}`)).body).toMatchObject({ status: 400, field: "after" });
  }
});

test("webhooks come a page at a time", async () => {
  for (const path of ["a", "b", "c"]) {
    const made = await olga.post("webhooks", { url: `https://example.com/${path}`, reason: "a reason" });
    expect(made.status).toBe(200);
  }
  const first = (await olga.get("webhooks?limit=2")).body.data;
  const second = (await olga.get(`webhooks?limit=2&after=${first.next}`)).body.data;
  const urls = [...first.rows, ...second.rows].map(({ url }: { url: string }) => url.at(-1));
  expect([urls, second.next]).toEqual([["a", "b", "c"], null]);
});

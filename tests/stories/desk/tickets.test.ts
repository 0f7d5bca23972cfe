import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { minute } from "@/contract/vocabulary/time";
import { auditTrail } from "@/core/database/audit";
import { links } from "@/domain/schema/discord";
import { tickets } from "@/domain/schema/tickets";
import { atDesk } from "../../support/people/desk";
import type { Person } from "../../support/people/person";
import { openStage, type Stage } from "../../support/shop/stage";
import { member } from "../accounts/people";

const reason = "solved by 2.1";

async function asked(person: Person): Promise<string> {
  const answer = await person.post("/api/tickets", { topic: "other", question: "It does not start." });
  expect(answer.status).toBe(200);
  return answer.body.data.id;
}

test("in a shop without Discord support claims, answers, notes, closes and reopens a ticket, and the customer reads all but the note", async () => {
  await using stage = await openStage();
  const sam = await atDesk(stage, "sam", "support");
  const ada = await member(stage, "ada");
  const id = await asked(ada);
  expect((await sam.post(`tickets/${id}/claim`)).body.data).toMatchObject({
    id,
    status: "open",
    claimer: { name: "sam", via: "desk" },
    last: { author: "customer", text: "It does not start." },
  });
  expect((await sam.post(`tickets/${id}/claim`)).body).toMatchObject({
    status: 409,
    code: "ticket_claimed",
  });
  expect((await sam.get(`tickets/${id}`)).body.data.claimed_by).toBe((await claimer(stage, id)) ?? "");
  expect((await sam.get("tickets")).body.data.rows[0]).toMatchObject({ id, claimer: { name: "sam" } });
  const answered = await sam.post(`tickets/${id}/messages`, { text: "Please try 2.1." });
  expect(answered.body.data).toMatchObject({
    waiting_for: "customer",
    last: { author: "staff", text: "Please try 2.1." },
  });
  expect((await sam.post(`tickets/${id}/notes`, { text: "knows the bug" })).status).toBe(200);
  const read = async () => (await ada.get(`/api/tickets/${id}`)).body.data;
  const { messages } = await read();
  expect(messages.at(-1)).toMatchObject({ author: "staff", name: "sam", content: "Please try 2.1." });
  expect(JSON.stringify(messages)).not.toContain("knows the bug");
  const shown = (await sam.get(`tickets/${id}`)).body.data.messages;
  expect(shown.map(({ author, name }: { author: string; name: string }) => `${author} ${name}`)).toEqual([
    "customer ada",
    "staff sam",
    "note sam",
  ]);

  await sam.post(`tickets/${id}/messages`, { text: "Did it help?" });
  stage.advance(2 * minute);
  await stage.shop.periodicJobs.run();
  await stage.shop.worker.drain();
  expect(stage.mail.messages("ada@example.com").some(({ subject }) => subject?.includes("replied"))).toBe(
    true,
  );

  expect((await sam.post(`tickets/${id}/close`, { reason })).body.data).toMatchObject({
    status: "closed",
    waiting_for: null,
  });
  expect(await read()).toMatchObject({ state: "closed", closed_by: "staff", close_reason: reason });
  expect((await sam.post(`tickets/${id}/messages`, { text: "late" })).body.code).toBe("ticket_closed");
  expect((await sam.post(`tickets/${id}/close`, { reason })).body.code).toBe("ticket_closed");
  expect((await sam.post("tickets/nothing/notes", { text: "x" })).body.code).toBe("ticket_unknown");
  expect((await sam.post(`tickets/${id}/reopen`, { reason: "came back" })).body.data).toMatchObject({
    status: "open",
    waiting_for: "staff",
  });
  expect((await sam.post(`tickets/${id}/reopen`, { reason })).body.code).toBe("ticket_over");
  const log = await auditTrail(stage.ctx, { about: id, limit: 50 });
  const actions = log.filter(({ actorKind }) => actorKind === "staff");
  expect(actions.map(({ action, reason: why }) => [action, why]).toReversed()).toEqual([
    ["ticket.claimed", null],
    ["ticket.noted", null],
    ["ticket.closed", reason],
    ["ticket.reopened", "came back"],
  ]);
});

const claimer = async (stage: Stage, id: string) =>
  (await stage.ctx.store.db.select().from(tickets).where(eq(tickets.id, id)))[0]?.claimedBy;

test("a claim is given up by its holder, or by an owner", async () => {
  await using stage = await openStage();
  const [olga, sam] = [await atDesk(stage, "olga", "owner"), await atDesk(stage, "sam", "support")];
  const sue = await atDesk(stage, "sue", "support");
  const id = await asked(await member(stage, "ada"));
  const unclaim = (who: typeof sam) => who.post(`tickets/${id}/unclaim`);
  expect((await unclaim(sam)).body.code).toBe("ticket_not_claimed");
  await sam.post(`tickets/${id}/claim`);
  expect((await unclaim(sue)).body).toMatchObject({ status: 409, code: "ticket_not_claimed" });
  expect((await unclaim(sam)).status).toBe(200);
  await sam.post(`tickets/${id}/claim`);
  expect((await unclaim(olga)).status).toBe(200);
  const claims = await Promise.all(
    Array.from({ length: 200 }, (_, at) => (at % 2 ? sam : sue).post(`tickets/${id}/claim`)),
  );
  expect(claims.filter(({ status }) => status === 200)).toHaveLength(1);
});

test("an answer that closes its ticket is read, is the first answer, and neither is stored without the other", async () => {
  await using stage = await openStage();
  const sam = await atDesk(stage, "sam", "support");
  const ada = await member(stage, "ada");
  const id = await asked(ada);
  const answer = () => sam.post(`tickets/${id}/messages`, { text: "Please try 2.1.", close: true });
  const answers = await Promise.all([answer(), answer(), answer()]);
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409, 409]);
  const { state, closed_by, close_reason, unread, messages } = (await ada.get(`/api/tickets/${id}`)).body
    .data;
  expect({ state, closed_by, close_reason, unread }).toEqual({
    state: "closed",
    closed_by: "staff",
    close_reason: null,
    unread: true,
  });
  expect(messages.map(({ author }: { author: string }) => author)).toEqual(["member", "staff"]);
  const { totals } = (await sam.get("figures/support")).body.data;
  expect(totals).toMatchObject({ opened: 1, closed: 1, first_answer: { median: expect.any(Number) } });
});

test("a ticket takes a hundred notes, and says so", async () => {
  await using stage = await openStage();
  const sam = await atDesk(stage, "sam", "support");
  const id = await asked(await member(stage, "ada"));
  const note = () => sam.post(`tickets/${id}/notes`, { text: "knows the bug" });
  const notes = await Promise.all(Array.from({ length: 110 }, note));
  expect(notes.filter(({ status }) => status === 200)).toHaveLength(100);
  expect((await note()).body).toMatchObject({
    status: 409,
    code: "ticket_full",
    data: "This ticket has 100 notes, as many as a ticket takes.",
  });
  expect((await sam.post(`tickets/${id}/messages`, { text: "Please try 2.1." })).status).toBe(200);
});

test("owners save replies, and all staff read them", async () => {
  await using stage = await openStage();
  const [olga, vera] = [await atDesk(stage, "olga", "owner"), await atDesk(stage, "vera", "viewer")];
  const save = (name: string, text = "Please try 2.1.") => olga.post("replies", { name, text, reason });
  const { id } = (await save("Try 2.1")).body.data;
  expect((await save("Try 2.1")).body).toMatchObject({ status: 409, code: "reply_exists" });
  await save("Ask for a log");
  expect((await vera.get("replies")).body.data.map(({ name }: { name: string }) => name)).toEqual([
    "Ask for a log",
    "Try 2.1",
  ]);
  const changed = await olga.post(`replies/${id}/change`, {
    name: "Try 2.2",
    text: "Please try 2.2.",
    reason,
  });
  expect(changed.body.data).toEqual({ id, name: "Try 2.2", text: "Please try 2.2." });
  const taken = await olga.post(`replies/${id}/change`, { name: "Ask for a log", text: "y", reason });
  expect(taken.body.code).toBe("reply_exists");
  expect((await olga.post(`replies/${id}/remove`, { reason })).body.data).toEqual({ id });
  expect((await olga.post(`replies/${id}/remove`, { reason })).body).toMatchObject({
    status: 404,
    code: "reply_unknown",
  });
  const races = await Promise.all(Array.from({ length: 200 }, () => save("The same")));
  expect(races.filter(({ status }) => status === 200)).toHaveLength(1);
});

test("staff list the tickets that they claimed, on the desk or in Discord, and nobody else's", async () => {
  await using stage = await openStage();
  const sam = await atDesk(stage, "sam", "support");
  const tom = await atDesk(stage, "tom", "support");
  const me = (await sam.get("me")).body.data;
  const own: string[] = [];
  for (const [index, who] of [sam, sam, sam, tom].entries()) {
    const id = await asked(await member(stage, `customer${index}`));
    await who.post(`tickets/${id}/claim`);
    if (who === sam) own.unshift(id);
    stage.advance(minute);
  }
  await asked(await member(stage, "nobodys"));
  const [newest = "", middle = "", oldest = ""] = own;
  await stage.shop.ctx.store.db
    .insert(links)
    .values({ accountId: me.id, discordUserId: "42", displayName: "sam#1", linkedAt: stage.shop.ctx.now() });
  await stage.shop.ctx.store.db.update(tickets).set({ claimedBy: "42" }).where(eq(tickets.id, middle));
  await sam.post(`tickets/${oldest}/messages`, { text: "Please try 2.1." });
  await sam.post(`tickets/${newest}/close`, { reason });
  const listed = async (query: string) =>
    (await sam.get(`tickets?${query}`)).body.data.rows.map(({ id }: { id: string }) => id);
  const mine = `claimed_by=${me.id}`;
  expect(await listed(mine)).toEqual(own);
  expect(await listed(`${mine}&status=open`)).toEqual([middle, oldest]);
  expect(await listed(`${mine}&status=closed`)).toEqual([newest]);
  expect(await listed(`${mine}&waiting_for=customer`)).toEqual([oldest]);
  await stage.shop.ctx.store.db.update(tickets).set({ waitingFor: "staff" }).where(eq(tickets.id, oldest));
  expect(await listed(`${mine}&waiting_for=staff`)).toEqual([middle, oldest]);
  await stage.shop.ctx.store.db.update(tickets).set({ waitingFor: "member" }).where(eq(tickets.id, oldest));
  expect(await listed(`${mine}&waiting_for=customer&status=closed`)).toEqual([]);
  expect(await listed("claimed_by=discord:42")).toEqual([middle]);
  expect(await listed("claimed_by=nobody")).toEqual([]);
  expect((await sam.get("tickets?claimed_by=a%20b")).status).toBe(400);
});

import { expect, test } from "bun:test";
import { day, hour, minute } from "@/contract/vocabulary/time";
import { operator } from "@/core/base/actor";
import { closeTicket } from "@/domain/tickets/writing/change";
import { expectTicket } from "@/domain/tickets/reading/queries";
import { answerOnSite } from "@/domain/tickets/writing/write";
import { operate } from "../../support/operator/run-operator";
import { eventually, openStage, type Stage } from "../../support/shop/stage";
import { mailsTo, member, unproven } from "../accounts/people";

const answerMails = async (stage: Stage) => {
  await stage.shop.periodicJobs.run();
  await stage.shop.worker.drain();
  return (await mailsTo(stage, "ada@example.com")).filter(({ subject }) => subject.includes("ticket #1"));
};

test("without Discord a customer buys, registers, asks with a file, is answered, told by mail, closes and rates", async () => {
  await using stage = await openStage();
  const { key } = await stage.buy("ada@example.com");
  const person = stage.person();
  await person.register(key, "ada");
  const asked = await person.post("/api/tickets", { topic: "device", question: "It says no" });
  expect(asked).toMatchObject({ status: 200, body: { data: { number: 1, answers_by: "mail" } } });
  const { id } = asked.body.data;
  const file = await person.send("POST", `/api/tickets/${id}/files?name=log.txt`, {
    headers: { "content-type": "text/plain" },
    body: "line one",
  });
  expect(file.status).toBe(200);

  expect((await operate(stage, "tickets", "list")).out).toContain("Device");
  expect((await operate(stage, "tickets", "show", "1")).out).toContain("file: log.txt (8 bytes, kept)");
  stage.advance(2 * minute);
  expect(await operate(stage, "tickets", "answer", "1", "Try the\u001b[31m new release")).toMatchObject({
    code: 0,
  });
  const [mail, ...others] = await eventually(
    () => answerMails(stage),
    (all) => all.length > 0,
  );
  expect(others).toEqual([]);
  expect(mail?.subject).toBe("Support replied to your ticket #1");
  expect(mail?.text).toContain(`/dashboard/ticket?id=${id}`);
  expect(mail?.text).not.toContain("new release");
  const { body } = await person.get(`/api/tickets/${id}`);
  expect(body.data.messages).toMatchObject([
    { author: "member", content: "It says no" },
    { author: "member", files: [{ name: "log.txt" }] },
    { author: "staff", name: "Wisp Selfbot support", content: "Try the[31m new release" },
  ]);
  expect((await person.post(`/api/tickets/${id}/close`)).status).toBe(200);
  expect(
    (await person.post(`/api/tickets/${id}/rating`, { stars: 4, comment: "Fine" })).body.data,
  ).toMatchObject({
    stars: 4,
    rating_comment: "Fine",
  });
  expect((await operate(stage, "tickets", "answer", "1", "Late")).code).toBe(1);
});

test("without Discord a ticket whose customer stays silent for three days after an answer is closed, and no other", async () => {
  await using stage = await openStage();
  const person = await unproven(stage, "ada");
  const open = async (question: string): Promise<string> =>
    (await person.post("/api/tickets", { topic: "other", question })).body.data.id;
  const [silent, waiting] = [await open("Hello"), await open("And this?")];
  const staff = { actor: operator, name: "Support", text: "Try the new release" };
  await answerOnSite(stage.ctx, await expectTicket(stage.ctx, silent), staff);
  const statesOf = async () =>
    Promise.all([silent, waiting].map(async (id) => (await expectTicket(stage.ctx, id)).state));
  stage.advance(3 * day - minute);
  await stage.shop.periodicJobs.run();
  expect(await statesOf()).toEqual(["open", "open"]);
  stage.advance(2 * minute);
  await stage.shop.periodicJobs.run();
  expect(await statesOf()).toEqual(["closed", "open"]);
  expect(await expectTicket(stage.ctx, silent)).toMatchObject({
    closedBy: "shop",
    closeReason: "There was no reply for three days.",
  });
});

test("a confirmed address gets the newest answer at most once an hour, and none within a minute of the page's last look", async () => {
  await using stage = await openStage();
  const person = await member(stage, "ada");
  const { id } = (await person.post("/api/tickets", { topic: "other", question: "Hello" })).body.data;
  const answer = async (text: string) =>
    answerOnSite(stage.ctx, await expectTicket(stage.ctx, id), { actor: operator, name: "Support", text });
  const look = () => person.get(`/api/tickets/${id}`);
  stage.advance(10 * minute);
  await look();
  await answer("One");
  expect(await answerMails(stage)).toHaveLength(0);
  stage.advance(50_000);
  expect(await answerMails(stage)).toHaveLength(0);
  stage.advance(12_000);
  const [first, ...others] = await answerMails(stage);
  expect(others).toEqual([]);
  expect(first?.text).toContain("> One\n");
  await answer("Two");
  stage.advance(minute);
  await answer(`Three${"!".repeat(1_000)}`);
  stage.advance(49 * minute);
  expect(await answerMails(stage)).toHaveLength(1);
  stage.advance(11 * minute);
  const later = await answerMails(stage);
  expect(later).toHaveLength(2);
  const texts = later.map(({ text }) => text).filter((text) => !text?.includes("> One"));
  expect(texts[0]).toContain(`> Three${"!".repeat(994)}…\n`);
  expect(texts[0]).not.toContain("Two");
  await answer("Four");
  stage.advance(minute);
  expect((await person.get("/api/tickets")).body.data[0].unread).toBe(true);
  await look();
  expect((await person.get("/api/tickets")).body.data[0].unread).toBe(false);
  stage.advance(2 * hour);
  expect(await answerMails(stage)).toHaveLength(2);
});

test("a customer learns by mail that staff closed the ticket, and 180 days later it is erased, with Discord off too", async () => {
  await using stage = await openStage();
  const person = await unproven(stage, "ada");
  const { id } = (await person.post("/api/tickets", { topic: "other", question: "Hello" })).body.data;
  stage.advance(5 * minute);
  const reason = "Solved by the new release";
  await closeTicket(stage.ctx, await expectTicket(stage.ctx, id), { actor: operator, reason });
  expect((await person.get("/api/tickets")).body.data).toMatchObject([
    { unread: true, close_reason: reason },
  ]);
  expect(await answerMails(stage)).toMatchObject([{ subject: "Your ticket #1 was closed" }]);
  stage.advance(181 * day);
  await stage.shop.periodicJobs.run();
  expect((await stage.ctx.store.client.execute("SELECT id FROM tickets")).rows).toEqual([]);
});

test("an account has three open tickets, also when it asks for many at once, and writes 20 messages in ten minutes", async () => {
  await using stage = await openStage();
  const person = await unproven(stage, "ada");
  const asked = await Promise.all(
    Array.from({ length: 12 }, () => person.post("/api/tickets", { topic: "other", question: "Hello" })),
  );
  expect(asked.filter(({ status }) => status === 200)).toHaveLength(3);
  for (const { status, body } of asked)
    if (status !== 200) expect(body).toMatchObject({ status: 409, code: "ticket_open" });
  const { id } = asked.find(({ status }) => status === 200)?.body.data ?? {};
  const sent = await Promise.all(
    Array.from({ length: 20 }, (_, at) => person.post(`/api/tickets/${id}/messages`, { text: `No. ${at}` })),
  );
  expect(sent.filter(({ status }) => status === 200)).toHaveLength(17);
  const refused = sent.find(({ status }) => status === 429);
  expect(refused?.body.code).toBe("rate_limited");
  expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(500);
  expect((await person.get(`/api/tickets/${id}`)).body.data.messages).toHaveLength(18);
});

test("a request repeated with its idempotency key, at once or later, makes one ticket and one message, and repeats count against no limit", async () => {
  await using stage = await openStage({ env: { LIMITS: "ticket-message=4/600" } });
  const person = await unproven(stage, "ada");
  const question = { topic: "other", question: "Hello" };
  const ask = (key: string, who = person) => who.post("/api/tickets", question, { "idempotency-key": key });
  const asked = await Promise.all(Array.from({ length: 12 }, () => ask("the-first-ticket")));
  const opened = asked.filter(({ status }) => status === 200);
  const { id } = opened[0]?.body.data ?? {};
  expect(opened.every(({ body }) => body.data.id === id)).toBe(true);
  expect((await person.get("/api/tickets")).body.data).toHaveLength(1);

  const write = (key: string) =>
    person.post(`/api/tickets/${id}/messages`, { text: "Same" }, { "idempotency-key": key });
  for (const key of ["the-second-message", "the-third-message"]) expect((await write(key)).status).toBe(200);
  stage.advance(hour);
  for (let at = 0; at < 4; at += 1) await person.post(`/api/tickets/${id}/messages`, { text: `No. ${at}` });
  expect((await write("the-fifth-message")).status).toBe(429);
  expect((await write("the-third-message")).status).toBe(200);
  await person.post(`/api/tickets/${id}/close`);
  expect((await write("the-third-message")).status).toBe(200);
  expect((await ask("the-first-ticket")).body.data).toMatchObject({ id, state: "closed" });
  const texts = (await person.get(`/api/tickets/${id}`)).body.data.messages;
  expect(texts.filter(({ content }: { content: string }) => content === "Same")).toHaveLength(2);
  expect((await write("short")).status).toBe(400);

  const other = await unproven(stage, "eve");
  const theirs = await ask("the-first-ticket", other);
  expect(theirs).toMatchObject({ status: 200, body: { data: { number: 2 } } });
});

test("a refused request doesn't count against what an account may write and open", async () => {
  await using stage = await openStage({ env: { LIMITS: "ticket-message=5/600,ticket=2/3600" } });
  const person = await unproven(stage, "ada");
  const open = (topic: string) => person.post("/api/tickets", { topic, question: "Hello" });
  const statuses = async (calls: (() => Promise<{ status: number }>)[]) => {
    const seen: number[] = [];
    for (const call of calls) seen.push((await call()).status);
    return seen;
  };
  expect(await statuses(Array.from({ length: 6 }, () => () => open("nonsense")))).toEqual(Array(6).fill(400));
  expect(await statuses([1, 2, 3].map(() => () => open("other")))).toEqual([200, 200, 200]);
  expect(await statuses(Array.from({ length: 6 }, () => () => open("other")))).toEqual(Array(6).fill(409));
  const { id } = (await person.get("/api/tickets")).body.data[0];
  const empty = () => person.send("POST", `/api/tickets/${id}/files?name=a.txt`, { body: "" });
  expect(await statuses(Array.from({ length: 6 }, () => empty))).toEqual(Array(6).fill(400));
  const again = () => person.post(`/api/tickets/${id}/reopen`);
  const rate = () => person.post(`/api/tickets/${id}/rating`, { stars: 5 });
  expect(await statuses([again, rate, again, rate])).toEqual([409, 409, 409, 409]);
  await person.post(`/api/tickets/${id}/close`);
  const write = (which: string) => person.post(`/api/tickets/${which}/messages`, { text: "Hello" });
  expect(await statuses(Array.from({ length: 3 }, () => () => write(id)))).toEqual([409, 409, 409]);
  expect(await statuses([rate, again])).toEqual([200, 200]);
  expect(await statuses([() => write(id), () => write(id), () => write(id)])).toEqual([200, 200, 429]);
});

test("nobody else reads or changes a ticket, and what is sent is checked", async () => {
  await using stage = await openStage();
  const [ada, mallory] = [stage.person(), stage.person()];
  await ada.register(await stage.handOut(), "ada");
  await mallory.register(await stage.handOut(), "mallory");
  const { id } = (await ada.post("/api/tickets", { topic: "other", question: "Hello" })).body.data;
  for (const [path, body] of [
    ["messages", { text: "x" }],
    ["close", undefined],
    ["reopen", undefined],
    ["rating", { stars: 1 }],
  ] as const) {
    expect(await mallory.post(`/api/tickets/${id}/${path}`, body)).toMatchObject({
      status: 404,
      body: { code: "ticket_unknown" },
    });
    expect((await stage.person().post(`/api/tickets/${id}/${path}`, body)).status).toBe(401);
  }
  const wrong: [string, unknown][] = [
    ["", { topic: "constructor", question: "x" }],
    ["", { topic: "other", question: "" }],
    ["", { topic: "other", question: " \u0000\u202e\n " }],
    ["", { topic: "other", question: "x".repeat(4_001) }],
    ["", { topic: ["other"], question: "x" }],
    ["", { topic: "other", question: "x", number: 7 }],
    [`/${id}/messages`, { text: { toString: "x" } }],
    [`/${id}/messages`, {}],
    [`/${id}/rating`, { stars: 6 }],
  ];
  for (const [path, body] of wrong) expect((await ada.post(`/api/tickets${path}`, body)).status).toBe(400);
  expect((await ada.post(`/api/tickets/${id}/rating`, { stars: 5 })).status).toBe(409);
  const text = "a\u0000b\u202ec\r\nd\ud800";
  expect((await ada.post(`/api/tickets/${id}/messages`, { text })).status).toBe(200);
  const { messages } = (await ada.get(`/api/tickets/${id}`)).body.data;
  expect(messages.at(-1).content).toBe("abc\nd\ufffd");
});

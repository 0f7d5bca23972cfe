import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { day } from "@/contract/vocabulary/time";
import { ticketFiles } from "@/domain/schema/tickets";
import { connect, customer } from "../../support/people/discord";
import { eventually } from "../../support/shop/stage";
import { bindDevice, prove } from "../accounts/people";
import {
  ask,
  close,
  kept,
  messagesIn,
  openDesk,
  openInDiscord,
  passTime,
  press,
  pressLabel,
  rowsOf,
  staffNotices,
  textIn,
  threads,
  type,
  waitForTicket,
} from "../../support/people/tickets";

test("when two staff claim a ticket at once one gets it, and can give it up again", async () => {
  await using stage = await openDesk();
  const { id, card } = await openInDiscord(stage, "ada");
  const answers = await Promise.all(
    ["sam", "sue"].map((user) => press(stage, user, card, `ticket-claim:${id}`)),
  );
  const texts: string[] = answers.map(({ content }) => content);
  expect(new Set(texts)).toEqual(
    new Set(["Someone else has already taken that ticket.", "Ticket #1 is yours."]),
  );
  const winner = answers[0].content.includes("yours") ? "sam" : "sue";
  const loser = winner === "sam" ? "sue" : "sam";
  const unclaim = { message: card, custom_id: `ticket-unclaim:${id}` };
  await eventually(async () =>
    JSON.stringify(await messagesIn(stage, "staff", "sam")).includes("ticket-unclaim"),
  );
  expect((await stage.atDiscord("interact/button", { user: loser, ...unclaim })).content).toContain(
    "not yours",
  );
  expect((await stage.atDiscord("interact/button", { user: winner, ...unclaim })).content).toContain(
    "unassigned",
  );
  expect((await rowsOf(stage))[0]?.claimed_by).toBeNull();
});

test("when two staff close a ticket at once, one closes it", async () => {
  await using stage = await openDesk();
  const { card, thread } = await openInDiscord(stage, "ada");
  const forms = await Promise.all(["sam", "sue"].map((user) => pressLabel(stage, user, card, "Close")));
  const answers = await Promise.all(
    forms.map(({ interaction }, index) =>
      stage.atDiscord("interact/modal", {
        user: index === 0 ? "sam" : "sue",
        interaction,
        fields: { text: "Done" },
      }),
    ),
  );
  const texts: string[] = answers.map(({ content }) => content);
  expect(new Set(texts)).toEqual(new Set(["That ticket is already closed.", "Ticket #1 is closed."]));
  await waitForTicket(stage, ({ farewell_id }) => Boolean(farewell_id));
  expect((await textIn(stage, thread)).split("was closed by")).toHaveLength(2);
});

/** Each button on a card, its answer, and its entry in the audit log. */
const buttons = [
  ["claim", "is yours", "ticket.claimed"],
  ["device", "The device was reset.", "device.reset_by_staff"],
  ["key", "on its way by email", "licence.key_resent"],
  ["role", "You have", "ticket.role_resynced"],
  ["unclaim", "unassigned", "ticket.unclaimed"],
  ["escalate", "escalated", "ticket.escalated"],
] as const;

test("every staff action does what it says, and is audited with its actor", async () => {
  await using stage = await openDesk();
  const { key } = await stage.buy();
  const person = stage.person();
  await person.register(key, "ada");
  await prove(stage, "ada");
  await connect(stage, person, "ada");
  const { id, card } = await openInDiscord(stage, "ada");
  expect((await press(stage, "sam", card, `ticket-device:${id}`)).content).toBe(
    "No device is bound to that account.",
  );
  await bindDevice(stage, person);
  for (const [verb, answer] of buttons) {
    // the card shows either claim or unclaim
    await eventually(async () =>
      JSON.stringify(await messagesIn(stage, "staff", "sam")).includes(`"ticket-${verb}:${id}"`),
    );
    const reply = await press(stage, "sam", card, `ticket-${verb}:${id}`);
    expect(reply).toMatchObject({ ephemeral: true });
    expect(reply.content).toContain(answer);
  }
  const { interaction } = await pressLabel(stage, "sam", card, "Note");
  await stage.atDiscord("interact/modal", { user: "sam", interaction, fields: { text: "a note" } });
  await close(stage, card, "Solved");
  const [email] = await eventually(
    () => stage.mail.messages("ada@example.com").filter(({ subject }) => /key/i.test(subject)),
    (emails) => emails.length === 1,
  );
  expect(JSON.stringify(email)).toContain(key);
  const { members } = await stage.atDiscord("members");
  const sam = members.find((one: { username: string }) => one.username === "sam").id;
  const { rows } = await stage.ctx.store.client.execute({
    sql: "SELECT action, reason FROM audit_log WHERE actor = ? ORDER BY id",
    args: [`discord:${sam}`],
  });
  const actions = [...buttons.map(([, , action]) => action), "ticket.noted", "ticket.closed"];
  expect(rows.map(({ action }) => action as string)).toEqual(actions);
  expect(rows.at(-1)?.["reason"]).toBe("Solved");
});

test("somebody who sees a card without the support role is refused at every button, privately", async () => {
  await using stage = await openDesk();
  const { person } = await customer(stage, "ada");
  await connect(stage, person, "ada");
  const { id, card } = await openInDiscord(stage, "ada");
  for (const verb of ["claim", "device", "key", "role", "escalate", "close", "note"]) {
    expect(await press(stage, "olivia", card, `ticket-${verb}:${id}`)).toMatchObject({
      ephemeral: true,
      content: "Only the support team can do this.",
    });
  }
  // the role may be gone between the card and the press
  await stage.atDiscord("channels/overwrite", {
    channel: "staff",
    role: "@everyone",
    allow: ["VIEW_CHANNEL"],
  });
  await stage.atDiscord("roles", { user: "sue", role: "Support", give: false });
  expect((await press(stage, "sue", card, `ticket-claim:${id}`)).content).toBe(
    "Only the support team can do this.",
  );
  expect((await rowsOf(stage))[0]).toMatchObject({ claimed_by: null, escalated_at: null, state: "open" });
});

test("a form opened with the support role is refused once the role has been taken away", async () => {
  await using stage = await openDesk();
  const { card } = await openInDiscord(stage, "ada");
  const { interaction } = await pressLabel(stage, "sam", card, "Close");
  await stage.atDiscord("roles", { user: "sam", role: "Support", give: false });
  const late = await stage.atDiscord("interact/modal", {
    user: "sam",
    interaction,
    fields: { text: "Done" },
  });
  expect(late).toMatchObject({ ephemeral: true, content: "Only the support team can do this." });
  expect((await rowsOf(stage))[0]?.state).toBe("open");
});

test("the form to close says that the customer reads the reason, and takes a note for staff alone", async () => {
  await using stage = await openDesk();
  const { card, thread } = await openInDiscord(stage, "ada");
  const { interaction, modal } = await pressLabel(stage, "sam", card, "Close");
  const [reason, note] = modal.components;
  expect(reason).toMatchObject({ label: "Reason", description: "The customer reads this." });
  expect(note).toMatchObject({
    description: "For staff only. The customer can't see it.",
    component: { custom_id: "note", required: false },
  });
  const fields = { text: "Your key works again", note: "a refund abuser" };
  await stage.atDiscord("interact/modal", { user: "sam", interaction, fields });
  const row = await waitForTicket(stage, ({ farewell_id }) => Boolean(farewell_id));
  expect(row.close_reason).toBe("Your key works again");
  expect(await textIn(stage, thread)).toContain("Your key works again");
  expect(await textIn(stage, thread)).not.toContain("abuser");
  const notes = async () =>
    (await kept(stage)).flatMap(({ author, content }) => (author === "note" ? [content] : []));
  expect(await notes()).toEqual(["a refund abuser"]);
  const use = (subcommand: string, options: object) =>
    stage.atDiscord("interact/slash", { user: "sam", command: "ticket", subcommand, options });
  await use("reopen", { number: 1 });
  await use("close", { number: 1, reason: "Once more", note: "by command" });
  expect(await notes()).toEqual(["a refund abuser", "by command"]);
});

test("staff find and transfer tickets, and read notes that members can't see", async () => {
  await using stage = await openDesk();
  const { person } = await customer(stage, "ada");
  await connect(stage, person, "ada");
  const { card, thread, id } = await openInDiscord(stage, "ada");
  const use = (subcommand: string, options: object) =>
    stage.atDiscord("interact/slash", { user: "sam", command: "ticket", subcommand, options });
  expect((await use("find", { member: "ada" })).content).toContain("**#1**");
  expect((await use("find", { member: "dora" })).content).toBe("They don't have any tickets.");
  const { interaction } = await pressLabel(stage, "sam", card, "Note");
  await stage.atDiscord("interact/modal", { user: "sam", interaction, fields: { text: "a secret of ours" } });
  expect((await use("transfer", { number: 1, topic: "device" })).content).toContain("now about Device");
  const handed = await use("transcript", { number: 1 });
  expect(handed.ephemeral).toBe(true);
  const text = await (await fetch(handed.messages[0].attachments[0].url)).text();
  expect(text).toContain("a secret of ours");
  expect(text).toContain("My key does nothing");
  expect(JSON.stringify((await person.get(`/api/tickets/${id}`)).body)).not.toContain("a secret of ours");
  expect(await textIn(stage, thread)).not.toContain("a secret of ours");
  expect((await use("transcript", { number: 99 })).content).toBe("There is no such ticket.");
});

test("files are copied to the shop; pictures are shown, others are downloaded, and too large ones are named", async () => {
  await using stage = await openDesk();
  const { person } = await customer(stage, "ada");
  await connect(stage, person, "ada");
  const { thread, id } = await openInDiscord(stage, "ada");
  const picture = Buffer.from("\x89PNG\r\n\x1a\nrest", "latin1").toString("base64");
  const files = [
    { filename: "shot.png", content_type: "image/png", base64: picture },
    { filename: "page.png", content_type: "image/png", content: "<script>alert(1)</script>" },
    { filename: "huge.bin", base64: Buffer.alloc(8 * 1024 * 1024 + 1).toString("base64") },
  ];
  await stage.atDiscord("messages", { user: "ada", channel: thread, content: "see", files });
  const seen = await eventually(
    async () => {
      const { messages } = (await person.get(`/api/tickets/${id}`)).body.data;
      return messages.find(({ content }: { content: string }) => content === "see")?.files ?? [];
    },
    (all) => all.length === 3 && all.every(({ state }: { state: string }) => state !== "waiting"),
  );
  expect(seen).toMatchObject([
    { name: "shot.png", state: "kept", picture: true },
    { name: "page.png", state: "kept", picture: false },
    { name: "huge.bin", state: "too_large", picture: false },
  ]);
  const fileAt = (at: number) => `/api/tickets/${id}/files/${seen[at].id}`;
  const shown = await person.get(fileAt(0));
  expect(shown.headers.get("content-type")).toBe("image/png");
  expect(shown.headers.get("content-disposition")).toStartWith("inline");
  const saved = await person.get(fileAt(1));
  expect(saved.headers.get("content-type")).toBe("application/octet-stream");
  expect(saved.headers.get("content-disposition")).toBe("attachment; filename*=UTF-8''page.png");
  // Discord forbids such names, but the shop doesn't rely on that
  const name = `a "page"; filename=x\r\n'ö'.png`;
  await stage.ctx.store.db.update(ticketFiles).set({ name }).where(eq(ticketFiles.id, seen[1].id));
  expect((await person.get(fileAt(1))).headers.get("content-disposition")).toBe(
    "attachment; filename*=UTF-8''a%20%22page%22%3B%20filename%3Dx%0D%0A%27%C3%B6%27.png",
  );
  expect(saved.headers.get("x-content-type-options")).toBe("nosniff");
  expect((await person.get(fileAt(2))).status).toBe(404);
  const { person: stranger } = await customer(stage, "dora");
  expect((await stranger.get(fileAt(0))).status).toBe(404);
});

test("a colleague whom staff try to add to a ticket stays support, whose answers are answers", async () => {
  await using stage = await openDesk();
  const { thread } = await openInDiscord(stage, "ada");
  const added = await type(stage, "sam", "ticket add", { number: 1, member: "sue" });
  await stage.atDiscord("messages", { user: "sue", channel: thread, content: "Try again" });
  await eventually(async () =>
    (await kept(stage)).some(({ content, author }) => content === "Try again" && author === "staff"),
  );
  expect((await rowsOf(stage))[0]).toMatchObject({ waiting_for: "member" });
  expect(added.content).toBe("They're on the support team, which can read every ticket.");
});

test("a silent member is reminded after a day, and the ticket closes after three", async () => {
  await using stage = await openDesk();
  const { thread } = await openInDiscord(stage, "ada");
  await passTime(stage, 2 * day);
  expect((await rowsOf(stage))[0]?.state).toBe("open");
  await stage.atDiscord("messages", { user: "sam", channel: thread, content: "Try again" });
  await waitForTicket(stage, ({ waiting_for }) => waiting_for === "member");
  await passTime(stage, 0.9 * day);
  expect(await textIn(stage, thread)).not.toContain("still there");
  await passTime(stage, 0.1 * day, async () => (await textIn(stage, thread)).includes("still there"));
  await stage.atDiscord("messages", { user: "ada", channel: thread, content: "I am" });
  await waitForTicket(
    stage,
    ({ waiting_for, reminded_at }) => waiting_for === "staff" && reminded_at === null,
  );
  await stage.atDiscord("messages", { user: "sam", channel: thread, content: "And now?" });
  await waitForTicket(stage, ({ waiting_for }) => waiting_for === "member");
  await passTime(stage, day, async () => (await textIn(stage, thread)).split("still there").length === 3);
  await passTime(stage, 1.9 * day);
  expect((await rowsOf(stage))[0]?.state).toBe("open");
  await passTime(stage, 0.2 * day, async () => (await rowsOf(stage))[0]?.state === "closed");
  expect((await rowsOf(stage))[0]).toMatchObject({ closed_by: "shop" });
});

test("a ticket can be reopened within a week, and not later", async () => {
  await using stage = await openDesk();
  const { id, card, thread } = await openInDiscord(stage, "ada");
  await close(stage, card);
  const over = async () =>
    String((await waitForTicket(stage, ({ farewell_id }) => Boolean(farewell_id))).farewell_id);
  expect((await press(stage, "ada", await over(), `ticket-reopen:${id}:1`)).content).toContain("open again");
  await eventually(async () => !(await threads(stage))[0].thread_metadata.locked);
  await stage.atDiscord("messages", { user: "ada", channel: thread, content: "Still not" });
  await close(stage, String((await waitForTicket(stage, ({ card_id }) => Boolean(card_id))).card_id));
  const last = await over();
  stage.advance(7 * day + 1);
  expect((await press(stage, "ada", last, `ticket-reopen:${id}:2`)).content).toContain("can't be reopened");
  expect((await ask(stage, "ada")).content).toContain("Your ticket is open");
});

test("staff are notified once of a missing permission, and tickets open when it is granted again", async () => {
  await using stage = await openDesk();
  await stage.atDiscord("bot", { deny: ["CREATE_PRIVATE_THREADS"] });
  expect((await ask(stage, "ada")).content).toContain("is noted");
  await eventually(async () => {
    stage.advance(5_000);
    return (await staffNotices(stage)).includes("Create Private Threads");
  });
  await stage.atDiscord("bot", { grant: ["CREATE_PRIVATE_THREADS"] });
  await waitForTicket(stage, ({ greeting_id }) => Boolean(greeting_id));
  expect(await threads(stage)).toHaveLength(1);
  expect((await staffNotices(stage)).split("Create Private Threads")).toHaveLength(2);
});

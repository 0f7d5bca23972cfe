import { expect, test } from "bun:test";
import { eventually, type Stage } from "../../support/shop/stage";
import {
  close,
  kept,
  messagesIn,
  openDesk,
  openInDiscord,
  pressLabel,
  textIn,
  threads,
  type,
  waitForTicket,
} from "../../support/people/tickets";

/** The closed ticket of a member without an account, with an answer and a staff note. */
async function ended(stage: Stage) {
  const ticket = await openInDiscord(stage, "ada", { text: "My key does nothing" });
  const { thread, card } = ticket;
  await stage.atDiscord("messages", { user: "sam", channel: thread, content: "Try again now" });
  const { interaction } = await pressLabel(stage, "sam", card, "Note");
  await stage.atDiscord("interact/modal", { user: "sam", interaction, fields: { text: "a secret of ours" } });
  await eventually(
    () => kept(stage),
    (rows) =>
      ["Try again now", "a secret of ours"].every((text) => rows.some(({ content }) => content === text)),
  );
  await close(stage, card, "Solved");
  const { farewell_id: farewell } = await waitForTicket(stage, ({ farewell_id }) => Boolean(farewell_id));
  await eventually(async () => (await threads(stage))[0].thread_metadata.locked);
  return { ...ticket, farewell: String(farewell) };
}

type Answer = { ephemeral: boolean; messages: { attachments: { url: string; filename: string }[] }[] };

/** The file in a private answer. */
async function fileOf({ ephemeral, messages }: Answer) {
  expect(ephemeral).toBe(true);
  const [file, ...more] = messages[0]?.attachments ?? [];
  expect(more).toEqual([]);
  if (!file) throw new Error("no file came");
  const bytes = await (await fetch(file.url)).bytes();
  return { name: file.filename, bytes };
}

test("a member without an account reads and saves the transcript of a closed ticket in Discord", async () => {
  await using stage = await openDesk();
  const { thread, farewell } = await ended(stage);
  const last = (await messagesIn(stage, thread, "ada")).find(({ id }) => id === farewell);
  expect(JSON.stringify(last.components)).not.toContain('"url"');
  const given = [
    await pressLabel(stage, "ada", farewell, "Transcript"),
    await type(stage, "ada", "support transcript"),
    await type(stage, "ada", "support transcript", { number: 1 }),
  ];
  for (const answer of given) {
    const { name, bytes } = await fileOf(answer);
    expect(name).toBe("ticket-1.txt");
    const text = Buffer.from(bytes).toString();
    for (const words of ["Asked: My key does nothing", "Try again now", "Solved"])
      expect(text).toContain(words);
    expect(text).not.toContain("a secret of ours");
  }
  expect(await textIn(stage, thread)).not.toContain("The whole conversation of ticket");
});

test("nobody can get another member's transcript", async () => {
  await using stage = await openDesk();
  const { farewell } = await ended(stage);
  const unknown = "There is no such ticket.";
  expect((await type(stage, "dora", "support transcript", { number: 1 })).content).toBe(unknown);
  expect((await type(stage, "dora", "support transcript")).content).toBe("You don't have any tickets.");
  expect((await pressLabel(stage, "sam", farewell, "Transcript")).content).toBe("This is for someone else.");
});

test("the longest conversation, with every earlier version, is a file that Discord takes, for members and for staff", async () => {
  await using stage = await openDesk();
  const { id } = await openInDiscord(stage, "ada");
  const text = "語".repeat(4_000);
  await stage.ctx.store.client.execute({
    sql: `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
      INSERT INTO ticket_messages (id, ticket_id, author, author_id, author_name, content, before, at)
      SELECT 'm' || i, ?, 'member', '1', 'Ada', ?, ?, i FROM n`,
    args: [id, text, JSON.stringify([text, text])],
  });
  const staffs = await type(stage, "sam", "ticket transcript", { number: 1 });
  for (const answer of [await type(stage, "ada", "support transcript"), staffs]) {
    const { name, bytes } = await fileOf(answer);
    expect(name).toBe("ticket-1.txt");
    expect(bytes.length).toBeWithin(8 * 1024 * 1024, 10 * 1024 * 1024);
    expect(Buffer.from(bytes).toString()).toEndWith("ask us for it.]\n");
  }
});

test("a member may ask for ten transcripts an hour", async () => {
  await using stage = await openDesk();
  await openInDiscord(stage, "ada");
  for (let asked = 0; asked < 10; asked += 1) await fileOf(await type(stage, "ada", "support transcript"));
  expect((await type(stage, "ada", "support transcript")).content).toStartWith("Too many requests,");
});

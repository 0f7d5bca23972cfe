import { expect, test } from "bun:test";
import { seededRandom } from "../../crash/random";
import { customer } from "../../support/people/discord";
import { messagesIn, openDesk, pressLabel, rowsOf, waitForTicket } from "../../support/people/tickets";
import { eventually, type Stage } from "../../support/shop/stage";

const races = 200;
const ticketsInAll = 4;

test(`in ${races} races between the site and Discord no message is lost, doubled or out of order, and each ticket ends in one state`, async () => {
  const seed = Number(process.env["SEED"] ?? 20_261_124);
  console.info(`seed ${seed}`);
  const random = seededRandom(seed);
  await using stage = await openDesk({
    env: { LIMITS: "ticket-message=10000/60,ticket=10000/60,own=100000/60" },
  });
  await stage.atDiscord("limits", { enabled: false });
  for (let number = 1; number <= ticketsInAll; number += 1) {
    const ticket = await openOne(stage, `ada${number}`);
    const sent = { site: ["Hello"], discord: [] as string[] };
    for (let race = 0; race < races / ticketsInAll; race += 1) {
      const name = `${number}-${race}`;
      await Promise.all(
        random
          .shuffled([
            "ask",
            "answer",
            random.pick(["close", "close-by-staff", "reopen", "rate", "ask"] as const),
          ] as const)
          .map(async (act, at) => {
            const text = `${act} ${name} ${at}`;
            if (act === "ask") {
              const { status } = await ticket.post("messages", { text });
              expect([200, 409]).toContain(status);
              if (status === 200) sent.site.push(text);
            } else if (act === "answer") {
              // a locked thread takes staff's messages too
              await stage.atDiscord("messages", { user: "sam", channel: ticket.thread, content: text });
              sent.discord.push(text);
            } else if (act === "close-by-staff") await closeByStaff(stage, ticket.card);
            else {
              const { status } = await ticket.post(
                act,
                act === "rate" ? { stars: random.whole(1, 5) } : undefined,
              );
              expect([200, 409]).toContain(status);
            }
          }),
      );
    }
    expect(Math.min(sent.site.length, sent.discord.length)).toBeGreaterThan(10);
    await judge(stage, ticket, sent);
  }
});

type One = Awaited<ReturnType<typeof openOne>>;

async function openOne(stage: Stage, name: string) {
  const { person } = await customer(stage, name);
  const asked = await person.post("/api/tickets", { topic: "device", question: "Hello" });
  const { id } = asked.body.data;
  const row = await waitForTicket(
    stage,
    (one) => one["id"] === id && Boolean(one["thread_id"] && one["greeting_id"] && one["card_id"]),
  );
  return {
    id: String(id),
    person,
    thread: String(row["thread_id"]),
    card: String(row["card_id"]),
    post: (path: string, body?: object) =>
      person.post(`/api/tickets/${id}/${path === "rate" ? "rating" : path}`, body),
  };
}

/** Staff may press the button of a card that has changed meanwhile. */
async function closeByStaff(stage: Stage, card: string): Promise<void> {
  try {
    const { interaction } = await pressLabel(stage, "sam", card, "Close");
    const fields = { text: "Done" };
    await stage.atDiscord("interact/modal", { user: "sam", interaction, fields, timeout_ms: 1500 });
  } catch {
    // the card is that of a closed ticket
  }
}

async function judge(stage: Stage, { id, person, thread }: One, sent: { site: string[]; discord: string[] }) {
  const row = async () => (await rowsOf(stage)).find((one) => one["id"] === id) ?? {};
  await eventually(
    async () => ({ row: await row(), posted: await spoken(stage, thread), left: await unposted(stage) }),
    ({ row: now, posted, left }) =>
      left === 0 &&
      posted.length === sent.site.length + sent.discord.length &&
      (now["state"] === "open" || Boolean(now["farewell_id"])),
  );
  const posted = await spoken(stage, thread);
  const shown = await eventually(
    () => read(person, id),
    ({ messages }) => messages.length >= posted.length,
  );
  const all = [...sent.site, ...sent.discord];
  expect(posted.map(({ text }) => text).toSorted()).toEqual(all.toSorted());
  expect(shown.messages.map(({ text }) => text).toSorted()).toEqual(all.toSorted());
  for (const side of ["site", "discord"] as const) {
    const of = (some: { side: string; text: string }[]) =>
      some.filter((one) => one.side === side).map(({ text }) => text);
    expect(of(posted)).toEqual(of(shown.messages));
  }
  const ended = await row();
  expect(shown.state).toBe(String(ended["state"]));
  const { threads } = await stage.atDiscord("state");
  const [own, ...others] = threads.filter((one: { id: string }) => one.id === thread);
  expect(others).toEqual([]);
  await eventually(
    async () => (await stage.atDiscord("state")).threads.find((one: { id: string }) => one.id === own.id),
    (now) => now.thread_metadata.locked === (ended["state"] === "closed"),
  );
}

/** What people said in the thread, oldest first. */
async function spoken(stage: Stage, thread: string): Promise<{ side: string; text: string }[]> {
  const messages = (await messagesIn(stage, thread, "sam")).toSorted((a, b) =>
    BigInt(a.id) < BigInt(b.id) ? -1 : 1,
  );
  return messages.flatMap(({ content }: { content: string }) => {
    const [, repeated] = /\(website\):\n```\n([^`]+)\n```/.exec(content) ?? [];
    if (repeated) return [{ side: "site", text: repeated }];
    return content.startsWith("answer ") ? [{ side: "discord", text: content }] : [];
  });
}

type Seen = { author: string; content: string };

async function read(person: One["person"], id: string) {
  const messages: Seen[] = [];
  for (let before = ""; ;) {
    const { body } = await person.get(`/api/tickets/${id}${before}`);
    messages.unshift(...body.data.messages);
    if (body.next === null) {
      const people = messages.filter(({ author }) => author === "member" || author === "staff");
      return {
        state: body.data.state,
        messages: people.map((one) => ({
          side: one.author === "member" ? "site" : "discord",
          text: one.content,
        })),
      };
    }
    before = `?before=${encodeURIComponent(body.next)}`;
  }
}

const unposted = (stage: Stage) => stage.count("ticket_messages WHERE via = 'site' AND posted_at IS NULL");

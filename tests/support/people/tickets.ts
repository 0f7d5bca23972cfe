import { expect } from "bun:test";
import { waitForBot } from "./discord";
import { eventually, openStage, type Stage, type StageOptions } from "../shop/stage";

// oxlint-disable-next-line typescript/no-explicit-any -- a test may read any field
type Seen = any;

/** A stage whose support channel has its panel. */
export async function openDesk(options: StageOptions = {}): Promise<Stage> {
  const stage = await openStage({ discord: true, ...options });
  await waitForBot(stage);
  await panelOf(stage);
  return stage;
}

export const messagesIn = async (stage: Stage, channel: string, as?: string): Promise<Seen[]> =>
  (await stage.atDiscord(`channels/${channel}/messages${as ? `?as=${as}` : ""}`)).messages;

/** The one panel of the support channel. */
export async function panelOf(stage: Stage): Promise<Seen> {
  const [panel] = await eventually(
    () => messagesIn(stage, "support"),
    (all) => all.length === 1,
  );
  return panel;
}

export const press = (stage: Stage, user: string, message: string, custom_id: string) =>
  stage.atDiscord("interact/button", { user, message, custom_id });

/** Presses a message's button by its label. */
export const pressLabel = (stage: Stage, user: string, message: string, label: string) =>
  stage.atDiscord("interact/button", { user, message, label });

/** Opens a ticket as a member does: panel, form, answer. */
export async function ask(
  stage: Stage,
  user: string,
  given: { topic?: string; text?: string } = {},
): Promise<Seen> {
  const { topic = "licence", text = "My key does nothing" } = given;
  const offered = await press(stage, user, (await panelOf(stage)).id, `ticket-topic:${topic}`);
  expect(offered.ephemeral).toBe(true);
  if (!offered.messages[0]?.components?.length) return offered;
  const opened = await pressLabel(stage, user, offered.messages[0].id, "Open a ticket");
  expect(opened.modal).not.toBeNull();
  return stage.atDiscord("interact/modal", { user, interaction: opened.interaction, fields: { text } });
}

export type Row = Record<string, string | number | null>;

/** All tickets' rows. */
export async function rowsOf(stage: Stage): Promise<Row[]> {
  const { rows } = await stage.ctx.store.client.execute("SELECT * FROM tickets ORDER BY number");
  return rows as unknown as Row[];
}

/** Waits until the newest ticket's row matches. */
export const waitForTicket = (stage: Stage, right: (row: Row) => boolean): Promise<Row> =>
  eventually(
    async () => (await rowsOf(stage)).at(-1) ?? {},
    (row) => right(row),
  );

/** A ticket with its thread and its card. */
export async function openInDiscord(
  stage: Stage,
  user: string,
  given: { topic?: string; text?: string } = {},
) {
  await ask(stage, user, given);
  const row = await waitForTicket(stage, ({ thread_id, greeting_id, card_id }) =>
    Boolean(thread_id && greeting_id && card_id),
  );
  return {
    id: String(row.id),
    thread: String(row.thread_id),
    card: String(row.card_id),
    greeting: String(row.greeting_id),
  };
}

export async function threads(stage: Stage): Promise<Seen[]> {
  return (await stage.atDiscord("state")).threads;
}

/** The messages kept from all tickets. */
export async function kept(stage: Stage): Promise<Row[]> {
  const { rows } = await stage.ctx.store.client.execute("SELECT * FROM ticket_messages ORDER BY at, id");
  return rows as unknown as Row[];
}

/** The messages in a channel or a thread, as staff read them. */
export const textIn = async (stage: Stage, channel: string): Promise<string> =>
  (await messagesIn(stage, channel, "sam")).map(({ content }) => content).join("\n");

/** Waits until a message in a channel or a thread contains this text. */
export const waitForText = (stage: Stage, channel: string, words: string): Promise<string> =>
  eventually(
    () => textIn(stage, channel),
    (text) => text.includes(words),
  );

/** Somebody types a command, by default in the general channel. */
export function type(
  stage: Stage,
  user: string,
  command: string,
  { in: channel = "general", ...options }: Record<string, unknown> = {},
): Promise<Seen> {
  const [name, subcommand] = command.split(" ");
  return stage.atDiscord("interact/slash", { user, command: name, subcommand, options, channel });
}

/** Staff press Close on the card, once it has that button, and give a reason. */
export async function close(stage: Stage, card: string, text = "Done"): Promise<Seen> {
  await eventually(
    () => messagesIn(stage, "staff", "sam"),
    (all) => JSON.stringify(all.find(({ id }) => id === card)?.components ?? []).includes('"Close"'),
  );
  const { interaction } = await pressLabel(stage, "sam", card, "Close");
  return stage.atDiscord("interact/modal", { user: "sam", interaction, fields: { text } });
}

/** Moves the clock for the periodic jobs, a little beyond the given time. */
export async function passTime(
  stage: Stage,
  milliseconds: number,
  done: () => Promise<boolean> = async () => true,
): Promise<void> {
  stage.advance(milliseconds);
  await eventually(
    () => {
      stage.advance(31_000);
      return done();
    },
    (right) => right,
  );
}

/** All notices to staff, as one string. */
export const staffNotices = (stage: Stage): Promise<string> => textIn(stage, "staff");

import { expect } from "bun:test";
import type { Person } from "./person";
import { eventually, type Stage } from "../shop/stage";

/** A customer with a licence, and their Discord user. */
export type Customer = { person: Person; username: string };

/** Registers with a key for this many days, or for a lifetime. */
export async function customer(
  stage: Stage,
  username: string,
  days: number | null = null,
): Promise<Customer> {
  const person = stage.person();
  const registered = await person.register(await stage.handOut(days), username);
  expect(registered.status).toBe(200);
  return { person, username };
}

/** Clicks Authorize and decides at Discord; resolves to the code and state that Discord returns. */
export async function authorize(
  stage: Stage,
  person: Person,
  user: string,
  securityCode?: string,
): Promise<{ code: string; state: string }> {
  await person.prove("a long enough phrase", securityCode);
  const asked = await person.get("/api/functions/get-discord-oauth-url");
  expect(asked.status).toBe(200);
  const { redirect } = await stage.atDiscord("authorize", { url: asked.body.url, user });
  const back = new URL(redirect);
  expect(back.pathname).toBe("/dashboard/discord-callback");
  return { code: back.searchParams.get("code") ?? "", state: back.searchParams.get("state") ?? "" };
}

/** All steps from Authorize to the answer of the callback. */
export async function connect(stage: Stage, person: Person, user: string) {
  return person.post("/api/discord/auth/callback", await authorize(stage, person, user));
}

/** Moves the clock until this is answered: the shop waits a while for a role that Discord does not give. */
export async function moveClockUntil<T>(stage: Stage, answer: Promise<T>): Promise<T> {
  let answered = false;
  const note = () => void (answered = true);
  answer.then(note, note);
  while (!answered) {
    stage.advance(500);
    await Bun.sleep(10);
  }
  return answer;
}

/** The holders of a role, by default of the premium role, by name. */
export async function holders(stage: Stage, role?: string): Promise<string[]> {
  const { holders: ids } = await stage.atDiscord(role ? `holders?role=${role}` : "holders");
  const { members } = await stage.atDiscord("members");
  const nameOf = new Map<string, string>(
    members.map((one: { id: string; username: string }) => [one.id, one.username]),
  );
  return ids.map((id: string) => nameOf.get(id) ?? id).toSorted();
}

export const roleIdOf = async (stage: Stage, name: string): Promise<string> =>
  (await stage.atDiscord("state")).roles.find((role: { name: string }) => role.name === name).id;

/** Makes a plain role below the bot's own; resolves to its id. */
export async function makeRole(stage: Stage, name: string): Promise<string> {
  const { id } = await stage.atDiscord("roles/create", { name });
  await stage.atDiscord("roles/drag", { role: name, to: 1 });
  return id;
}

/** Waits until exactly these hold the role. */
export const waitForHolders = (stage: Stage, names: string[], role?: string) =>
  eventually(
    () => holders(stage, role),
    (held) => held.join(" ") === names.toSorted().join(" "),
  );

/** Waits until the bot is connected. */
export const waitForBot = (stage: Stage) =>
  eventually(
    () => stage.shop.bot?.state(),
    (state) => state === "up",
  );

/** Waits until the bot is connected and Discord knows its commands. */
export async function waitForCommands(stage: Stage): Promise<void> {
  await waitForBot(stage);
  await eventually(
    () => stage.atDiscord("state"),
    ({ commands }) => commands.length > 0,
  );
}

/** Waits until every requested change is made. */
export const waitForChanges = (stage: Stage) =>
  eventually(
    async () => {
      const waiting =
        "SELECT count(*) AS n FROM outbox WHERE topic IN ('member.reconcile', 'roles.move', 'roles.move-member')";
      return (await stage.ctx.store.client.execute(waiting)).rows[0]?.["n"];
    },
    (left) => left === 0,
  );

/** Waits until the bot has reconciled all members this many times. */
export const waitForReconciliations = (stage: Stage, times = 1) =>
  eventually(
    () => stage.lines.filter((line) => line.includes("was compared")).length,
    (count) => count >= times,
  );

import { expect } from "bun:test";
import { eq } from "drizzle-orm";
import { commit } from "@/core/database/commit";
import { queueRoleMove } from "@/domain/discord/level-roles";
import { levels } from "@/domain/schema/levels";
import { handOut } from "@/domain/licences/keys/hand-out";
import { operator } from "@/core/base/actor";
import type { OpenShop } from "@/operator/terminal/command-line";
import { changeLicence } from "@/domain/licences/changes/change";
import { findLicence } from "@/domain/licences/keys/find";
import {
  connect,
  holders,
  makeRole,
  moveClockUntil,
  waitForBot,
  waitForReconciliations,
} from "../people/discord";
import type { Person } from "../people/person";
import { addLevels } from "./levels";
import { eventually, openStage, type Stage } from "./stage";

const by = { actor: operator, reason: "a story" };

/** A shop whose level Team above the first has a Discord role of its own, Team; limits don't hold up the story. */
export async function openRoleStage() {
  const stage = await openStage({ discord: { limits: { enabled: false } } });
  await waitForBot(stage);
  await waitForReconciliations(stage);
  const team = await makeRole(stage, "Team");
  await addLevels(stage, { id: "team", name: "Team", roleId: team });
  return stage;
}

/** A level gives another role from now on, as an owner's change has it. */
export const changeRole = ({ ctx }: Pick<Stage, "ctx">, level: string, roleId: string | null) =>
  commit(ctx.store, [
    ctx.store.db.update(levels).set({ roleId }).where(eq(levels.id, level)),
    queueRoleMove(ctx),
  ]);

/** A key of a level, for this many days or for a lifetime. */
export const keyOf = (stage: Stage, level: string, days: number | null = null): Promise<string> =>
  handOut(stage.ctx, { days, level }, by);

/** Somebody with a key of each of these levels, connected to the Discord user of the same name. */
export async function connected(stage: Stage, name: string, ...levelIds: string[]) {
  const [first = "", ...more] = await Promise.all(levelIds.map((level) => keyOf(stage, level)));
  const person = stage.person();
  expect((await person.register(first, name)).status).toBe(200);
  for (const key of more) await redeem(person, key);
  await moveClockUntil(stage, connect(stage, person, name));
  return { person, keys: [first, ...more] };
}

export const redeem = async (person: Person, key: string) =>
  expect((await person.post("/api/licenses/redeem", { key, timezone: "UTC" })).status).toBe(200);
export const revoke = async (stage: Stage, key: string | undefined) =>
  changeLicence(stage.ctx, (await findLicence(stage.ctx, key ?? ""))!, "revoke", by);
export const roleOf = async (person: Person) => (await person.get("/api/discord/me")).body.data.role;
export const waitForSentence = (person: Person, sentence: string) =>
  eventually(
    () => roleOf(person),
    (role) => role.sentence === sentence,
  );
export const give = (stage: Stage, user: string, role: string, isGiven = true) =>
  stage.atDiscord("roles", { user, role, give: isGiven });
export const staffMessages = async (stage: Stage): Promise<string> =>
  (await stage.atDiscord("channels/staff/messages")).messages
    .map((message: { content: string }) => message.content)
    .join("\n");
/** Moves the clock past the delays of waiting jobs. */
const advanceUntil = (stage: Stage, done: () => Promise<boolean>) =>
  eventually(() => {
    stage.advance(5_000);
    return done();
  });
export const waitForStaffMessage = (stage: Stage, words: string) =>
  advanceUntil(stage, async () => (await staffMessages(stage)).includes(words));
export const advanceUntilHeld = (stage: Stage, names: string[], role?: string) =>
  advanceUntil(stage, async () => (await holders(stage, role)).join(" ") === names.join(" "));
export const recorded = async (stage: Stage) =>
  (await stage.ctx.store.client.execute("SELECT role_id FROM link_roles")).rows.map((row) => row["role_id"]);

/** The shop as the doctor is asked about it; it reads only these settings. */
export const asked = ({ ctx, url, discordConfig: discord }: Stage) =>
  ({ ctx, config: { discord, publicUrl: url } }) as unknown as OpenShop;

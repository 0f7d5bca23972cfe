import type { DeskStaff, DiscordStaff, StaffRole } from "@/core/base/actor";
import { codeAt, nextStep } from "../../stories/accounts/people";
import type { Stage } from "../shop/stage";
import { type Colleague, atDesk } from "./desk";
import { authorize } from "./discord";

/** A member of staff in Discord, with both of the shop's roles by default, in a shop that named no staff of its own. */
export const staff = (discordUserId: string, roles: StaffRole[] = ["support", "owner"]): DiscordStaff => ({
  kind: "staff",
  via: "discord",
  discordUserId,
  roles: roles.includes("support") ? [...roles, "discord_support"] : roles,
  proven: null,
});

/** A member of staff on the desk who has just typed a code. */
export const deskStaff = ({ ctx }: Stage, accountId: string, role: StaffRole): DeskStaff => ({
  kind: "staff",
  via: "desk",
  accountId,
  roles: [role],
  confirmedAt: ctx.now(),
});

/** A member of staff on the desk who has connected their Discord user with password and code. */
export async function inBoth(
  stage: Stage,
  { name, role, user = name }: { name: string; role: StaffRole; user?: string },
): Promise<Colleague> {
  const colleague = await atDesk(stage, name, role);
  await connectAs(stage, colleague, user);
  return colleague;
}

export async function connectAs(stage: Stage, { person, secret }: Colleague, user: string): Promise<void> {
  await nextStep(stage);
  const returned = await authorize(stage, person, user, codeAt(stage, secret));
  const { status } = await person.post("/api/discord/auth/callback", returned);
  if (status >= 300) throw new Error(`${user} is not connected: ${status}`);
}

/** Opens the link of the bot's answer on the desk, and confirms. */
export async function confirmAsked(colleague: Colleague, answer: string) {
  const token = /\/desk\/confirm#(\S+)/.exec(answer)?.[1];
  if (!token) throw new Error(`no link in ${answer}`);
  await colleague.confirm();
  return colleague.post("requests/confirm", { token });
}

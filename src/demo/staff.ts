import { operator } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { accountByName } from "@/domain/accounts/sessions/account";
import { acceptInvitation } from "@/domain/staff/invite";
import { addStaff } from "@/domain/staff/staff-actions";
import { cast, type Colleague, colleagues, emailOf, here, timezone } from "./members";
import { turnOnTwoFactor } from "./two-factor";

/** Invites the demo's staff, who accept and turn two-factor on; after an interruption, does the rest. */
export async function appointStaff(ctx: Ctx, goOn: () => void = () => {}): Promise<void> {
  for (const member of colleagues) {
    goOn();
    await appoint(ctx, member);
    goOn();
    await turnOnTwoFactor(ctx, member);
  }
}

async function appoint(ctx: Ctx, member: Colleague): Promise<void> {
  if (await accountByName(ctx, member)) return;
  const { username, password, role } = cast[member];
  const by = { actor: operator, reason: "the demo's first start" };
  const { invitation } = await addStaff(ctx, { named: emailOf(member), role, mail: "on" }, by);
  if (!invitation) throw new Error(`${member} was not invited`);
  await acceptInvitation(ctx, { token: invitation.token, username, password, timezone }, here);
}

import { operator } from "@/core/base/actor";
import { linkUrl } from "@/domain/accounts/sessions/link-token";
import { invitationHours } from "@/domain/staff/emails/invitation";
import { addStaff, removeStaff, staffOfShop } from "@/domain/staff/staff-actions";
import { byOperator } from "../../terminal/command-line";
import { fromDatabase, withDatabase } from "./open";
import { keepInFile } from "./secrets";
import { given, type Setup } from "./state";

/** The shop's owners, and the open invitations to be one. Creates no database. */
async function ownersOf(setup: Setup) {
  const staff = await fromDatabase(setup, (ctx) => staffOfShop(ctx, { actor: operator }));
  return {
    members: staff?.members.filter(isOwner) ?? [],
    invitations: staff?.invitations.filter(isOwner) ?? [],
  };
}

const isOwner = ({ role }: { role: string }) => role === "owner";

/** Whether the shop has an owner, or somebody with an open invitation to be one. */
export async function hasOwner(setup: Setup): Promise<boolean> {
  const { members, invitations } = await ownersOf(setup);
  return members.length + invitations.length > 0;
}

/** Invites the owner; at a terminal also in place of an open invitation, whose link may be lost. */
export async function ownerStep(setup: Setup): Promise<void> {
  const { ui } = setup;
  const email = given(setup, "OWNER_EMAIL");
  const { members, invitations } = await ownersOf(setup);
  if (members.length > 0) return ui.proved("The shop has an owner.");
  if (invitations.length > 0) {
    const invited = `${invitations.map((one) => one.email).join(" and ")} has an open invitation to be the shop's owner.`;
    if (!ui.isTerminal) return ui.proved(invited);
    const asks = `${invited} End it, and make a new link for ${email}?`;
    if (!(await ui.confirm({ name: "NEW_LINK", asks, proposal: false }))) return;
  }
  const mail = given(setup, "MAIL") === "off" ? "off" : "on";
  const keepsLink = !ui.isTerminal && mail === "off";
  // refuses before there is a link that would be lost
  if (keepsLink) keepInFile(setup, "");
  const added = await withDatabase(setup, async (ctx) => {
    const by = byOperator("shop setup");
    for (const { id } of invitations) await removeStaff(ctx, id, by);
    return addStaff(ctx, { named: email, role: "owner", mail }, by);
  });
  if (!added.invitation) return;
  const link = linkUrl(new URL(given(setup, "PUBLIC_URL")), "/invitation", added.invitation.token);
  if (ui.isTerminal) {
    const mailed = mail === "on" ? ", and it is mailed to you when the shop starts" : "";
    ui.note(
      `Open this once the shop runs, to make your account${mailed}. It works once, for ${invitationHours} hours:`,
      link,
    );
  } else if (keepsLink) keepInFile(setup, `OWNER_LINK=${link}\n`);
  ui.proved(`${email} is invited as the shop's owner.`);
}

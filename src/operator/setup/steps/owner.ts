import { operator } from "@/core/base/actor";
import { linkUrl } from "@/domain/accounts/sessions/link-token";
import { invitationHours } from "@/domain/staff/emails/invitation";
import { addStaff, staffOfShop } from "@/domain/staff/staff-actions";
import { byOperator } from "../../terminal/command-line";
import { fromDatabase, withDatabase } from "./open";
import { keepInFile } from "./secrets";
import { given, type Setup } from "./state";

/** Whether the shop has an owner, or somebody with an open invitation to be one. Creates no database. */
export async function hasOwner(setup: Setup): Promise<boolean> {
  const staff = await fromDatabase(setup, (ctx) => staffOfShop(ctx, { actor: operator }));
  return staff !== null && [...staff.members, ...staff.invitations].some(({ role }) => role === "owner");
}

/** Invites the owner. */
export async function ownerStep(setup: Setup): Promise<void> {
  const { ui } = setup;
  if (await hasOwner(setup)) return ui.proved("The shop has an owner, or an open invitation for one.");
  const email = given(setup, "OWNER_EMAIL");
  const mail = given(setup, "MAIL") === "off" ? "off" : "on";
  const keepsLink = !ui.isTerminal && mail === "off";
  // refuses before there is a link that would be lost
  if (keepsLink) keepInFile(setup, "");
  const added = await withDatabase(setup, (ctx) =>
    addStaff(ctx, { named: email, role: "owner", mail }, byOperator("shop setup")),
  );
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

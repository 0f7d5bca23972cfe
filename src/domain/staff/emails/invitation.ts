import { and, eq, gt } from "drizzle-orm";
import { brand } from "@/brand/brand";
import { hour } from "@/contract/vocabulary/time";
import type { StaffRole } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { noPayload } from "@/core/database/topic";
import { linkToken, linkUrl } from "../../accounts/sessions/link-token";
import { button, heading, paragraph, quiet } from "../../mail/blocks";
import type { Email } from "../../mail/email";
import { emailTemplate } from "../../mail/template";
import { staffInvitations } from "../../schema/staff";

export const invitationHours = 72;
/** When a link that is mailed now ends. */
export const invitationEnd = (ctx: Ctx) => new Date(ctx.now().getTime() + invitationHours * hour);

/** Invites an address to the staff; the subject is the invitation's id. */
export const invitationEmail = emailTemplate({
  name: "mail.staff-invitation",
  priority: true,
  payload: noPayload,
  dropWhenOff: true,
  async prepare(ctx, { subject }, { publicUrl }) {
    const [found] = await ctx.store.db
      .select()
      .from(staffInvitations)
      .where(and(eq(staffInvitations.id, subject), gt(staffInvitations.expiresAt, ctx.now())));
    if (!found) return null;
    return {
      to: found.email,
      id: `invitation.${subject}`,
      email: writeInvitation({
        role: found.role,
        url: linkUrl(publicUrl, "/invitation", linkToken(ctx, "invite", subject)),
        hours: invitationHours,
      }),
      about: { subject, accountId: null },
      delivered: () => [
        ctx.store.db
          .update(staffInvitations)
          .set({ expiresAt: invitationEnd(ctx) })
          .where(eq(staffInvitations.id, subject)),
      ],
    };
  },
});

type Content = { role: StaffRole; url: string; hours: number };

export const writeInvitation = ({ role, url, hours }: Content): Email => ({
  kind: "staff-invitation",
  subject: `You're invited to join the staff of ${brand.product}`,
  preheader: `Choose a name and a password to join as ${role}.`,
  blocks: [
    heading(`You're invited to join the staff of ${brand.product}`),
    paragraph(`An owner of the shop invited you to join as ${role}. Choose a name and a password.`),
    button("Accept the invitation", url),
    paragraph(`The link works once, for ${hours} hours.`),
    quiet(
      "If you already have an account, sign in first, then open the link to join with it and your password.",
    ),
    quiet("If you weren't expecting this, you can ignore it."),
  ],
  why: "You're receiving this because an owner of the shop entered this address.",
});

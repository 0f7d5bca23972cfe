import { audit } from "@/core/audit";
import { commit } from "@/core/commit";
import { Refusal } from "@/core/refusal";
import type { Account } from "@/domain/accounts/account";
import { roleOf } from "@/domain/community/role-status";
import { reconcile } from "@/domain/community/reconcile";
import { linkStateOf } from "@/domain/community/links";
import { accountOfDiscordUser } from "@/domain/customers/find";
import { unbindDevice } from "@/domain/devices/unbind";
import { resendKeys } from "@/domain/licences/resend-key";
import { claimTicket, closeTicket, escalateTicket, unclaimTicket } from "@/domain/tickets/change";
import { type Ticket, ticketById } from "@/domain/tickets/queries";
import { addNote } from "@/domain/tickets/notes";
import type { Desk, Press } from "../interactions/command-types";
import { textForm, typed } from "./forms";
import { closed } from "./messages";

/** What stands on the card that only staff see. */
export const staffPresses: Record<string, Press> = {
  "ticket-claim": onTicket(async ({ ctx }, ticket, staffId) => {
    await claimTicket(ctx, ticket, staffId);
    return `Ticket #${ticket.number} is yours.`;
  }),
  "ticket-unclaim": onTicket(async ({ ctx }, ticket, staffId) => {
    await unclaimTicket(ctx, ticket, staffId);
    return `Ticket #${ticket.number} is free again.`;
  }),
  "ticket-escalate": onTicket(async ({ ctx }, ticket, staffId) => {
    await escalateTicket(ctx, ticket, staffId);
    return `Ticket #${ticket.number} is escalated.`;
  }),
  "ticket-close": {
    staff: true,
    form: ([id = ""]) => textForm(`ticket-closing:${id}`, "Close the ticket", "Reason"),
  },
  "ticket-closing": {
    staff: true,
    async submitted({ ctx }, form, [id = ""]) {
      const ticket = await expectTicket(ctx, id);
      await closeTicket(ctx, ticket, { by: "staff", actor: form.user.id, reason: typed(form) });
      return { content: closed(ticket) };
    },
  },
  "ticket-note": {
    staff: true,
    form: ([id = ""]) => textForm(`ticket-noting:${id}`, "A note for staff", "Note"),
  },
  "ticket-noting": {
    staff: true,
    async submitted({ ctx }, form, [id = ""]) {
      const ticket = await expectTicket(ctx, id);
      await addNote(ctx, ticket, { staffId: form.user.id, name: form.user.displayName, text: typed(form) });
      return { content: `Noted on ticket #${ticket.number}; the member doesn't see it.` };
    },
  },
  "ticket-device": onAccount(async ({ ctx }, account, by) => {
    await unbindDevice(ctx, account.id, by);
    return "The device is unbound.";
  }),
  "ticket-key": onAccount(async ({ ctx }, account, by) => {
    const count = await resendKeys(ctx, account.id, by);
    return count === 1 ? "The key is on its way by mail." : `${count} keys are on their way by mail.`;
  }),
  "ticket-role": {
    staff: true,
    async pressed({ ctx, duties }, asked, [id = ""]) {
      const { discordUserId } = await expectTicket(ctx, id);
      const state = await linkStateOf(ctx, discordUserId);
      await commit(ctx.store, [
        ...(await reconcile(ctx, duties.guild, discordUserId)),
        audit(ctx, {
          actor: `discord:${asked.user.id}`,
          action: "ticket.role_resynced",
          subject: id,
          accountId: state?.link.accountId ?? null,
        }),
      ]);
      const { sentence } = await roleOf(ctx, {
        id: state?.link.accountId ?? "",
        entitled: state?.entitled ?? false,
      });
      return { content: sentence };
    },
  },
};

async function expectTicket(ctx: Desk["ctx"], id: string): Promise<Ticket> {
  const ticket = await ticketById(ctx, id);
  if (!ticket) throw new Refusal("ticket_unknown");
  return ticket;
}

function onTicket(act: (desk: Desk, ticket: Ticket, staffId: string) => Promise<string>): Press {
  return {
    staff: true,
    pressed: async (desk, asked, [id = ""]) => ({
      content: await act(desk, await expectTicket(desk.ctx, id), asked.user.id),
    }),
  };
}

function onAccount(
  act: (desk: Desk, account: Account, by: { actor: string; reason: string }) => Promise<string>,
): Press {
  return onTicket(async (desk, ticket, staffId) => {
    const account = await accountOfDiscordUser(desk.ctx, ticket.discordUserId);
    if (!account) return "No account is connected to that member.";
    return act(desk, account, { actor: `discord:${staffId}`, reason: `ticket #${ticket.number}` });
  });
}

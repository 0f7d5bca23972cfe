import * as declared from "@/contract/operations/tickets";
import { ticketRows } from "../staff-queries/tickets";
import { addReply, changeReply, removeReply, repliesForStaff } from "../tickets/reading/replies";
import { closeTicket, reopenTicket } from "../tickets/writing/change";
import { claimTicket, unclaimTicket } from "../tickets/writing/claims";
import { addNote } from "../tickets/writing/notes";
import { answerOnSite } from "../tickets/writing/write";
import { implement, resultItself, type Services, theRow } from "./operation";

const answer = async ({ ctx }: Services, { subject: { id } }: { subject: { id: string } }) =>
  theRow(await ticketRows(ctx, [id]));

/** What staff write and do in a ticket, and the texts that they often answer with. */
export const ticketOperations = {
  answerTicket: implement(declared.answerTicket, {
    run: ({ ctx, desk: { actor, account } }, ticket, { text, close }) =>
      answerOnSite(ctx, ticket, { actor, name: account.username, text, closes: close }),
    answer,
  }),
  noteOnTicket: implement(declared.noteOnTicket, {
    run: ({ ctx, desk: { actor: staff, account } }, ticket, { text }) =>
      addNote(ctx, ticket, { staff, name: account.username, text }),
    answer,
  }),
  claimTicket: implement(declared.claimTicket, {
    run: ({ ctx, desk }, ticket) => claimTicket(ctx, ticket, desk.actor),
    answer,
  }),
  unclaimTicket: implement(declared.unclaimTicket, {
    run: ({ ctx, desk }, ticket) => unclaimTicket(ctx, ticket, desk.actor),
    answer,
  }),
  closeTicket: implement(declared.closeTicket, {
    run: ({ ctx }, ticket, _, by) => closeTicket(ctx, ticket, by),
    answer,
  }),
  reopenTicket: implement(declared.reopenTicket, {
    run: ({ ctx, desk }, ticket, _, { reason }) => reopenTicket(ctx, ticket, desk.actor, reason),
    answer,
  }),
  listReplies: implement(declared.listReplies, {
    run: ({ ctx }, _, _given, { actor }) => repliesForStaff(ctx, actor),
    answer: resultItself,
  }),
  saveReply: implement(declared.saveReply, {
    run: ({ ctx }, _, texts, by) => addReply(ctx, texts, by),
    answer: resultItself,
  }),
  changeReply: implement(declared.changeReply, {
    run: ({ ctx }, id, texts, by) => changeReply(ctx, { id, ...texts }, by),
    answer: resultItself,
  }),
  removeReply: implement(declared.removeReply, {
    run: ({ ctx }, id, _, by) => removeReply(ctx, id, by),
    answer: async (_, { subject: id }) => ({ id }),
  }),
};

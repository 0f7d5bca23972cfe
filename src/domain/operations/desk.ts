import * as declared from "@/contract/operations/desk";
import { attentionFor } from "../staff-queries/attention";
import { actionsForDesk } from "../staff-queries/audit";
import {
  customerDetails,
  licenceDetails,
  paymentDetails,
  subscriptionDetails,
  ticketDetails,
} from "../staff-queries/details";
import { searchDesk } from "../staff-queries/search";
import { supportFigures } from "../staff-queries/support-figures";
import { figures, figuresByCode, figuresByOffer } from "../figures/figures";
import { subscriptionFigures } from "../figures/subscriptions";
import { confirmRequest, requestToConfirm } from "../staff/requests";
import { implement, resultItself as answer } from "./operation";

/** What staff read, and what they confirm that they asked for in Discord. */
export const deskOperations = {
  showCustomer: implement(declared.showCustomer, {
    run: ({ ctx }, id, _, { actor }) => customerDetails(ctx, actor, id),
    answer,
  }),
  showPayment: implement(declared.showPayment, {
    run: ({ ctx }, id, _, { actor }) => paymentDetails(ctx, actor, id),
    answer,
  }),
  showLicence: implement(declared.showLicence, {
    run: ({ ctx }, id, _, { actor }) => licenceDetails(ctx, actor, id),
    answer,
  }),
  showSubscription: implement(declared.showSubscription, {
    run: ({ ctx }, id, _, { actor }) => subscriptionDetails(ctx, actor, id),
    answer,
  }),
  showTicket: implement(declared.showTicket, {
    run: ({ ctx }, id, _, { actor }) => ticketDetails(ctx, actor, id),
    answer,
  }),
  searchDesk: implement(declared.searchDesk, {
    run: ({ ctx }, _, { q }, { actor }) => searchDesk(ctx, actor, q),
    answer,
  }),
  showAttention: implement(declared.showAttention, {
    run: ({ ctx }, _, _given, { actor }) => attentionFor(ctx, actor),
    answer,
  }),
  listAuditActions: implement(declared.listAuditActions, {
    run: ({ ctx }, _, _given, { actor }) => actionsForDesk(ctx, actor),
    answer,
  }),
  showRequest: implement(declared.showRequest, {
    run: ({ ctx, desk }, _, { token }) => requestToConfirm(ctx, desk.actor, token),
    answer,
  }),
  confirmRequest: implement(declared.confirmRequest, {
    run: ({ ctx, desk }, _, { token }) => confirmRequest(ctx, desk.actor, token),
    answer,
  }),
  showFigures: implement(declared.showFigures, {
    run: ({ ctx }, _, question, by) => figures(ctx, by, question),
    answer,
  }),
  showFiguresByOffer: implement(declared.showFiguresByOffer, {
    run: ({ ctx }, _, question, by) => figuresByOffer(ctx, by, question),
    answer,
  }),
  showFiguresOfSubscriptions: implement(declared.showFiguresOfSubscriptions, {
    run: ({ ctx }, _, question, by) => subscriptionFigures(ctx, by, question),
    answer,
  }),
  showFiguresOfSupport: implement(declared.showFiguresOfSupport, {
    run: ({ ctx }, _, question, by) => supportFigures(ctx, by, question),
    answer,
  }),
  showFiguresByCode: implement(declared.showFiguresByCode, {
    run: ({ ctx }, _, question, by) => figuresByCode(ctx, by, question),
    answer,
  }),
};

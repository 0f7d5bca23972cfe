import * as declared from "@/contract/operations/customers";
import { requestEmail } from "../accounts/addresses/confirm-email";
import { resetMfa, signOutEverywhere } from "../accounts/credentials/staff-actions";
import { customerRows } from "../staff-queries/customers";
import { noteOnDesk } from "../staff-queries/notes";
import { unbindDevice } from "../devices/remove";
import { moveLink, removeLink } from "../discord/change-link";
import { grantLicence } from "../offers/grant";
import { eraseAsStaff } from "../privacy/erase";
import { implement, resultItself, type Services, theRow } from "./operation";

const answer = async ({ ctx }: Services, { subject: { id } }: { subject: { id: string } }) =>
  theRow(await customerRows(ctx, [id]));

/** What staff do for a customer. */
export const customerOperations = {
  resetCustomerDevice: implement(declared.resetCustomerDevice, {
    run: ({ ctx }, { id }, { device }, by) => unbindDevice(ctx, id, by, device),
    answer,
  }),
  resetCustomerMfa: implement(declared.resetCustomerMfa, {
    run: ({ ctx }, account, _, by) => resetMfa(ctx, account, by),
    answer,
  }),
  changeCustomerEmail: implement(declared.changeCustomerEmail, {
    run: ({ ctx }, account, { email, ends_former: endsFormer = false }, by) =>
      requestEmail(ctx, account, { email, endsFormer }, by),
    answer,
  }),
  signCustomerOut: implement(declared.signCustomerOut, {
    run: ({ ctx }, account, _, by) => signOutEverywhere(ctx, account, by),
    answer,
  }),
  linkCustomer: implement(declared.linkCustomer, {
    run: ({ ctx }, { id: accountId }, { discord_id: discordUserId }, by) =>
      moveLink(ctx, { ...by, accountId, discordUserId, displayName: null }),
    answer,
  }),
  unlinkCustomer: implement(declared.unlinkCustomer, {
    run: ({ ctx }, { id }, _, by) => removeLink(ctx, id, by),
    answer,
  }),
  eraseCustomer: implement(declared.eraseCustomer, {
    run: ({ ctx, checkout }, account, _, by) => eraseAsStaff(ctx, checkout, account, by),
    answer: async (_, { subject: { id } }) => ({ id, erased: true as const }),
  }),
  grantLicence: implement(declared.grantLicence, {
    run: ({ ctx }, account, wanted, by) => grantLicence(ctx, account, wanted, by),
    answer,
  }),
  noteOnCustomer: implement(declared.noteOnCustomer, {
    run: ({ ctx }, customer, { text }, { actor }) => noteOnDesk(ctx, actor, { customer, text }),
    answer: resultItself,
  }),
};

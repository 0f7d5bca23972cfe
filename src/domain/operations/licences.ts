import * as declared from "@/contract/operations/licences";
import type { LicenceRow } from "@/contract/wire/desk/rows";
import type { By } from "@/core/base/actor";
import { licenceRows } from "../staff-queries/licences";
import { type LicenceChange, changeLicence, extendLicence, rotateKey } from "../licences/changes/change";
import { changeDevices, changeLevelOf } from "../licences/changes/staff-terms";
import { revealKey } from "../licences/keys/hand-out";
import type { Licence } from "../schema/licences";
import { implement, type Services, theRow } from "./operation";

type Done = { subject: { id: string } };

const answer = async ({ ctx }: Services, { subject: { id } }: Done): Promise<LicenceRow> =>
  theRow(await licenceRows(ctx, [id]));

const changing =
  (change: LicenceChange) =>
  ({ ctx }: Services, licence: Licence, _: unknown, by: By) =>
    changeLicence(ctx, licence, change, by);

/** What staff do with a licence. */
export const licenceOperations = {
  suspendLicence: implement(declared.suspendLicence, { run: changing("suspend"), answer }),
  reinstateLicence: implement(declared.reinstateLicence, { run: changing("reinstate"), answer }),
  revokeLicence: implement(declared.revokeLicence, { run: changing("revoke"), answer }),
  extendLicence: implement(declared.extendLicence, {
    run: ({ ctx }, licence, { days }, by) => extendLicence(ctx, licence, days, by),
    answer,
  }),
  changeLicenceDevices: implement(declared.changeLicenceDevices, {
    run: ({ ctx }, licence, { number }, by) => changeDevices(ctx, licence, number, by),
    answer,
  }),
  changeLicenceLevel: implement(declared.changeLicenceLevel, {
    run: ({ ctx }, licence, { level = null }, by) => changeLevelOf(ctx, licence, level, by),
    answer,
  }),
  rotateLicenceKey: implement(declared.rotateLicenceKey, {
    run: ({ ctx }, licence, _, by) => rotateKey(ctx, licence, by),
    answer,
  }),
  revealLicenceKey: implement(declared.revealLicenceKey, {
    run: ({ ctx }, licence, _, by) => revealKey(ctx, licence, by),
    answer: async (_, { result: key }) => ({ key }),
  }),
};

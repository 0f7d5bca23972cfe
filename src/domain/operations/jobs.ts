import * as declared from "@/contract/operations/jobs";
import { Refusal } from "@/core/base/refusal";
import { licencesChosen } from "../staff-queries/chosen-licences";
import { cancelJob, jobForStaff } from "../jobs/for-staff";
import { makeBulk, makeIssue, previewBulk, previewIssue } from "../jobs/make";
import { makeImport, previewImport } from "../jobs/make-import";
import { implement, resultItself, type Services } from "./operation";
import type { By } from "@/core/base/actor";

const answer = ({ ctx }: Services, { subject: id, by }: { subject: string; by: By }) =>
  jobForStaff(ctx, by.actor, id);

/** Jobs that change or issue many licences, or import a file. */
export const jobOperations = {
  changeManyLicences: implement(declared.changeManyLicences, {
    async run({ ctx }, _, { action, ids, filter = {}, days = null, preview }, by) {
      if ((action === "extend") !== (days !== null)) {
        const sentence = "Send days only with extend, which needs them.";
        throw new Refusal("invalid_field", { field: "days", sentence });
      }
      const bulk = { action, days, chosen: ids ? [ids] : licencesChosen(ctx, filter) };
      return preview ? previewBulk(ctx, bulk, by) : { job: await makeBulk(ctx, bulk, by) };
    },
    answer: resultItself,
  }),
  issueLicences: implement(declared.issueLicences, {
    async run({ ctx }, _, { preview, email = null, ...order }, by) {
      const wanted = { ...order, email };
      return preview ? previewIssue(ctx, wanted, by) : { job: await makeIssue(ctx, wanted, by) };
    },
    answer: resultItself,
  }),
  importFile: implement(declared.importFile, {
    async run(services, id, { columns, levels, link_anyway, unconfirmed, preview }, by) {
      const asked = { columns, levels, linkAnyway: link_anyway, confirmed: !unconfirmed };
      return preview
        ? previewImport(services, id, asked, by)
        : { job: await makeImport(services, id, asked, by) };
    },
    answer: resultItself,
  }),
  showJob: implement(declared.showJob, { run: async (_, id) => id, answer }),
  cancelJob: implement(declared.cancelJob, { run: ({ ctx }, id, _, by) => cancelJob(ctx, id, by), answer }),
};

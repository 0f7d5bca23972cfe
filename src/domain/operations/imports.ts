import * as declared from "@/contract/operations/imports";
import { makeImport, previewImport } from "../jobs/make-import";
import { implement, resultItself } from "./operation";

/** Files of another shop. */
export const importOperations = {
  importFile: implement(declared.importFile, {
    async run(services, id, { columns, link_anyway, unconfirmed, preview }, by) {
      const asked = { columns, linkAnyway: link_anyway, confirmed: !unconfirmed };
      return preview
        ? previewImport(services, id, asked, by)
        : { job: await makeImport(services, id, asked, by) };
    },
    answer: resultItself,
  }),
};

import { maxAddedDays, maxIssuedPerJob } from "../vocabulary/bounds";
import { choice, choicesOf, emailAddress, flag, idOf, schemaNamed, wholeNumber } from "../vocabulary/fields";
import { bulkActions } from "../vocabulary/kinds";
import { operation } from "./operation";

const makes = {
  roles: ["operator", "owner"],
  code: true,
  reason: "required",
  answers: "jobStarted",
  means: "The job's id, or the preview",
} as const;
const preview = flag({ label: "Preview", about: "Only counts what the job would do, without making it" });

export const changeManyLicences = operation({
  ...makes,
  name: "licence.bulk",
  call: "POST licences/bulk",
  fields: {
    action: choice({ label: "Action", choices: choicesOf(bulkActions) }),
    ids: schemaNamed({ label: "Licenses", schema: "bulkIds", optional: true }),
    filter: schemaNamed({
      label: "Filter",
      schema: "bulkFilter",
      optional: true,
      about: "The filters of `GET licences`: the job takes every license that they find when it is made",
    }),
    days: wholeNumber({ label: "Days", most: maxAddedDays, optional: true, about: "Only for `extend`" }),
    preview,
  },
  oneOf: ["ids", "filter"],
  summary: "Extend, suspend, reinstate or revoke many licences",
  description:
    "The licences are chosen when the job is made. With `preview`, it only counts them, without a code.",
});

export const issueLicences = operation({
  ...makes,
  name: "licence.issue",
  call: "POST licences/issue",
  fields: {
    offer: idOf({ label: "Offer", about: "The offer's id" }),
    level: idOf({ label: "Level", optional: true, about: "Another level than the offer's" }),
    count: wholeNumber({ label: "How many", most: maxIssuedPerJob }),
    email: emailAddress({
      label: "Email",
      optional: true,
      about: "The address that gets all keys in one email; without it, they are a file to download",
    }),
    preview,
  },
  summary: "Issue many licences of an offer without a payment",
  description:
    "With `email`, all keys are mailed there in one email; without it, they can be downloaded for seven days. With `preview`, it only counts them, without a code.",
});

export const importFile = operation({
  ...makes,
  name: "import.make",
  call: "POST imports/{id}",
  id: idOf({ label: "File", about: "What `PUT imports/{what}` answered" }),
  answers: "importStarted",
  fields: {
    columns: schemaNamed({
      label: "Columns",
      schema: "importColumns",
      otherwise: {},
      about: "What the file calls a field, by field; empty if it has none. Others go by their own names",
    }),
    levels: schemaNamed({
      label: "Levels",
      schema: "importLevels",
      otherwise: {},
      about: "The ids of the levels that words of the file mean, by word. Ids mean themselves",
    }),
    link_anyway: flag({
      label: "Link anyway",
      otherwise: false,
      about: "Links Discord ids that may be rounded too",
    }),
    unconfirmed: flag({
      label: "Unconfirmed",
      otherwise: false,
      about: "Nobody has proven that these mailboxes are the customers' own",
    }),
    preview,
  },
  summary: "Import the keys or customers of a file that was sent",
  description:
    "Lines that are refused are left out. Each line is decided again when its turn comes; `GET jobs/{id}/result.csv` says what became of it, for seven days. With `preview`, nothing is changed and no code is needed.",
});

export const showJob = operation({
  name: "licence_job.read",
  roles: ["operator", "owner"],
  call: "GET jobs/{id}",
  answers: "job",
  means: "The job",
  summary: "A job's progress, and which licences it refused",
});

export const cancelJob = operation({
  name: "licence_job.cancel",
  roles: ["operator", "owner"],
  call: "POST jobs/{id}/cancel",
  command: "jobs cancel <job>",
  reason: "required",
  answers: "job",
  means: "The job",
  summary: "Cancel a job; what is already done stays done",
});

import * as customers from "./customers";
import * as desk from "./desk";
import * as jobs from "./jobs";
import * as levels from "./levels";
import * as licences from "./licences";
import * as payments from "./payments";
import * as products from "./products";
import * as settings from "./settings";
import * as system from "./system";
import * as tickets from "./tickets";
import * as uploads from "./uploads";
import * as webhooks from "./webhooks";

/** Every staff operation by the name of its declaration. What has a fixed path comes before what has an id in that place. */
export const operations = {
  ...uploads,
  ...jobs,
  ...customers,
  ...licences,
  ...payments,
  ...tickets,
  ...levels,
  ...products,
  ...settings,
  ...system,
  ...webhooks,
  ...desk,
} as const;

export type OperationKey = keyof typeof operations;

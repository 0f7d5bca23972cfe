import type { OperationKey, operations } from "@/contract/operations/all";
import { customerOperations } from "./customers";
import { deskOperations } from "./desk";
import { jobOperations } from "./jobs";
import { levelOperations } from "./levels";
import { licenceOperations } from "./licences";
import type { Implemented } from "./operation";
import { paymentOperations, subscriptionOperations } from "./payments";
import {
  announcementOperations,
  changelogOperations,
  codeOperations,
  offerOperations,
  releaseOperations,
} from "./products";
import { blockOperations, outboxOperations, settingOperations, staffOperations } from "./settings";
import { systemOperations } from "./system";
import { ticketOperations } from "./tickets";
import { uploadOperations } from "./uploads";
import { serverKeyOperations, webhookOperations } from "./webhooks";

/** Every declared staff operation with its implementation. */
export const implementations = {
  ...uploadOperations,
  ...jobOperations,
  ...customerOperations,
  ...licenceOperations,
  ...paymentOperations,
  ...subscriptionOperations,
  ...ticketOperations,
  ...levelOperations,
  ...offerOperations,
  ...codeOperations,
  ...releaseOperations,
  ...changelogOperations,
  ...announcementOperations,
  ...staffOperations,
  ...blockOperations,
  ...webhookOperations,
  ...serverKeyOperations,
  ...outboxOperations,
  ...settingOperations,
  ...systemOperations,
  ...deskOperations,
} satisfies { [Key in OperationKey]: { declared: (typeof operations)[Key] } };

/** The same as a list, for entry points that treat all operations alike. */
export const everyOperation = Object.values(implementations) as unknown as Implemented[];

import { z } from "zod";
import { announcement, announcementPreview, announcementRow } from "./announcements";
import { attention } from "./attention";
import { blockRow } from "./blocks";
import { changelogRow } from "./changelog";
import { codeRow } from "./codes";
import {
  customerDetails,
  licenceDetails,
  noteRow,
  paymentDetails,
  subscriptionDetails,
  ticketDetails,
} from "./details";
import {
  deskFigures,
  figuresByCode,
  figuresByOffer,
  figuresOfSubscriptions,
  figuresOfSupport,
} from "./figures";
import { importStarted } from "./imports";
import { deskJob, jobStarted, outboxOutcome, stuckJobs } from "./jobs";
import { levelOutcome, levelRow } from "./levels";
import { ownerNotices } from "./notices";
import { offerRow } from "./offers";
import { pageOf } from "./pages";
import { refundOutcome } from "./refunds";
import { releaseRow, upload } from "./releases";
import {
  correctionRow,
  customerRow,
  licenceRow,
  paymentRow,
  refundRow,
  subscriptionRow,
  ticketRow,
} from "./rows";
import { salesOfMonth } from "./sales";
import { searchResult } from "./search";
import { serverKeyMade, serverKeyRow } from "./server-keys";
import { deskRequest, deskRequestDone, staffAdded, staffList } from "./staff";
import { backups, findings, settingRows } from "./system";
import { savedReply } from "./replies";
import {
  delivery,
  deliveryRow,
  replayed,
  webhookDetails,
  webhookRotated,
  webhookRow,
  webhookWithSecret,
} from "./webhooks";

/** What the desk's calls answer, by the names that the declarations of `contract/operations` have for it. */
export const deskAnswers = {
  licence: licenceRow,
  licenceWhole: licenceDetails,
  wholeKey: z.object({ key: z.string() }),
  payment: paymentRow,
  paymentWhole: paymentDetails,
  resentReceipts: z.object({ sent: z.int(), left: z.boolean().describe("Whether more are left") }),
  evidence: z.array(
    z.object({
      field: z.string().describe("Stripe's name of the field"),
      title: z.string(),
      text: z.string(),
    }),
  ),
  refund: refundRow,
  refundOutcome,
  correction: correctionRow,
  customer: customerRow,
  customerWhole: customerDetails,
  /** After which nothing else is left. */
  erasedCustomer: z.object({ id: z.string(), erased: z.literal(true) }),
  subscription: subscriptionRow,
  subscriptionWhole: subscriptionDetails,
  ticket: ticketRow,
  ticketWhole: ticketDetails,
  note: noteRow,
  reply: savedReply,
  replies: z.array(savedReply),
  removed: z.object({ id: z.string() }),
  job: deskJob,
  jobStarted,
  importStarted,
  upload,
  uploads: pageOf(upload),
  level: levelRow,
  levelOutcome,
  offer: offerRow,
  code: codeRow,
  release: releaseRow,
  news: changelogRow,
  announcement: announcementRow,
  announcementWhole: announcement,
  announcementPreview,
  mailedTo: z.object({ email: z.string() }),
  staff: staffList,
  staffAdded,
  block: blockRow,
  webhook: webhookRow,
  webhookDetails,
  webhookWithSecret,
  webhookRotated,
  delivery: deliveryRow,
  deliveryWhole: delivery,
  replayed,
  serverKey: serverKeyRow,
  serverKeyMade,
  stuckJobs,
  outboxOutcome,
  ownerMails: ownerNotices,
  settings: settingRows,
  findings,
  backups,
  found: searchResult,
  attention,
  names: z.array(z.string()),
  request: deskRequest,
  requestDone: deskRequestDone,
  salesOfMonth,
  figures: deskFigures,
  figuresByOffer,
  figuresByCode,
  figuresOfSubscriptions,
  figuresOfSupport,
} as const;

export type DeskAnswers = { [Name in keyof typeof deskAnswers]: z.infer<(typeof deskAnswers)[Name]> };

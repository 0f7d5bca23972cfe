import { newRouter } from "../../route-guards";
import type { Shop } from "../../shop";
import { deskAnnouncementRoutes } from "./announcements";
import { deskBlockRoutes } from "./blocks";
import { deskChangelogRoutes } from "./changelog";
import { deskCodeRoutes } from "./codes";
import { deskCorrectionRoutes } from "./corrections";
import { deskDeliveryRoutes } from "./deliveries";
import { deskEntranceRoutes } from "./entrance";
import { deskCustomerVerbs } from "./customer-verbs";
import { deskFigureRoutes } from "./figures";
import { deskJobRoutes } from "./jobs";
import { deskExportRoutes } from "./exports";
import { deskListRoutes } from "./lists";
import { deskReadingRoutes } from "./reading";
import { deskOfferRoutes } from "./offers";
import { deskReleaseRoutes } from "./releases";
import { deskRequestRoutes } from "./requests";
import { deskServerKeyRoutes } from "./server-keys";
import { deskLicenceVerbs } from "./licence-verbs";
import { deskNoticeRoutes } from "./notices";
import { deskOutboxRoutes } from "./outbox";
import { deskPaymentVerbs, deskRefundRoutes } from "./payment-verbs";
import { deskReplyRoutes, deskTicketVerbs } from "./ticket-verbs";
import { deskStaffRoutes } from "./staff";
import { deskSubscriptionVerbs } from "./subscription-verbs";
import { deskTicketFileRoutes } from "./ticket-files";
import { deskSystemRoutes } from "./system";
import { deskUploadRoutes } from "./uploads";
import { deskWebhookRoutes } from "./webhooks";

/** /api/desk: what staff can read and do. One router per noun. */
export const deskRoutes = (shop: Shop) =>
  newRouter()
    .route("/", deskEntranceRoutes(shop))
    .route("/", deskStaffRoutes(shop))
    .route("/", deskRequestRoutes(shop))
    .route("/", deskJobRoutes(shop))
    .route("/", deskListRoutes(shop))
    .route("/", deskReadingRoutes(shop))
    .route("/", deskTicketFileRoutes(shop))
    .route("/", deskExportRoutes(shop))
    .route("/", deskOfferRoutes(shop))
    .route("/", deskCodeRoutes(shop))
    .route("/", deskUploadRoutes(shop))
    .route("/", deskReleaseRoutes(shop))
    .route("/", deskChangelogRoutes(shop))
    .route("/", deskAnnouncementRoutes(shop))
    .route("/", deskBlockRoutes(shop))
    // before the calls that have an id in the same place of their path
    .route("/", deskDeliveryRoutes(shop))
    .route("/", deskWebhookRoutes(shop))
    .route("/", deskServerKeyRoutes(shop))
    .route("/", deskSystemRoutes(shop))
    .route("/", deskOutboxRoutes(shop))
    .route("/", deskNoticeRoutes(shop))
    .route("/", deskCustomerVerbs(shop))
    .route("/", deskPaymentVerbs(shop))
    .route("/", deskRefundRoutes(shop))
    .route("/", deskCorrectionRoutes(shop))
    .route("/", deskLicenceVerbs(shop))
    .route("/", deskSubscriptionVerbs(shop))
    .route("/", deskTicketVerbs(shop))
    .route("/", deskReplyRoutes(shop))
    .route("/", deskFigureRoutes(shop));

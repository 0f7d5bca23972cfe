import { newRouter } from "../../route-guards";
import type { Shop } from "../../shop";
import { deskEntranceRoutes } from "./entrance";
import { deskJobRoutes } from "./jobs";
import { deskExportRoutes } from "./exports";
import { deskListRoutes } from "./lists";
import { deskReadingRoutes } from "./reading";
import { deskStaffRoutes } from "./staff";
import { deskTicketFileRoutes } from "./ticket-files";

/** /api/desk: what staff read and do. One router per noun. */
export const deskRoutes = (shop: Shop) =>
  newRouter()
    .route("/", deskEntranceRoutes(shop))
    .route("/", deskStaffRoutes(shop))
    .route("/", deskJobRoutes(shop))
    .route("/", deskListRoutes(shop))
    .route("/", deskReadingRoutes(shop))
    .route("/", deskTicketFileRoutes(shop))
    .route("/", deskExportRoutes(shop));

import { newRouter } from "../../route-guards";
import type { Shop } from "../../shop";
import { deskEntranceRoutes } from "./entrance";
import { deskExportRoutes } from "./exports";
import { deskJobFileRoutes, deskSalesRoutes, deskTicketFileRoutes, deskUploadRoutes } from "./files";
import { deskImportRoutes } from "./imports";
import { deskListRoutes } from "./lists";
import { deskOperationRoutes } from "./operations";
import { deskSystemRoutes } from "./system";

/**
 * /api/desk: what staff can read and do. Nearly all follows from the declarations of `contract/operations`; by hand are
 * the way in, lists that are exports too, files, and what only a running process knows of itself.
 */
export const deskRoutes = (shop: Shop) =>
  newRouter()
    .route("/", deskEntranceRoutes(shop))
    .route("/", deskOperationRoutes(shop))
    .route("/", deskListRoutes(shop))
    .route("/", deskExportRoutes(shop))
    .route("/", deskSalesRoutes(shop))
    .route("/", deskTicketFileRoutes(shop))
    .route("/", deskUploadRoutes(shop))
    .route("/", deskImportRoutes(shop))
    .route("/", deskJobFileRoutes(shop))
    .route("/", deskSystemRoutes(shop));

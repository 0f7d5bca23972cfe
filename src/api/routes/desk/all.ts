import { newRouter } from "../../route-guards";
import type { Shop } from "../../shop";
import { deskEntranceRoutes } from "./entrance";
import { deskStaffRoutes } from "./staff";

/** /api/desk: what staff read and do. One router per noun. */
export const deskRoutes = (shop: Shop) =>
  newRouter().route("/", deskEntranceRoutes(shop)).route("/", deskStaffRoutes(shop));

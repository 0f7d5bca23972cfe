import type { Permission } from "@/domain/permissions";
import { needsDesk } from "./answers";
import { deskOnly } from "./desk-guards";
import type { Shop } from "./shop";

/** What every call of the desk declares: who may make it, and that it is described under `desk`. */
export const deskCall = (shop: Shop, operation: Permission) => ({
  tags: ["desk"],
  security: needsDesk,
  middleware: deskOnly(shop, operation),
});

/** For the description of a call. */
export const needsCode = "Needs a fresh code (`confirm`).";

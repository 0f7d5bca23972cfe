import type { World } from "../../world";
import type { Customer, PortalConfiguration, PortalSession } from "../rows";

/** A portal session that still lets its holder in. */
export type Visit = {
  session: PortalSession;
  configuration: PortalConfiguration;
  customer: Customer;
  /** The world at the customer's time. */
  world: World;
  /** The path of the session's pages. */
  path: string;
};

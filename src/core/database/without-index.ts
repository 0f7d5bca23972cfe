import { type SQL, sql } from "drizzle-orm";

/**
 * A further condition on rows that are named by their primary key. Hidden from the planner, which would else search by
 * the condition's own index: 25 ms for ten of 30,000 old payments.
 */
export const withoutIndex = (condition: SQL | undefined): SQL | undefined =>
  condition && sql`(${condition}) IS TRUE`;

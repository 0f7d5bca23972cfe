import { z } from "zod";
import { maxHolders } from "../../vocabulary/bounds";
import { instant } from "../envelope";

const holders = z.int().max(maxHolders);
const held = {
  licences: holders.describe(`Active licenses of this level; counting stops at ${maxHolders}`),
  accounts: holders.describe("The accounts that have these"),
  offers: z.int().describe("The offers on sale that sell it"),
};

export const levelRow = z
  .object({
    id: z.string(),
    name: z.string(),
    place: z.int().describe("1 is the lowest"),
    includes_before: z.boolean(),
    contains: z.array(z.string()).describe("The ids of the levels below that it contains"),
    features: z.array(z.string()).describe("Its own, without those of the levels that it contains"),
    role: z
      .string()
      .nullable()
      .describe("The id of its Discord role; null: none, or for the first level that of the settings"),
    ...held,
    is_first: z.boolean().describe("Made from the brand"),
    from_order: z
      .boolean()
      .describe("Made from an order of a level that this shop lacked, and not changed since"),
    created_at: instant,
    retired_at: instant.nullable(),
  })
  .meta({ id: "DeskLevel" });
export type LevelRow = z.infer<typeof levelRow>;

export const levelEffect = z
  .object({
    ...held,
    role: z
      .object({
        name: z.string(),
        members: z.int().nullable().describe("How many members have the role; null: Discord doesn't say"),
        losing: z.int().nullable().describe("How many of them have no license for it and would lose it"),
      })
      .nullable()
      .describe("null: the role doesn't change, or there is none from then on"),
  })
  .meta({ id: "DeskLevelEffect", description: "Whom a change concerns" });
export type LevelEffect = z.infer<typeof levelEffect>;

/** A change answers the level as it is now, and a preview whom the change would concern. */
export const levelOutcome = z.union([levelRow, levelEffect]);

import { sql } from "drizzle-orm";
import type { Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { keepFact } from "@/core/database/key-values";
import { keyValues } from "@/core/database/schema";
import { tickets } from "../../schema/tickets";

const fact = "highest_ticket";

const kept = sql`SELECT CAST(${keyValues.value} AS INTEGER) FROM ${keyValues} WHERE ${keyValues.name} = ${fact}`;
const stored = sql`SELECT max(${tickets.number}) FROM ${tickets}`;
/** The highest number of any ticket, including erased ones. */
const highest = sql`max(coalesce((${stored}), 0), coalesce((${kept}), 0))`;

/** A new ticket's number, read within the commit, so that no two tickets get the same. */
export const nextNumber = sql`${highest} + 1`;

/** Precedes the writes that erase tickets, so that their numbers are never used again. */
export const keepHighestNumber = (ctx: Ctx): Write => keepFact(ctx, fact, highest);

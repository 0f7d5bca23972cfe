import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { BlockKind } from "@/contract/blocks";
import { isUnusual, moment } from "@/core/schema";

/** Who and what the shop no longer deals with. */
export const blocks = sqliteTable(
  "blocks",
  {
    id: text("id").primaryKey(),
    kind: text("kind").$type<BlockKind>().notNull(),
    /**
     * `kind:value`, as it is looked up: the keyed hash of a hardware ID, an email's comparison key, a network, the id of
     * a Discord user.
     */
    key: text("key").notNull().unique(),
    /** What staff read; of a device, whose it was. */
    label: text("label").notNull(),
    reason: text("reason").notNull(),
    createdAt: moment("created_at").notNull(),
  },
  (table) => [index("blocks_unusual").on(table.id).where(isUnusual(table.key))],
);

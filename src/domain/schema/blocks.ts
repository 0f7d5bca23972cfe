import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { BlockKind } from "@/contract/vocabulary/kinds";
import { timestamp } from "@/core/database/schema";

/** The people, addresses, networks and devices that the shop no longer deals with. */
export const blocks = sqliteTable(
  "blocks",
  {
    id: text("id").primaryKey(),
    kind: text("kind").$type<BlockKind>().notNull(),
    /**
     * The lookup key, `kind:value`: a computer's keyed hash, see `devices.computerHash`, an email's comparison key, a
     * network, or a Discord user's id.
     */
    key: text("key").notNull().unique(),
    /** What staff read; for a device, whose it was. */
    label: text("label").notNull(),
    reason: text("reason").notNull(),
    createdAt: timestamp("created_at").notNull(),
  },
  (table) => [index("blocks_kind").on(table.kind, table.id)],
);

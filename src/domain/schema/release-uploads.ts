import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Channel, Platform } from "@/contract/vocabulary/builds";
import type { UploadState } from "@/contract/wire/desk/releases";
import type { RefusalCode } from "@/contract/vocabulary/refusals";
import { timestamp } from "@/core/database/schema";

/** What an upload becomes. */
export type UploadTerms = {
  version: string;
  channel: Channel;
  title: string;
  content: string;
  rollout: number;
  minimumVersion: string | null;
  keep: Platform[];
  tell: boolean;
  /** PEM; null if the shop signs. */
  publicKey: string | null;
  files: { name: string; platform: Platform; size: number; sha256: string; signature?: string | undefined }[];
};

/** A release whose files arrive in parts, in order, as if they were one. Its id becomes the release's. */
export const releaseUploads = sqliteTable(
  "release_uploads",
  {
    id: text("id").primaryKey(),
    state: text("state").$type<UploadState>().notNull().default("sending"),
    terms: text("terms", { mode: "json" }).$type<UploadTerms>().notNull(),
    /** Who asked last for its publication, as the log names actors, and why. */
    accountId: text("account_id").notNull(),
    reason: text("reason").notNull(),
    /** The bytes that have arrived, of all files together. */
    received: integer("received").notNull().default(0),
    /** While it is published: the bytes that were read and stored. */
    storedBytes: integer("stored_bytes").notNull().default(0),
    refusal: text("refusal", { mode: "json" }).$type<{ code: RefusalCode; sentence: string | null }>(),
    createdAt: timestamp("created_at").notNull(),
    /** When somebody last sent a part or asked for its publication. */
    touchedAt: timestamp("touched_at").notNull(),
  },
  (table) => [
    index("release_uploads_touched").on(table.touchedAt),
    index("release_uploads_open")
      .on(table.createdAt, table.id)
      .where(sql`state IN ('sending', 'publishing', 'refused')`),
  ],
);

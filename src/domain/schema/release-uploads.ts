import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Channel, Platform } from "@/contract/vocabulary/builds";
import type { UploadState } from "@/contract/wire/desk/releases";
import type { RefusalCode } from "@/contract/vocabulary/refusals";
import { moment } from "@/core/database/schema";

/** What an upload becomes, beside its files. */
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
};

/** A release whose files arrive in parts. Its id becomes the release's. */
export const releaseUploads = sqliteTable(
  "release_uploads",
  {
    id: text("id").primaryKey(),
    state: text("state").$type<UploadState>().notNull().default("sending"),
    terms: text("terms", { mode: "json" }).$type<UploadTerms>().notNull(),
    /** Who asked last for its publication, as the log names actors, and why. */
    accountId: text("account_id").notNull(),
    reason: text("reason").notNull(),
    /** While it is published: the bytes that were read and stored. */
    storedBytes: integer("stored_bytes").notNull().default(0),
    refusal: text("refusal", { mode: "json" }).$type<{ code: RefusalCode; sentence: string | null }>(),
    createdAt: moment("created_at").notNull(),
    /** When somebody last sent a part or asked for its publication. */
    touchedAt: moment("touched_at").notNull(),
  },
  (table) => [
    index("release_uploads_touched").on(table.touchedAt),
    index("release_uploads_open")
      .on(table.createdAt, table.id)
      .where(sql`state IN ('sending', 'publishing', 'refused')`),
  ],
);

export const releaseUploadFiles = sqliteTable(
  "release_upload_files",
  {
    uploadId: text("upload_id")
      .notNull()
      .references(() => releaseUploads.id, { onDelete: "cascade" }),
    file: integer("file").notNull(),
    name: text("name").notNull(),
    platform: text("platform").$type<Platform>().notNull(),
    size: integer("size").notNull(),
    /** Hexadecimal. */
    sha256: text("sha256").notNull(),
    /** The publisher's own, base64. */
    signature: text("signature"),
  },
  (table) => [primaryKey({ columns: [table.uploadId, table.file] })],
);

/** A part that arrived, or is about to be stored. Its bytes are in the store of parts under their SHA-256. */
export const releaseUploadParts = sqliteTable(
  "release_upload_parts",
  {
    uploadId: text("upload_id")
      .notNull()
      .references(() => releaseUploads.id, { onDelete: "cascade" }),
    file: integer("file").notNull(),
    part: integer("part").notNull(),
    address: text("address").notNull(),
    kept: integer("kept", { mode: "boolean" }).notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.uploadId, table.file, table.part] }),
    index("release_upload_parts_address").on(table.address),
  ],
);

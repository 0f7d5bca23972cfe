import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Channel, Platform } from "@/contract/vocabulary/builds";
import { timestamp } from "@/core/database/schema";

/** One version of the application, with its notes. */
export const releases = sqliteTable(
  "releases",
  {
    id: text("id").primaryKey(),
    /** Semver; each version is published once, even if withdrawn. */
    version: text("version").notNull().unique(),
    channel: text("channel").$type<Channel>().notNull(),
    title: text("title").notNull(),
    content: text("content").notNull(),
    /** The percentage of devices that the update feed offers the release to. */
    rollout: integer("rollout").notNull().default(100),
    /** Applications older than this must update; null if none must. */
    minimumVersion: text("minimum_version"),
    /** The publisher's own public key for the builds' signatures, as PEM; null if the shop signed. */
    signingKey: text("signing_key"),
    publishedAt: timestamp("published_at").notNull(),
    yankedAt: timestamp("yanked_at"),
  },
  (table) => [
    index("releases_channel").on(table.channel, table.yankedAt),
    index("releases_published").on(table.publishedAt, table.id),
    index("releases_of_channel").on(table.channel, table.publishedAt, table.id),
  ],
);

/** One file of a release. Its bytes are in the build store under their SHA-256. */
export const builds = sqliteTable(
  "builds",
  {
    releaseId: text("release_id")
      .notNull()
      .references(() => releases.id, { onDelete: "cascade" }),
    platform: text("platform").$type<Platform>().notNull(),
    fileName: text("file_name").notNull(),
    size: integer("size").notNull(),
    /** Hexadecimal. */
    sha256: text("sha256").notNull(),
    /** Base64, as in update feeds. */
    sha512: text("sha512").notNull(),
    /** Detached Ed25519 over the 64 bytes of the SHA-512, base64. */
    signature: text("signature").notNull(),
  },
  (table) => [primaryKey({ columns: [table.releaseId, table.platform] })],
);

/** Entries of the changelog besides the notes of releases. */
export const news = sqliteTable("news", {
  id: text("id").primaryKey(),
  date: timestamp("date").notNull(),
  title: text("title").notNull(),
  content: text("content").notNull(),
});

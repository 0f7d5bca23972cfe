import { join } from "node:path";
import type { BuildsConfig } from "@/core/settings/config";
import type { BuildStore } from "@/domain/releases/store";
import { bucketStore } from "./build-bucket";
import { folderStore } from "./build-folder";
import { objectIn } from "./s3";

/** The configured build store. Creates and contacts nothing until used. */
export const createBuildStore = (config: BuildsConfig): BuildStore =>
  "folder" in config ? folderStore(config.folder) : bucketStore(config);

/** Ticket files, separate from the builds, so that erasing a ticket file never removes a build with the same bytes. */
export const createTicketFileStore = (config: BuildsConfig): BuildStore =>
  "folder" in config
    ? folderStore(join(config.folder, ticketFiles), { secret: true })
    : bucketStore({ ...config, prefix: objectIn(config, ticketFiles), copies: null });

/** Parts of builds on their way, which have addresses of their own instead of their SHA-256. */
export const createPartStore = (config: BuildsConfig): BuildStore =>
  "folder" in config
    ? folderStore(join(config.folder, parts), { secret: true, checked: false })
    : bucketStore({ ...config, prefix: objectIn(config, parts), copies: null });

const ticketFiles = "tickets";
const parts = "uploads";

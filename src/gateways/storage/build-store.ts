import type { BuildsConfig } from "@/core/config";
import type { BuildStore } from "@/domain/releases/store";
import { bucketStore } from "./build-bucket";
import { folderStore } from "./build-folder";

/** The build store that the configuration names. Nothing is created or asked until it is used. */
export const createBuildStore = (config: BuildsConfig): BuildStore =>
  "folder" in config ? folderStore(config.folder) : bucketStore(config);

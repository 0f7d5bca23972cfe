import { type PaidPlatform, paidPlatforms, wantedFile } from "@/contract/vocabulary/builds";
import { stored } from "../page/stored";

const kept = stored("wanted-file");

/** The file that a URL names; null if it names none of ours. */
export const fileIn = (search: string): PaidPlatform | null =>
  knownFile(new URLSearchParams(search).get(wantedFile));

/** The download page's path, with the file that the visitor wanted. */
export const downloadPage = (file: PaidPlatform | null) =>
  `/dashboard/download${file === null ? "" : `?${wantedFile}=${file}`}`;

/** The file that this tab could not download yet: the visitor had to sign in or to renew first. */
export const rememberedFile = {
  recall: () => knownFile(kept.recall()),
  remember: (file: PaidPlatform) => kept.remember(file),
  forget: kept.forget,
};

const knownFile = (name: string | null) => paidPlatforms.find((platform) => platform === name) ?? null;

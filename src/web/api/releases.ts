import { queryOptions, useMutation } from "@tanstack/react-query";
import type { PaidPlatform } from "@/contract/vocabulary/builds";
import { api, ask } from "./client";

/** The changelog, newest first. */
export const changelogQuery = queryOptions({
  queryKey: ["changelog"],
  queryFn: async () => (await ask(api.version.logs.$get())).data,
});

/** The size in bytes of each file of the current release; null if it has no such file. */
export const fileSizesQuery = queryOptions({
  queryKey: ["file-sizes"],
  queryFn: async () => (await ask(api.version.filesizes.$get())).data,
});

/** The current release with its notes and checksums; null before the first one. */
export const currentReleaseQuery = queryOptions({
  queryKey: ["current-release"],
  queryFn: async () => (await ask(api.version.builds.$get())).data,
});

/** Has the shop mail the link to the download page to the account's own address, and resolves to that. */
export const useMailDownload = () =>
  useMutation({
    mutationFn: async (file?: PaidPlatform) =>
      (await ask(api.user["download-link"].$post({ json: file ? { file } : {} }))).data,
  });

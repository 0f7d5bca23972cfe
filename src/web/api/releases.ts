import { queryOptions } from "@tanstack/react-query";
import { api, ask } from "./client";

/** What was released, newest first. */
export const changelogQuery = queryOptions({
  queryKey: ["changelog"],
  queryFn: async () => (await ask(api.version.logs.$get())).data,
});

/** Bytes of each of the current release's files; null where it has no such file. */
export const fileSizesQuery = queryOptions({
  queryKey: ["file-sizes"],
  queryFn: async () => (await ask(api.version.filesizes.$get())).data,
});

/** The current release with its notes and checksums; null before the first one. */
export const currentReleaseQuery = queryOptions({
  queryKey: ["current-release"],
  queryFn: async () => (await ask(api.version.builds.$get())).data,
});

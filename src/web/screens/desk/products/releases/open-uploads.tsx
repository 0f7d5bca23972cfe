import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { Upload } from "@/contract/wire/desk/releases";
import { refreshDesk } from "../../../../api/desk/lists";
import { readUpload, uploadsQuery } from "../../../../api/desk/uploads";
import { Loaded } from "../../../../parts/loaded";
import { notify } from "../../../../page/notices";
import { UploadCard } from "./upload-card";

/** The releases that are being sent or published, those of another page or person too. */
export function OpenUploads() {
  const query = useQuery(uploadsQuery);
  useEnds(query.data);
  return (
    <Loaded query={query} skeleton={null}>
      {(uploads) => uploads.map((upload) => <UploadCard key={upload.id} upload={upload} />)}
    </Loaded>
  );
}

/** Tells when an upload that was publishing has become a release. */
function useEnds(uploads: readonly Upload[] | undefined) {
  const queries = useQueryClient();
  const before = useRef<readonly Upload[]>([]);
  useEffect(() => {
    if (!uploads) return;
    const ended = before.current.filter(({ id }) => !uploads.some((upload) => upload.id === id));
    before.current = uploads;
    for (const { id } of ended)
      void readUpload(id).then(({ state, version }) => {
        if (state !== "published") return;
        notify("success", `${version} is published`);
        void refreshDesk(queries);
      }, ignore);
  }, [uploads, queries]);
}

// the list of releases shows it when it is next fetched
const ignore = () => {};

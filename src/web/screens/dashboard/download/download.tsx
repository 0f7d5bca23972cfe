import { useQuery } from "@tanstack/react-query";
import { Fragment, useEffect } from "react";
import { Navigate, useLocation } from "react-router";
import type { Me } from "@/contract/wire/accounts";
import { downloadLockedNotice, type System, systems, wantedFile } from "@/contract/vocabulary/builds";
import { texts } from "@/contract/vocabulary/texts";
import { currentReleaseQuery, fileSizesQuery } from "../../../api/releases";
import { useSession } from "../../../api/session";
import { notify } from "../../../page/notices";
import { Skeleton } from "../../../ui/skeleton";
import { PageHeading } from "../../../parts/page-heading";
import { filesOf } from "../../../parts/build-files";
import { fileIn } from "../../../parts/wanted-file";
import { noteStep } from "../../../parts/first-steps";
import { AfterDownload } from "./after-download";
import { ownSystem } from "../../../parts/own-system";
import { ReleaseCard } from "./release-card";
import { SystemCard } from "./system-card";
import { WantedFile } from "./wanted-file";

/** The files of the current release, for accounts with an active licence. */
export function Download() {
  const session = useSession();
  if (session.state !== "signed-in") return null;
  if (!session.user.active_license) return <Locked />;
  return <Files user={session.user} />;
}

/** Redirects home with the reason; once there is a license, this page continues with the file. */
function Locked() {
  const file = fileIn(useLocation().search);
  const wants = file === null ? "" : `&${wantedFile}=${file}`;
  return <Navigate to={`/dashboard?notice=${downloadLockedNotice}${wants}`} replace />;
}

function Files({ user }: { user: Me }) {
  const sizes = useQuery(fileSizesQuery);
  const release = useQuery(currentReleaseQuery);
  useEffect(() => {
    if (sizes.error) notify("warning", texts.fileSizesFailed, "account");
  }, [sizes.error]);
  const offered = systems.flatMap((system) => {
    const files = filesOf(system, { sizes: sizes.data, release: release.data });
    return files.length > 0 ? [{ system, files }] : [];
  });
  const own = offered.find(({ system }) => system === ownSystem())?.system;
  // which files there are, so that none that comes late moves the others
  const isLoading = sizes.isPending || release.isPending;
  return (
    <>
      <PageHeading title="Download" />
      <WantedFile user={user} />
      {isLoading ? (
        <CardsSkeleton />
      ) : (
        <>
          <div className="grid gap-6 lg:grid-cols-2">
            {offered.toSorted(ownFirst(own)).map(({ system, files }, at) => (
              <Fragment key={system}>
                <SystemCard
                  system={system}
                  files={files}
                  own={system === own}
                  versioned={own === undefined || system === own}
                  sizes={sizes.data}
                  release={release.data}
                  onDownload={() => noteStep(user.id, "download")}
                />
                {at === 0 && (
                  <AfterDownload user={user} own={own} systems={offered.map((one) => one.system)} />
                )}
              </Fragment>
            ))}
          </div>
          <ReleaseCard release={release} />
        </>
      )}
    </>
  );
}

const ownFirst = (own: System | undefined) => (a: { system: System }, b: { system: System }) =>
  Number(b.system === own) - Number(a.system === own);

const CardsSkeleton = () => (
  <output className="grid gap-6 lg:grid-cols-2">
    <span className="sr-only">Loading the files…</span>
    {systems.map((system) => (
      <Skeleton key={system} className="h-80 rounded-xl" />
    ))}
  </output>
);

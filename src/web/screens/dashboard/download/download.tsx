import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { Navigate, useLocation } from "react-router";
import { downloadLockedNotice, type System, systems, wantedFile } from "@/contract/builds";
import { texts } from "@/contract/texts";
import { currentReleaseQuery, fileSizesQuery } from "../../../api/releases";
import { useSession } from "../../../api/session";
import { notify } from "../../../parts/notices";
import { PageHeading } from "../../../parts/page-heading";
import { fileIn } from "../../../parts/wanted-file";
import { ownSystem } from "./own-system";
import { ReleaseCard } from "./release-card";
import { SystemCard } from "./system-card";
import { WantedFile } from "./wanted-file";

/** The files of the current release, for accounts with an active licence. */
export function Download() {
  const session = useSession();
  if (session.state !== "signed-in") return null;
  if (!session.user.active_license) return <Locked />;
  return <Files email={session.user.email} />;
}

/** Leads home with the reason; once there is a license, this page goes on with the file. */
function Locked() {
  const file = fileIn(useLocation().search);
  const wants = file === null ? "" : `&${wantedFile}=${file}`;
  return <Navigate to={`/dashboard?notice=${downloadLockedNotice}${wants}`} replace />;
}

function Files({ email }: { email: string }) {
  const sizes = useQuery(fileSizesQuery);
  const release = useQuery(currentReleaseQuery);
  useEffect(() => {
    if (sizes.error) notify("warning", texts.fileSizesFailed, "account");
  }, [sizes.error]);
  const own = ownSystem();
  return (
    <>
      <PageHeading title="Download">The current release for each of your computers.</PageHeading>
      <WantedFile email={email} />
      <div className="grid gap-6 lg:grid-cols-2 xl:grid-cols-3">
        {ownFirst(own).map((system) => (
          <SystemCard
            key={system}
            system={system}
            own={system === own}
            sizes={sizes.data}
            sizing={sizes.isPending}
            release={release.data}
            checking={release.isPending}
          />
        ))}
      </div>
      <ReleaseCard release={release} />
    </>
  );
}

const ownFirst = (own: System | undefined) =>
  systems.toSorted((a, b) => Number(b === own) - Number(a === own));

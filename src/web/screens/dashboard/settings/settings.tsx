import { ArrowRight } from "lucide-react";
import { Link } from "react-router";
import { useSession } from "../../../api/session";
import { DevicePanel } from "../../../parts/devices/device-panel";
import { PageHeading } from "../../../parts/page-heading";
import { Button } from "../../../ui/button";
import { Appearance } from "./appearance";
import { DeleteAccount } from "./delete-account";
import { DiscordLinking } from "./discord-linking";
import { DataExport } from "./data-export";
import { UserCard } from "./user-card";

/** The account's settings, one card each. */
export function Settings() {
  const session = useSession();
  if (session.state !== "signed-in") return null;
  const { user } = session;
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-6">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
        <PageHeading title="Settings">Your account, Discord connection and computer.</PageHeading>
        <Button asChild variant="link" className="px-0">
          <Link to="/dashboard/account">
            Auth token and sessions
            <ArrowRight aria-hidden="true" />
          </Link>
        </Button>
      </div>
      <UserCard user={user} />
      <Appearance />
      <DiscordLinking user={user} />
      <div className="flex flex-col gap-1">
        <DevicePanel user={user} title="Hardware ID" again="Refresh" />
        <Button asChild variant="link" className="self-start px-0">
          <Link to="/dashboard/offline">
            A computer that never goes online
            <ArrowRight aria-hidden="true" />
          </Link>
        </Button>
      </div>
      <DataExport username={user.username} />
      <DeleteAccount user={user} />
    </div>
  );
}

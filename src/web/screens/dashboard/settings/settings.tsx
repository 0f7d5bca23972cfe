import { FileDown, ShieldCheck, SunMoon, UserRound } from "lucide-react";
import type { Me } from "@/contract/wire/accounts";
import { useSession } from "../../../api/session";
import { isWithout } from "../../../page/without";
import { Token } from "../../../parts/account/token";
import { DevicePanel } from "../../../parts/devices/device-panel";
import { HashTabs } from "../../../parts/hash-tabs";
import { PageHeading } from "../../../parts/page-heading";
import { Appearance } from "./appearance";
import { DataExport } from "./data-export";
import { DeleteAccount } from "./delete-account";
import { DiscordLinking } from "./discord-linking";
import { OfflineComputer } from "./offline/offline-computer";
import { SecurityLog } from "./security-log";
import { Sessions } from "./sessions";
import { UserCard } from "./user-card";

/** The specification's three sections, and in tabs beside them what the shop adds. */
export function Settings() {
  const session = useSession();
  if (session.state !== "signed-in") return null;
  const { user } = session;
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-6">
      <PageHeading title="Settings" />
      <HashTabs
        label="Settings"
        tabs={[
          { id: "general", name: "General", icon: UserRound, content: <General user={user} /> },
          { id: "security", name: "Security", icon: ShieldCheck, content: <Security user={user} /> },
          { id: "appearance", name: "Appearance", icon: SunMoon, content: <Appearance /> },
          { id: "data", name: "Your data", icon: FileDown, content: <Data user={user} /> },
        ]}
      />
    </div>
  );
}

const General = ({ user }: { user: Me }) => (
  <>
    <UserCard user={user} />
    {!isWithout("discord") && <DiscordLinking user={user} />}
    <DevicePanel user={user} title="Hardware ID" again="Refresh">
      <OfflineComputer user={user} />
    </DevicePanel>
  </>
);

const Security = ({ user }: { user: Me }) => (
  <>
    <Token token={user.api_key} />
    <Sessions hasToken={user.api_key !== null} />
    <SecurityLog />
  </>
);

const Data = ({ user }: { user: Me }) => (
  <>
    <DataExport username={user.username} />
    <DeleteAccount user={user} />
  </>
);

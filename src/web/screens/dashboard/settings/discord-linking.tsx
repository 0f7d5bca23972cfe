import { useQuery } from "@tanstack/react-query";
import { ArrowUpRight, CircleAlert, CircleCheck, Hourglass, Link2, Link2Off } from "lucide-react";
import { brand } from "@/brand/brand";
import type { Me } from "@/contract/wire/accounts";
import type { DiscordStatus, RoleReason } from "@/contract/wire/discord";
import { discordQuery } from "../../../api/discord";
import { formatTime } from "../../../parts/format-time";
import { Loaded } from "../../../parts/loaded";
import { RowsSkeleton } from "../../../parts/rows-skeleton";
import { TitledCard } from "../../../parts/titled-card";
import { Badge } from "../../../ui/badge";
import { Button } from "../../../ui/button";
import { cn } from "../../../lib/utils";
import { AuthorizeButton, DeauthorizeButton } from "./discord-buttons";

/** The connected Discord user, and why the roles of their levels are granted or not. */
export function DiscordLinking({ user }: { user: Me }) {
  const status = useQuery(discordQuery);
  const { reason, gives } = status.data?.role ?? {};
  return (
    <TitledCard
      title="Discord Linking"
      description={
        gives === null && reason !== "off"
          ? "The Discord account that you use on our server."
          : `Your license gives you the ${gives ?? `${brand.premium.name} role`} on our Discord server.`
      }
      aside={status.data && <ConnectionStatus connected={status.data.connected} />}
    >
      <Loaded query={status} skeleton={<RowsSkeleton rows={1} />}>
        {(data) => <Connection status={data} user={user} />}
      </Loaded>
    </TitledCard>
  );
}

function ConnectionStatus({ connected }: { connected: boolean }) {
  const Icon = connected ? Link2 : Link2Off;
  return (
    <output>
      <Badge tone={connected ? "good" : "neutral"}>
        <Icon aria-hidden="true" />
        <span>{connected ? "Connected" : "Not Connected"}</span>
      </Badge>
    </output>
  );
}

function Connection({ status, user }: { status: DiscordStatus; user: Me }) {
  const { connected, name, linked_at, role } = status;
  return (
    <>
      {connected && (
        <div className="flex items-center gap-4 rounded-lg border bg-well p-4">
          <span
            aria-hidden="true"
            className="grid size-10 shrink-0 place-content-center rounded-full bg-discord font-semibold text-white"
          >
            {name?.charAt(0).toUpperCase() ?? "?"}
          </span>
          <div className="flex min-w-0 flex-col gap-0.5">
            <p className="truncate text-sm font-medium">{name ?? "A Discord account"}</p>
            {linked_at && (
              <p className="text-xs text-muted-foreground">Connected {formatTime(new Date(linked_at))}</p>
            )}
          </div>
        </div>
      )}
      <RoleSentence reason={role.reason}>{role.sentence}</RoleSentence>
      <div className="flex flex-col-reverse gap-3 border-t pt-5 empty:hidden sm:flex-row sm:justify-end">
        {connected && <DeauthorizeButton licensed={user.active_license} />}
        {role.join_url && (
          <Button asChild>
            <a href={role.join_url} target="_blank" rel="noreferrer">
              Join the server
              <ArrowUpRight aria-hidden="true" />
              <span className="sr-only">(opens in a new tab)</span>
            </a>
          </Button>
        )}
        {!connected && role.reason !== "off" && <AuthorizeButton user={user} />}
      </div>
    </>
  );
}

function RoleSentence({ reason, children }: { reason: RoleReason; children: string }) {
  const [Icon, colour] = roleLook(reason);
  return (
    <output className="flex items-start gap-2.5 text-sm">
      <Icon aria-hidden="true" className={cn("mt-0.5 size-4 shrink-0", colour)} />
      {children}
    </output>
  );
}

function roleLook(reason: RoleReason) {
  if (reason === "held") return [CircleCheck, "text-success"] as const;
  if (reason === "pending") return [Hourglass, "text-warning"] as const;
  return [CircleAlert, reason === "not_linked" ? "text-muted-foreground" : "text-warning"] as const;
}

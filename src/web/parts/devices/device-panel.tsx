import { useQuery } from "@tanstack/react-query";
import { Laptop, Link2, Link2Off, RefreshCw } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { brand } from "@/brand/brand";
import type { Me } from "@/contract/wire/accounts";
import type { Device } from "@/contract/wire/application";
import { texts } from "@/contract/vocabulary/texts";
import { deviceQuery, useResetDevice } from "../../api/account";
import { Refused } from "../../api/client";
import { meQuery } from "../../api/session";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { cn } from "../../lib/utils";
import { DevicesCard } from "./devices-card";
import { askAboutDevice, hasSeveralSeats } from "./seats";
import { formatTime } from "../format-time";
import { notify } from "../../page/notices";
import { useNow } from "../../hooks/use-now";
import { TitledCard } from "../titled-card";
import { ConfirmButton } from "../account/confirm-button";
import { resetWait } from "../account/device-cooldown";
import { toastSuccess, toastFailure } from "../account/toasts";

type Props = { user: Me; title: string; again: string; children?: ReactNode };

/** The account's computer with a reset button, or all of them; `again` labels the refresh button, `children` end the card. */
export function DevicePanel(props: Props) {
  return hasSeveralSeats(props.user) ? <DevicesCard {...props} /> : <OneDevice {...props} />;
}

function OneDevice({ user, title, again, children }: Props) {
  const device = useQuery(deviceQuery);
  const me = useQuery(meQuery);
  const refreshing = device.isFetching || me.isFetching;
  return (
    <TitledCard id="devices" title={title} aside={<DeviceStatus attached={user.hwid_set} />}>
      {user.hwid_set && <BoundDevice device={device.data ?? null} problem={device.error} />}
      {!user.hwid_set && (
        <p className="text-sm text-muted-foreground">
          The next computer you sign in on is added automatically.
        </p>
      )}
      <div className="flex flex-col gap-3 border-t pt-5 sm:flex-row sm:items-center">
        <ResetAvailability lastReset={user.last_reset} />
        <div className="flex flex-col gap-3 sm:ml-auto sm:flex-row">
          <Button
            variant="outline"
            aria-busy={refreshing}
            onClick={() => void Promise.all([device.refetch(), me.refetch()])}
          >
            <RefreshCw aria-hidden="true" className={cn(refreshing && "animate-spin")} />
            {again}
          </Button>
          <ResetDevice user={user} />
        </div>
      </div>
      {children}
    </TitledCard>
  );
}

function DeviceStatus({ attached }: { attached: boolean }) {
  const Icon = attached ? Link2 : Link2Off;
  return (
    <output>
      <Badge tone={attached ? "good" : "neutral"}>
        <Icon aria-hidden="true" />
        <span>{attached ? texts.hwidSet : texts.hwidUnset}</span>
      </Badge>
    </output>
  );
}

function BoundDevice({ device, problem }: { device: Device; problem: Error | null }) {
  if (!device) {
    return problem && <p className="text-sm text-muted-foreground">{problem.message}</p>;
  }
  return (
    <div className="flex items-center gap-4 rounded-lg border bg-well p-4">
      <span className="grid size-10 shrink-0 place-content-center rounded-lg bg-primary/12 text-link">
        <Laptop aria-hidden="true" className="size-5" />
      </span>
      <div className="flex min-w-0 flex-col gap-0.5">
        <p className="truncate text-sm font-medium">{device.label}</p>
        <p className="text-xs text-muted-foreground">
          {`${device.os}, ${device.version === null ? "never online" : `version ${device.version}`}. ${
            device.active ? "Last seen" : "Signed out of the application; last seen"
          } ${formatTime(new Date(device.last_seen))}`}
        </p>
      </div>
    </div>
  );
}

function ResetAvailability({ lastReset }: { lastReset: string | null }) {
  const wait = resetWait(lastReset, useNow());
  return (
    <p className="text-sm text-muted-foreground">
      {wait ? (
        <span>
          Reset available on <span className="text-foreground">{formatTime(wait.at)}</span>.{" "}
          <Link to={askAboutDevice} className="text-link underline underline-offset-4">
            Ask support
          </Link>
        </span>
      ) : (
        "You can reset it once every 30 days."
      )}
    </p>
  );
}

function ResetDevice({ user }: { user: Me }) {
  const reset = useResetDevice();
  const wait = resetWait(user.last_reset, useNow());
  return (
    <ConfirmButton
      variant="outline"
      call={reset}
      doing="Resetting…"
      disabled={wait !== null}
      // without an attached computer there is nothing to lose
      asks={user.hwid_set}
      title="Reset your hardware ID?"
      warning={`${brand.shortName} stops working on the computer it's attached to, and the next one you sign in on replaces it. You can do this once every 30 days.`}
      action="Reset"
      onConfirm={() =>
        reset.mutate(undefined, { onSuccess: () => toastSuccess(texts.hwidReset), onError: sayResetFailed })
      }
    >
      {wait ? `Reset in ${wait.left}` : "Reset"}
    </ConfirmButton>
  );
}

export function sayResetFailed(problem: Error) {
  const code = problem instanceof Refused ? problem.code : undefined;
  if (code === "hwid_not_set") return notify("info", texts.hwidNotSet, "account");
  // the server's sentence says how long to wait
  toastFailure(problem, code === "hwid_cooldown" ? problem.message : texts.hwidResetFailed);
}

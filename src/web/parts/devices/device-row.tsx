import { Laptop } from "lucide-react";
import type { ReactNode } from "react";
import { deviceWords, ownWords } from "@/contract/vocabulary/state-words";
import type { OwnDevice } from "@/contract/wire/own-devices";
import { useNow } from "../../hooks/use-now";
import { Badge } from "../../ui/badge";
import { waitUntil } from "../account/device-cooldown";
import { formatDay, formatTime } from "../format-time";
import { inactiveText, removalWait } from "./seats";

const withoutPlace = ownWords(deviceWords.no_place);

/** One of the account's computers, with buttons. */
export function DeviceRow({ device, children }: { device: OwnDevice; children: ReactNode }) {
  const now = useNow();
  const wait = removalWait(device, now);
  const held = waitUntil(device.offline_until, now);
  return (
    <li className="flex flex-col gap-4 rounded-lg border bg-well p-4 @lg:flex-row @lg:items-center">
      <div className="flex min-w-0 flex-1 items-start gap-4">
        <span className="grid size-10 shrink-0 place-content-center rounded-lg bg-primary/12 text-link">
          <Laptop aria-hidden="true" className="size-5" />
        </span>
        <div className="flex min-w-0 flex-col gap-1 text-xs text-muted-foreground">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <h3 className="text-sm font-medium wrap-anywhere text-foreground">{device.label}</h3>
            {!device.active && <Badge tone={withoutPlace.tone}>{withoutPlace.word}</Badge>}
            {held && <Badge tone={deviceWords.offline_file.tone}>Offline until {formatDay(held.at)}</Badge>}
          </div>
          <p className="wrap-anywhere">
            {`${device.os}, ${device.version === null ? "never online" : `version ${device.version}`}`}
          </p>
          <p>
            First seen {formatTime(new Date(device.first_seen))}, last seen{" "}
            {formatTime(new Date(device.last_seen))}
          </p>
          {!device.active && <p>{inactiveText}</p>}
          {wait && <p>{wait.sentence}</p>}
        </div>
      </div>
      <div className="flex flex-wrap gap-3">{children}</div>
    </li>
  );
}

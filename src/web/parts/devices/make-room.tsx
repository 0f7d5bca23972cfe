import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Laptop } from "lucide-react";
import { Link } from "react-router";
import { brand } from "@/brand/brand";
import type { Me } from "@/contract/wire/accounts";
import type { OwnDevice } from "@/contract/wire/own-devices";
import { devicesQuery, useRemoveDevice } from "../../api/devices";
import { offersQuery } from "../../api/offers";
import { useNow } from "../../hooks/use-now";
import { Button } from "../../ui/button";
import { Skeleton } from "../../ui/skeleton";
import { Empty } from "../empty";
import { formatDay, formatTime } from "../format-time";
import { Loaded } from "../loaded";
import { RowsSkeleton } from "../rows-skeleton";
import { ShowMore } from "../show-more";
import { DeviceRow } from "./device-row";
import { askAboutDevice, removalWait } from "./seats";
import { RemoveDevice } from "./remove-device";

type Props = {
  user: Me;
  onRoom: () => void;
  /** Called when the visitor goes to another page to make room. */
  onLeave?: () => void;
};

/** Shown when the license allows no further computer: those it is on, one of which has to be removed, or other ways. */
export function MakeRoom({ user, onRoom, onLeave }: Props) {
  const list = useInfiniteQuery(devicesQuery);
  const removing = useRemoveDevice();
  // removing the others makes no room
  const active = list.data?.filter((device) => device.active) ?? [];
  const until = useFirstRemoval(active);
  return (
    <section className="flex flex-col gap-4" aria-label="Make room">
      <div className="flex flex-col gap-1">
        <h2 className="font-semibold">
          {`Your license is already on ${user.devices.places > 1 ? `${user.devices.places} computers` : "another computer"}`}
        </h2>
        {list.isPending ? (
          <Skeleton className="h-5" />
        ) : (
          <p className="text-sm text-pretty text-muted-foreground">
            {until === null
              ? `Remove one you no longer use, then continue here. ${brand.shortName} stops working there right away.`
              : `${active.length === 1 ? "It can't" : "None of them can"} be removed before ${dayOrTime(until)}.`}
          </p>
        )}
      </div>
      <Loaded
        query={list}
        skeleton={<RowsSkeleton rows={2} />}
        empty={<Empty icon={Laptop}>You have a free seat again. You can continue.</Empty>}
      >
        {() => (
          <ul className="@container flex flex-col gap-3" aria-label="Computers">
            {active.map((device) => (
              <DeviceRow key={device.id} device={device}>
                <RemoveDevice device={device} removing={removing} onRemoved={onRoom} />
              </DeviceRow>
            ))}
          </ul>
        )}
      </Loaded>
      <ShowMore list={list} />
      {until !== null && <OtherWays places={user.devices.places} onLeave={onLeave} />}
    </section>
  );
}

/** The day is enough, unless it is today. */
const dayOrTime = (at: Date): string =>
  formatDay(at) === formatDay(new Date()) ? formatTime(at) : formatDay(at);

/** From when the first of these computers may be removed; null if one may be now, or there is none. */
function useFirstRemoval(devices: readonly OwnDevice[]): Date | null {
  const now = useNow();
  const waits = devices.map((device) => removalWait(device, now)?.at.getTime() ?? 0);
  const first = waits.length === 0 ? 0 : Math.min(...waits);
  return first === 0 ? null : new Date(first);
}

/** The ways when no computer can be removed: a license for more computers, or support. */
function OtherWays({ places, onLeave }: { places: number; onLeave: (() => void) | undefined }) {
  const { data: offers = [] } = useQuery(offersQuery);
  const [larger] = offers
    .filter(({ devices, adds }) => devices > places && adds !== false)
    .toSorted((one, other) => one.devices - other.devices);
  return (
    <div className="flex flex-col gap-3">
      {larger && (
        <Button asChild>
          <Link to="/dashboard/license#buy" state={{ offer: larger.id }} onClick={onLeave}>
            {`Get ${larger.name}: ${larger.devices} computers`}
          </Link>
        </Button>
      )}
      <Button asChild variant={larger ? "outline" : "default"}>
        <Link to={askAboutDevice} onClick={onLeave}>
          Ask support
        </Link>
      </Button>
    </div>
  );
}

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Laptop, RefreshCw } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Me } from "@/contract/wire/accounts";
import { second } from "@/contract/vocabulary/time";
import { devicesQuery, useRemoveDevice } from "../../api/devices";
import { meQuery } from "../../api/session";
import { useNow } from "../../hooks/use-now";
import { cn } from "../../lib/utils";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Empty } from "../empty";
import { Loaded } from "../loaded";
import { RowsSkeleton } from "../rows-skeleton";
import { ShowMore } from "../show-more";
import { TitledCard } from "../titled-card";
import { DeviceRow } from "./device-row";
import { askAboutDevice, seatsText, removalWait } from "./seats";
import { RemoveDevice } from "./remove-device";
import { RenameDevice } from "./rename-device";

type Props = { user: Me; again: string; children?: ReactNode };

/** The account's computers, where its license allows several. `again` labels the refresh button. */
export function DevicesCard({ user, again, children }: Props) {
  const list = useInfiniteQuery(devicesQuery);
  // applications can add computers at any time, and the count is shown next to the list
  const me = useQuery({ ...meQuery, staleTime: 5 * second });
  const removing = useRemoveDevice();
  const now = useNow();
  const isStuck =
    user.devices.used >= user.devices.places &&
    list.data?.every((device) => removalWait(device, now) !== null) === true;
  const refreshing = (list.isFetching && !list.isFetchingNextPage) || me.isFetching;
  return (
    <TitledCard
      id="devices"
      title="Computers"
      aside={
        <output>
          <Badge tone="neutral">{seatsText(user.devices)}</Badge>
        </output>
      }
    >
      <Loaded
        query={list}
        skeleton={<RowsSkeleton rows={2} />}
        empty={<Empty icon={Laptop}>The next computer you sign in on is added automatically.</Empty>}
      >
        {(devices) => (
          <ul className="@container flex flex-col gap-3" aria-label="Computers">
            {devices.map((device) => (
              <DeviceRow key={device.id} device={device}>
                <RenameDevice device={device} />
                <RemoveDevice device={device} removing={removing} />
              </DeviceRow>
            ))}
          </ul>
        )}
      </Loaded>
      <ShowMore list={list} />
      {isStuck && (
        <p className="text-sm text-muted-foreground">
          Need another computer sooner?{" "}
          <Link to={askAboutDevice} className="text-link underline underline-offset-4">
            Ask support
          </Link>
        </p>
      )}
      <Button
        variant="outline"
        className="self-start"
        aria-busy={refreshing}
        onClick={() => void Promise.all([list.refetch(), me.refetch()])}
      >
        <RefreshCw aria-hidden="true" className={cn(refreshing && "animate-spin")} />
        {again}
      </Button>
      {children}
    </TitledCard>
  );
}

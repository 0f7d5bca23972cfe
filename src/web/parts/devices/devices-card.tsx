import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Laptop, RefreshCw } from "lucide-react";
import type { Me } from "@/contract/wire/accounts";
import { deviceResetDays } from "@/contract/vocabulary/devices";
import { second } from "@/contract/vocabulary/time";
import { devicesQuery, useRemoveDevice } from "../../api/devices";
import { meQuery } from "../../api/session";
import { cn } from "../../lib/utils";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Empty } from "../empty";
import { Loaded } from "../loaded";
import { RowsSkeleton } from "../rows-skeleton";
import { ShowMore } from "../show-more";
import { TitledCard } from "../titled-card";
import { DeviceRow } from "./device-row";
import { seatsText } from "./seats";
import { RemoveDevice } from "./remove-device";
import { RenameDevice } from "./rename-device";

/** The account's computers, where it has several seats. `again` labels the refresh button. */
export function DevicesCard({ user, again }: { user: Me; again: string }) {
  const list = useInfiniteQuery(devicesQuery);
  // applications can add computers at any time, and the count is shown next to the list
  const me = useQuery({ ...meQuery, staleTime: 5 * second });
  const removing = useRemoveDevice();
  const refreshing = (list.isFetching && !list.isFetchingNextPage) || me.isFetching;
  return (
    <TitledCard
      id="devices"
      title="Computers"
      description="The computers your license is used on."
      aside={
        <output>
          <Badge tone="neutral">{seatsText(user.devices)}</Badge>
        </output>
      }
    >
      <Loaded
        query={list}
        skeleton={<RowsSkeleton rows={2} />}
        empty={<Empty icon={Laptop}>The next computer you sign in on will be added automatically.</Empty>}
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
      <div className="flex flex-col gap-3 border-t pt-5 sm:flex-row sm:items-center">
        <p className="text-sm text-pretty text-muted-foreground">
          Removing a computer stops the application there and frees its place at once. In {deviceResetDays}{" "}
          days you can remove as many computers as you have places.
        </p>
        <Button
          variant="outline"
          className="sm:ml-auto"
          aria-busy={refreshing}
          onClick={() => void Promise.all([list.refetch(), me.refetch()])}
        >
          <RefreshCw aria-hidden="true" className={cn(refreshing && "animate-spin")} />
          {again}
        </Button>
      </div>
    </TitledCard>
  );
}

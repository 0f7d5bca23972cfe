import { useInfiniteQuery } from "@tanstack/react-query";
import { Laptop } from "lucide-react";
import { devicesQuery, useRemoveDevice } from "../../api/devices";
import { Empty } from "../empty";
import { Loaded } from "../loaded";
import { RowsSkeleton } from "../rows-skeleton";
import { ShowMore } from "../show-more";
import { DeviceRow } from "./device-row";
import { RemoveDevice } from "./remove-device";

/** Every place is taken: the account's computers, one of which has to go first. */
export function MakeRoom({ onRoom }: { onRoom: () => void }) {
  const list = useInfiniteQuery(devicesQuery);
  const removing = useRemoveDevice();
  return (
    <section className="flex flex-col gap-4" aria-label="Make room">
      <div className="flex flex-col gap-1">
        <h2 className="font-semibold">All places on your license are taken</h2>
        <p className="text-sm text-pretty text-muted-foreground">
          Remove a computer you no longer use, then continue here. The application stops there, and its place
          is free at once.
        </p>
      </div>
      <Loaded
        query={list}
        skeleton={<RowsSkeleton rows={2} />}
        empty={<Empty icon={Laptop}>No computer has a place anymore. You can continue.</Empty>}
      >
        {(devices) => (
          <ul className="@container flex flex-col gap-3" aria-label="Computers">
            {/* the others have no place that they could free */}
            {devices
              .filter(({ active }) => active)
              .map((device) => (
                <DeviceRow key={device.id} device={device}>
                  <RemoveDevice device={device} removing={removing} onRemoved={onRoom} />
                </DeviceRow>
              ))}
          </ul>
        )}
      </Loaded>
      <ShowMore list={list} />
    </section>
  );
}

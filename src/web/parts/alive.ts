import { useSyncExternalStore } from "react";

/** Whether scripts run already: a prerendered form can't be sent before. */
export function useAlive() {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
}

const neverChanges = () => () => {};

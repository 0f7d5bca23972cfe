import { useSyncExternalStore } from "react";

/** Whether scripts are running yet: a prerendered form can't be submitted before. */
export function useAlive() {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
}

const neverChanges = () => () => {};

import { useSyncExternalStore } from "react";

/** Whether scripts are running yet: a prerendered form can't be submitted before. */
export function useHydrated() {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
}

const neverChanges = () => () => {};

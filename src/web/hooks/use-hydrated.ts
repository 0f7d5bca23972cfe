import { useSyncExternalStore } from "react";

/** Whether the page is hydrated: prerendered buttons do nothing before. */
export function useHydrated() {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
}

const neverChanges = () => () => {};

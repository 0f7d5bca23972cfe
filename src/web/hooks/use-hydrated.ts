import { useSyncExternalStore } from "react";

/** Whether the page is hydrated: before that, prerendered buttons do nothing. */
export function useHydrated() {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
}

const neverChanges = () => () => {};

import type { QueryClient } from "@tanstack/react-query";
import { createContext } from "react";

/**
 * What one running app remembers. Whether somebody is signed in is known here too, for the pages that visitors read:
 * they come without the code that asks the server and keeps its answers (`queries.ts`).
 */
export type Memory = {
  /** Made when something is first asked for. */
  queries: QueryClient | undefined;
  /** Undefined until it is known. */
  signedIn: () => boolean | undefined;
  learnSignedIn: (signedIn: boolean | undefined) => void;
  /** Calls back whenever `signedIn` says something else; returns what ends that. */
  onSignedIn: (listener: () => void) => () => void;
};

/** `signedIn` is what the page itself tells, before anybody is asked. */
export function createMemory(signedIn?: boolean): Memory {
  const listeners = new Set<() => void>();
  return {
    queries: undefined,
    signedIn: () => signedIn,
    learnSignedIn(learned) {
      if (learned === signedIn) return;
      signedIn = learned;
      for (const listener of listeners) listener();
    },
    onSignedIn(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export const MemoryContext = createContext<Memory>(createMemory());

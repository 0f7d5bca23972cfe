import type { QueryClient } from "@tanstack/react-query";
import { createContext } from "react";

/**
 * What one running app remembers. Whether somebody is signed in is known here too, for the pages that visitors read:
 * they come without the code that asks the server and keeps its answers (`queries.ts`).
 */
export type Memory = {
  /** Whether the page told, when it came, that nobody was signed in. */
  readonly cameAsVisitor: boolean;
  /** Made when something is first asked for. */
  queries: QueryClient | undefined;
  /** Undefined until it is known. */
  signedIn: () => boolean | undefined;
  learnSignedIn: (signedIn: boolean | undefined) => void;
  /** Calls back whenever `signedIn` says something else; returns what ends that. */
  onSignedIn: (listener: () => void) => () => void;
};

export function createMemory(cameAsVisitor = false): Memory {
  const listeners = new Set<() => void>();
  let signedIn: boolean | undefined = cameAsVisitor ? false : undefined;
  return {
    cameAsVisitor,
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

/** Brings the code that asks, and finds out who is signed in; without that code the page is a visitor's. */
export async function findOutWhoIsHere(memory: Memory): Promise<void> {
  try {
    const { askWhoIsHere } = await import("./queries");
    askWhoIsHere(memory);
  } catch {
    memory.learnSignedIn(memory.signedIn() ?? false);
  }
}

export const MemoryContext = createContext<Memory>(createMemory());

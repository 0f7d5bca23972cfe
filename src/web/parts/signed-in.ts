import { use, useEffect, useSyncExternalStore } from "react";
import { findOutWhoIsHere, MemoryContext } from "../memory";

/**
 * Whether somebody is signed in, as far as the page can tell; undefined until scripts run or the answer is there.
 * Asked again when somebody comes back to the page: they may have signed in or out elsewhere.
 */
export function useSignedIn(): boolean | undefined {
  const memory = use(MemoryContext);
  const signedIn = useSyncExternalStore(memory.onSignedIn, memory.signedIn, neverKnown);
  useEffect(() => {
    if (signedIn === undefined) void findOutWhoIsHere(memory);
  }, [memory, signedIn]);
  useEffect(() => {
    const comeBack = () => document.visibilityState === "visible" && void findOutWhoIsHere(memory);
    document.addEventListener("visibilitychange", comeBack);
    return () => document.removeEventListener("visibilitychange", comeBack);
  }, [memory]);
  return signedIn;
}

const neverKnown = () => undefined;

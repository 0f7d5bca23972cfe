import { useSyncExternalStore } from "react";
import { stored } from "../page/stored";

/** What this browser saw an account do, and whether its owner closed the list of steps. */
export type NotedStep = "download" | "token" | "closed";

const notesOf = (accountId: string) => stored(`first-steps-${accountId}`, "browser");
const listeners = new Set<() => void>();

/** Remembers a step in this browser, for this account. */
export function noteStep(accountId: string, step: NotedStep) {
  const { recall, remember } = notesOf(accountId);
  const before = recall()?.split(" ") ?? [];
  if (before.includes(step)) return;
  remember([...before, step].join(" "));
  for (const notify of listeners) notify();
}

/** The steps done so far, kept up to date. */
export function useNotedSteps(accountId: string): readonly NotedStep[] {
  const notes = useSyncExternalStore(subscribe, notesOf(accountId).recall, () => null);
  return (["download", "token", "closed"] as const).filter((step) => notes?.split(" ").includes(step));
}

function subscribe(notify: () => void) {
  listeners.add(notify);
  return () => void listeners.delete(notify);
}

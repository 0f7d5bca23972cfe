import { type Query, type QueryClient, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useReducer } from "react";
import type { Me } from "@/contract/wire/accounts";
import { minute, second } from "@/contract/vocabulary/time";
import { useHydrated } from "../hooks/use-hydrated";
import { notify } from "../page/notices";
import { stored } from "../page/stored";
import { api, ask, Refused } from "./client";

/** The account that is signed in, or null. */
export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: ({ client }) => fetchMe(client),
  staleTime: minute,
});

/** Whether an account was created in this tab. */
export const justRegistered = stored("just_registered");

/** Whether somebody was signed in to this browser and did not sign out. */
export const signedInBefore = stored("signed-in", "browser");

export type Session =
  | { state: "loading" }
  | { state: "signed-in"; user: Me }
  | { state: "signed-out" }
  | { state: "unknown"; problem: Error; retry: () => void };

/**
 * The signed-in account. Fetched when the page loads, after signing in or out, and when a person returns to the tab
 * (a visitor after a minute), since they may have signed in or out elsewhere.
 */
export function useSession(): Session {
  const { data, error, isFetching, refetch } = useQuery(meQuery);
  // hydration must start like the prerendered page, which knows of no account
  const hydrated = useHydrated();
  if (!hydrated) return { state: "loading" };
  if (data) return { state: "signed-in", user: data };
  if (data === null) return { state: "signed-out" };
  if (error && !isFetching) return { state: "unknown", problem: error, retry: () => void refetch() };
  return { state: "loading" };
}

/**
 * Checks again who is signed in when a person returns to the page, or the browser restores it from its back/forward cache:
 * meanwhile the session may have ended, or somebody else may have signed in. Returns how often the page has changed to
 * another account.
 */
export function useSessionRecheck(): number {
  const queries = useQueryClient();
  const [turns, turn] = useReducer((before: number) => before + 1, 0);
  useEffect(() => {
    onTurn = turn;
    const look = async ({ type, persisted }: Event & { persisted?: boolean }) => {
      const shown = shownAccountId(queries);
      if (type === "pageshow") {
        if (!persisted) return;
        await recheckSession(queries);
        if (shownAccountId(queries) === shown) await queries.invalidateQueries({ predicate: isOfAccount });
      } else if (shown && document.visibilityState === "visible") await recheckSession(queries, 5 * second);
    };
    // what can't be asked stays as it is
    const onEvent = (event: Event) => void look(event).catch(() => {});
    const stop = new AbortController();
    for (const name of ["pageshow", "focus", "visibilitychange"])
      addEventListener(name, onEvent, { signal: stop.signal });
    return () => stop.abort();
  }, [queries]);
  return turns;
}

/** Redraws the page. */
let onTurn = () => {};

/** Asks who is signed in, unless the last answer is newer than `staleTime`, and shows the page for them. */
export const recheckSession = (queries: QueryClient, staleTime = 0) =>
  queries.query({ ...meQuery, staleTime });

/** The id of the account that the page shows. */
export const shownAccountId = (queries: QueryClient) => queries.getQueryData<Me | null>(["me"])?.id;

/** Shows whoever is signed in now, and nothing of the account before: no answer, no dialog and nothing typed. */
function turnTo(queries: QueryClient, now: Me | null) {
  queries.setQueryData(["me"], now);
  forgetEverything(queries);
  queries.getMutationCache().clear();
  justRegistered.forget();
  onTurn();
  const news = now
    ? `You are now signed in as ${now.username} in this browser.`
    : "You are no longer signed in on this browser.";
  notify("warning", news);
}

/** The next account must not see the previous one's data. */
export function forgetEverything(queries: QueryClient, which: { type?: "inactive" } = {}) {
  window.earlyAnswers?.clear();
  queries.removeQueries({ predicate: isOfAccount, ...which });
}

const isOfAccount = ({ queryKey }: Query) => queryKey[0] !== meQuery.queryKey[0];

async function fetchMe(queries: QueryClient): Promise<Me | null> {
  const before = queries.getQueryData<Me | null>(["me"]);
  const now = await readMe().catch((error: unknown) => {
    if (error instanceof Refused && error.code === "unauthenticated") return null;
    throw error;
  });
  // else the page itself has signed somebody in or out meanwhile
  const isElsewhere = shownAccountId(queries) === before?.id && now?.id !== before?.id;
  if (before && isElsewhere) turnTo(queries, now);
  if (before === null && isElsewhere) {
    // answers to the account that the page showed before, and to nobody
    forgetEverything(queries, { type: "inactive" });
    void queries.invalidateQueries({ predicate: isOfAccount });
  }
  return now;
}

/** @throws {Refused} `unauthenticated`: nobody is signed in */
export async function readMe(): Promise<Me> {
  const { data } = await ask(api.user.me.$get());
  signedInBefore.remember("1");
  return data;
}

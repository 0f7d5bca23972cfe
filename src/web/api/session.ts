import {
  type Query,
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useEffect } from "react";
import type { LoginBody, Me, RegisterBody } from "@/contract/wire/accounts";
import type { InvitationBody, JoinBody } from "@/contract/wire/desk/staff";
import { minute } from "@/contract/vocabulary/time";
import { useHydrated } from "../hooks/use-hydrated";
import { stored } from "../page/stored";
import { api, ask, Refused } from "./client";

/** The account that is signed in, or null. */
export const meQuery = queryOptions({ queryKey: ["me"], queryFn: fetchMe, staleTime: minute });

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
 * The signed-in account. Fetched when the page loads, after signing in or out, and when the visitor returns to the tab
 * after a minute, since they may have signed in or out elsewhere.
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
 * Looks again at what a page shows that the browser brings back as it was left (its back/forward cache): meanwhile the
 * session may have ended, or somebody else may have signed in.
 */
export function useLookAgain() {
  const queries = useQueryClient();
  useEffect(() => {
    const onShow = ({ persisted }: PageTransitionEvent) => {
      // what can't be asked stays as it is
      if (persisted) lookAgain(queries).catch(() => {});
    };
    addEventListener("pageshow", onShow);
    return () => removeEventListener("pageshow", onShow);
  }, [queries]);
}

async function lookAgain(queries: QueryClient) {
  const before = queries.getQueryData(meQuery.queryKey)?.id;
  const now = await queries.query({ ...meQuery, staleTime: 0 });
  const others = { predicate: isOfAccount };
  await (now?.id === before ? queries.invalidateQueries(others) : queries.resetQueries(others));
}

/** Signs in, then fetches the account. If that fails, rejects with the sentence to show, and nobody is signed in. */
export function useLogin() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (typed: LoginBody) => {
      await ask(api.auth.login.$post({ json: typed }));
      await enter(queries);
    },
  });
}

/** Creates the account and signs in; fails like {@link useLogin}. */
export function useRegister() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (typed: RegisterBody) => {
      await ask(api.auth.register.$post({ json: typed }));
      justRegistered.remember("1");
      await enter(queries);
    },
  });
}

/** Creates the account of an invited member of staff and signs in. */
export function useAcceptInvitation() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (typed: InvitationBody) => {
      await ask(api.invitation.$post({ json: typed }));
      await enter(queries);
    },
  });
}

/** Accepts an invitation to the staff with the account that is signed in. */
export function useJoinStaff() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (json: JoinBody) => ask(api.invitation.join.$post({ json })),
    onSuccess: () => queries.invalidateQueries({ queryKey: meQuery.queryKey }),
  });
}

/** Ends the session and clears the cache, even if the server can't be reached. */
export function useLogout() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => ask(api.auth.logout.$post()),
    onSettled: (_, problem) => {
      justRegistered.forget();
      signedInBefore.forget();
      queries.clear();
      if (!problem) queries.setQueryData(meQuery.queryKey, null);
      // if the server could not be reached, the session may still exist
      else queries.query(meQuery).catch(() => {});
    },
  });
}

async function enter(queries: QueryClient) {
  forgetEverything(queries);
  try {
    queries.setQueryData(meQuery.queryKey, await readMe());
  } catch (error) {
    queries.setQueryData(meQuery.queryKey, null);
    throw error;
  }
}

/** The next account must not see the previous one's data. */
function forgetEverything(queries: QueryClient) {
  queries.removeQueries({ predicate: isOfAccount });
}

const isOfAccount = ({ queryKey }: Query) => queryKey[0] !== meQuery.queryKey[0];

async function fetchMe(): Promise<Me | null> {
  try {
    return await readMe();
  } catch (error) {
    if (error instanceof Refused && error.code === "unauthenticated") return null;
    throw error;
  }
}

async function readMe(): Promise<Me> {
  const { data } = await ask(api.user.me.$get());
  signedInBefore.remember("1");
  return data;
}

import { type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { DeskMe } from "@/contract/wire/desk/staff";
import { minute } from "@/contract/vocabulary/time";
import { Refused } from "../client";
import { meQuery } from "../session";
import { readDesk, writeDesk } from "./call";
import { refetchWhenTouched, pollWhileTouched } from "./presence";

export type StaffRole = DeskMe["role"];

/** Who is on the desk; null before the code is entered. */
export const deskMeQuery = queryOptions({
  queryKey: ["desk", "me"],
  queryFn: async (): Promise<DeskMe | null> => {
    try {
      return await readDesk<DeskMe>("me");
    } catch (problem) {
      if (problem instanceof Refused && problem.code === "unauthenticated") return null;
      throw problem;
    }
  },
  staleTime: minute,
  refetchInterval: ({ state }) => (state.data ? pollWhileTouched(minute)() : false),
  ...refetchWhenTouched,
});

/** Enters the desk with a code of the authenticator. */
export function useEnter() {
  const queries = useQueryClient();
  return useMutation({
    mutationKey: ["desk", "enter"],
    mutationFn: (security_code: string) => writeDesk("enter", { security_code }),
    onSuccess: () => queries.query({ ...deskMeQuery, staleTime: 0 }),
  });
}

/** Confirms with a code that it is still the same person. */
export function useConfirm() {
  const queries = useQueryClient();
  return useMutation({
    mutationKey: ["desk", "confirm"],
    mutationFn: (security_code: string) => writeDesk("confirm", { security_code }),
    onSuccess: () => void queries.invalidateQueries({ queryKey: deskMeQuery.queryKey }),
  });
}

/** Leaves the desk; the account stays signed in. */
export function useLeave() {
  const queries = useQueryClient();
  return useMutation({
    mutationKey: ["desk", "leave"],
    mutationFn: () => writeDesk("leave"),
    onSuccess: () => forgetDesk(queries),
  });
}

/** Forgets what the desk showed, and finds out whether the account is still signed in. */
export function forgetDesk(queries: QueryClient) {
  queries.setQueryData(deskMeQuery.queryKey, null);
  queries.removeQueries({
    predicate: ({ queryKey: [first, second] }) => first === "desk" && second !== "me",
  });
  void queries.invalidateQueries({ queryKey: meQuery.queryKey });
}

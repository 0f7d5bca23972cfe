import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import type { LoginBody, RegisterBody } from "@/contract/accounts";
import type { InvitationBody, JoinBody } from "@/contract/desk/staff";
import { api, ask } from "./client";
import { forgetEverything, justRegistered, meQuery, readMe, signedInBefore } from "./session";

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

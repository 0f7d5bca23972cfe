import { type QueryClient, queryOptions, useMutation } from "@tanstack/react-query";
import { useChange } from "./change";
import { api, ask } from "./client";

const key = ["discord"];

/** The connected Discord user, and why the role is granted or not. Polls while the role is pending. */
export const discordQuery = queryOptions({
  queryKey: key,
  queryFn: async () => (await ask(api.discord.me.$get())).data,
  refetchInterval: ({ state }) => (state.data?.role.reason === "pending" ? 4_000 : false),
});

/** Resolves to the URL of Discord's authorization page. */
export const useAuthorize = () =>
  useMutation({
    mutationFn: async () => (await ask(api.functions["get-discord-oauth-url"].$get())).url,
  });

export const useDeauthorize = () =>
  useChange(
    () => ask(api.discord.deauth.$post()),
    () => ({ discord_authed: false }),
  );

/** The parameters with which Discord redirected the browser. */
export type OAuthReturn = { code: string; state: string };

/**
 * Sends the parameters to the server once; sending the same code again returns the present state. A refusal carries
 * its headline in `title`.
 */
export const discordCallbackQuery = (returned: OAuthReturn | null) =>
  queryOptions({
    queryKey: ["discord-callback", returned],
    enabled: returned !== null,
    queryFn: async ({ client }) => {
      if (!returned) throw new Error("There is nothing to send");
      const answer = await ask(api.discord.auth.callback.$post({ json: returned }));
      void refreshAccount(client);
      return { title: answer.status_message, text: answer.data };
    },
    staleTime: Infinity,
    retry: false,
    refetchOnReconnect: false,
  });

const refreshAccount = (queries: QueryClient) =>
  queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "discord-callback" });

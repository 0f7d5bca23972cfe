import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { useChange } from "./change";
import { api, ask } from "./client";
import { meQuery } from "./session";

/** Present only if two-factor needs a code. */
type Code = { security_code?: string };

export const useResetToken = () =>
  useChange(
    async () => (await ask(api.user.info.reset.token.$post())).data,
    ({ api_key }) => ({ api_key }),
  );

/** Asks for another address; resolves to the sentence that says what to do. */
export const useChangeEmail = () =>
  useChange((typed: { email: string; password: string } & Code) =>
    ask(api.user.email.reset.$post({ json: typed })),
  );

/** Confirms with the mailed code; without it, has a new link and code mailed. */
export const useConfirmByCode = () =>
  useChange(
    async (code?: string) => (await ask(api.user.email.confirm.$post({ json: code ? { code } : {} }))).data,
  );

/** Confirms the address of a mailed link, and resolves to it. */
export function useConfirmEmail() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (token: string) => {
      const { data } = await ask(api.user.email.confirm.$post({ json: { token } }));
      return data.email;
    },
    // the visitor may be signed in to that account
    onSuccess: () => queries.invalidateQueries({ queryKey: meQuery.queryKey }),
  });
}

/** Ends the request of a mailed link. */
export const useDeclineEmail = () =>
  useMutation({ mutationFn: (token: string) => ask(api.user.email.decline.$post({ json: { token } })) });

/** Ends every other session of the account. */
export const useChangePassword = () =>
  useChange((typed: { old_password: string; new_password: string; renew_token?: boolean } & Code) =>
    ask(api.user.password.reset.$post({ json: typed })),
  );

/** The device the account is bound to, or null. */
export const deviceQuery = queryOptions({
  queryKey: ["device"],
  queryFn: async () => (await ask(api.user.device.$get())).data,
});

export const useResetDevice = () =>
  useChange(
    () => ask(api.user.info.reset.hwid.$post()),
    () => ({ hwid_set: false, last_reset: new Date().toISOString() }),
  );

/** Everything stored about the account. */
export const useExport = () =>
  useMutation({ mutationFn: async () => (await ask(api.user.export.$get())).data });

/** Refetches nothing, because the caller navigates away. */
export const useDeleteAccount = () =>
  useMutation({
    mutationFn: (typed: { password: string } & Code) => ask(api.user.delete.$post({ json: typed })),
  });

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

export const useChangeEmail = () =>
  useChange(
    (typed: { email: string; password: string } & Code) => ask(api.user.email.reset.$post({ json: typed })),
    (_, { email }) => ({ email }),
  );

/** Ends the time in which the email change can be undone. */
export const useKeepEmail = () =>
  useChange((security_code: string) => ask(api.user.email.keep.$post({ json: { security_code } })));

/** Restores an account's previous email address and resolves to it. Ends every session of the account. */
export function useUndoEmail() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (token: string) => {
      const { data } = await ask(api.user.email.undo.$post({ json: { token } }));
      return data.email;
    },
    onSuccess: () => {
      queries.clear();
      queries.setQueryData(meQuery.queryKey, null);
    },
  });
}

/** Gives an account the address confirmed by its emailed link, and resolves to that address. */
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

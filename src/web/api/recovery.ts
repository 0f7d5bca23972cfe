import { useMutation } from "@tanstack/react-query";
import type { RecoveryProof } from "@/contract/wire/recovery";
import { api, ask } from "./client";

/** Emails a code to an address; the answer is the same whether or not it has an account. */
export const useSendCode = () =>
  useMutation({
    mutationFn: (email: string) => ask(api.user.password.forgot.$get({ query: { email } })),
  });

export const useVerifyCode = () =>
  useMutation({
    mutationFn: (typed: { email: string; code: string }) =>
      ask(api.user.password.forgot.$post({ json: typed })),
  });

/** Verifies this browser by the mailed link's token, and resolves to it. */
export const useVerifyLink = () =>
  useMutation({
    mutationFn: async (token: string) => {
      await ask(api.user.password.forgot.$post({ json: { token } }));
      return token;
    },
  });

export const useChoosePassword = () =>
  useMutation({
    mutationFn: (typed: RecoveryProof & { password: string; security_code?: string }) =>
      ask(api.user.password["forgot-reset"].$post({ json: typed })),
  });

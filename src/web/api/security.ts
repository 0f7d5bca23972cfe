import { useMutation } from "@tanstack/react-query";
import { useChange } from "./change";
import { api, ask } from "./client";
import { listQuery } from "./list";

/** Proves the password, and with two-factor a code, after a refusal because neither was typed lately. */
export const useReauthenticate = () =>
  useMutation({
    mutationFn: (typed: { password: string; security_code?: string }) =>
      ask(api.user.reauthenticate.$post({ json: typed })),
  });

/** A new authenticator to scan; nothing changes until its first code is sent back. */
export const useOfferAuthenticator = () =>
  useMutation({
    mutationFn: async (password: string) =>
      (await ask(api.user.mfa.reset.$post({ json: { password } }))).data,
  });

/** Resolves to the recovery codes, which can't be shown again. */
export const useEnableMfa = () =>
  useChange(
    async (security_code: string) =>
      (await ask(api.user.mfa.enable.$post({ json: { security_code } }))).data.recovery_codes,
    () => ({ mfa: true }),
  );

export const useRemoveMfa = () =>
  useChange(
    (typed: { security_code: string; password?: string }) => ask(api.user.mfa.remove.$post({ json: typed })),
    () => ({ mfa: false }),
  );

/** The account's sessions, most recently seen first. */
export const sessionsQuery = listQuery("sessions", (query) => ask(api.user.sessions.$get({ query })));

export const useEndSession = () =>
  useChange((id: string) => ask(api.user.sessions.end.$post({ json: { id } })));

export const useEndOtherSessions = () =>
  useChange((renew_token: boolean) => ask(api.user.sessions["end-others"].$post({ json: { renew_token } })));

/** The account's security events, newest first. */
export const securityEventsQuery = listQuery("security-events", (query) =>
  ask(api.user["security-events"].$get({ query })),
);

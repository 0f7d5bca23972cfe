import type { UseMutationResult } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { useLocation, useNavigate } from "react-router";
import { useHydrated } from "../hooks/use-hydrated";
import { Skeleton } from "../ui/skeleton";
import { AuthFrame, AuthHeading } from "./auth-frame";
import { FormAlert } from "./form-alert";
import { PatientButton } from "./patient-button";

/** A page linked from an email. It needs a click, because mail scanners open links too. */
export function MailedLink(props: {
  title: string;
  /** What a click does. */
  lead: string;
  action: string;
  doing: string;
  /** Sends the link's token and resolves to the account's address. */
  mutation: UseMutationResult<string, Error, string>;
  /** Further actions, with the link's token. */
  renderBeside: (token: string) => ReactNode;
  /** Replaces the button on success. */
  renderDone: (email: string) => ReactNode;
}) {
  const { mutation } = props;
  const token = useLinkToken();
  // the prerendered page lacks the token, which servers never see
  const hydrated = useHydrated();
  return (
    <AuthFrame>
      {mutation.isSuccess ? (
        props.renderDone(mutation.data)
      ) : (
        <>
          <AuthHeading title={props.title}>{props.lead}</AuthHeading>
          <div className="flex flex-col gap-5">
            <FormAlert problem={token || !hydrated ? mutation.error : incompleteLink} />
            {!hydrated && <Skeleton className="h-10" />}
            {token && (
              <PatientButton call={mutation} doing={props.doing} onClick={() => mutation.mutate(token)}>
                {props.action}
              </PatientButton>
            )}
            {token && props.renderBeside(token)}
          </div>
        </>
      )}
    </AuthFrame>
  );
}

export const incompleteLink = new Error("This link is incomplete. Please open it from the email again.");

/** The link's token, moved from the URL into the history entry at once, which only this tab can read. */
export function useLinkToken(): string {
  const { pathname, hash, state } = useLocation();
  const navigate = useNavigate();
  const hydrated = useHydrated();
  const token = hydrated ? hash.slice(1) || rememberedToken(state) : "";
  useEffect(() => {
    if (token && hash !== "") void navigate(pathname, { replace: true, state: { token } });
  }, [hash, pathname, token, navigate]);
  return token;
}

function rememberedToken(state: unknown): string {
  const token: unknown = typeof state === "object" && state !== null ? Reflect.get(state, "token") : "";
  return typeof token === "string" ? token : "";
}

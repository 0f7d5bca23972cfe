import { type ReactNode, useEffect } from "react";
import { texts } from "@/contract/texts";
import { useAuthorize, useDeauthorize } from "../../../api/discord";
import { toastSuccess, toastFailure } from "../../../parts/account/toasts";
import { PatientButton } from "../../../parts/patient-button";
import { Button } from "../../../ui/button";
import { Tooltip, TooltipContent, TooltipTrigger } from "../../../ui/tooltip";

/** Opens Discord's page, where the visitor links the account. */
export function AuthorizeButton({ licensed }: { licensed: boolean }) {
  const authorize = useAuthorize();
  const { reset } = authorize;
  useEffect(() => {
    // the browser's Back restores this page in its pending state
    const onShow = (event: PageTransitionEvent) => event.persisted && reset();
    addEventListener("pageshow", onShow);
    return () => removeEventListener("pageshow", onShow);
  }, [reset]);
  if (!licensed) return <Locked>Authorize</Locked>;
  return (
    <PatientButton
      // still pending until the browser has left the page
      pending={authorize.isPending || authorize.isSuccess}
      doing="Authorizing…"
      problem={authorize.error}
      onClick={() =>
        authorize.mutate(undefined, {
          onSuccess: (url) => location.assign(url),
          onError: (problem) => toastFailure(problem, texts.authorizationFailed),
        })
      }
    >
      Authorize
    </PatientButton>
  );
}

export function DeauthorizeButton({ licensed }: { licensed: boolean }) {
  const deauthorize = useDeauthorize();
  if (!licensed) return <Locked>Deauthorize</Locked>;
  return (
    <PatientButton
      variant="outline"
      pending={deauthorize.isPending}
      doing="Deauthorizing…"
      problem={deauthorize.error}
      onClick={() =>
        deauthorize.mutate(undefined, {
          onSuccess: () => toastSuccess("Disconnected your Discord account"),
          onError: (problem) => toastFailure(problem, texts.deauthorizationFailed),
        })
      }
    >
      Deauthorize
    </PatientButton>
  );
}

/** Disabled without an active licence, but focusable, so that keyboard users reach its tooltip. */
function Locked({ children }: { children: ReactNode }) {
  return (
    <Tooltip>
      <TooltipTrigger asChild>
        <Button
          variant="outline"
          aria-disabled="true"
          className="cursor-not-allowed! opacity-60 active:translate-y-0"
        >
          {children}
        </Button>
      </TooltipTrigger>
      <TooltipContent>{texts.roleLocked}</TooltipContent>
    </Tooltip>
  );
}

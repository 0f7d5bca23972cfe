import { type ReactNode, useEffect } from "react";
import type { Me } from "@/contract/wire/accounts";
import { texts } from "@/contract/vocabulary/texts";
import { useAuthorize, useDeauthorize } from "../../../api/discord";
import { ProveDialog } from "../../../parts/account/prove-dialog";
import { wantsPassword } from "../../../parts/account/refusals";
import { toastSuccess, toastFailure } from "../../../parts/account/toasts";
import { PatientButton } from "../../../parts/patient-button";
import { Button } from "../../../ui/button";
import { Tooltip, TooltipContent, TooltipTrigger } from "../../../ui/tooltip";

/** Opens Discord's page, where the visitor links the account, once they have proved that it is theirs. */
export function AuthorizeButton({ user }: { user: Me }) {
  const authorize = useAuthorize();
  const { reset } = authorize;
  useEffect(() => {
    // the browser's Back restores this page in its pending state
    const onShow = (event: PageTransitionEvent) => event.persisted && reset();
    addEventListener("pageshow", onShow);
    return () => removeEventListener("pageshow", onShow);
  }, [reset]);
  if (!user.active_license) return <Locked>Authorize</Locked>;
  const begin = () =>
    authorize.mutate(undefined, {
      onSuccess: (url) => location.assign(url),
      onError: (problem) => wantsPassword(problem) || toastFailure(problem, texts.authorizationFailed),
    });
  return (
    <>
      <PatientButton
        // still pending until the browser has left the page
        pending={authorize.isPending || authorize.isSuccess}
        doing="Authorizing…"
        problem={authorize.error}
        onClick={begin}
      >
        Authorize
      </PatientButton>
      <ProveDialog
        user={user}
        doing="Connecting a Discord user"
        problem={authorize.error}
        onProved={begin}
        onClose={reset}
      />
    </>
  );
}

export function DeauthorizeButton({ licensed }: { licensed: boolean }) {
  const deauthorize = useDeauthorize();
  if (!licensed) return <Locked>Deauthorize</Locked>;
  return (
    <PatientButton
      variant="outline"
      call={deauthorize}
      doing="Deauthorizing…"
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

import type { UseMutationResult } from "@tanstack/react-query";
import type { MfaSetup } from "@/contract/wire/security";
import { texts } from "@/contract/vocabulary/texts";
import { Refused } from "../../../api/client";
import { useEnableMfa } from "../../../api/security";
import { Button } from "../../../ui/button";
import { Skeleton } from "../../../ui/skeleton";
import { CopyButton } from "../../copy-button";
import { useFilledForm } from "../../../hooks/use-filled-form";
import { ownSystem } from "../../own-system";
import { useProblemToast } from "../../use-problem-toast";
import { PatientButton } from "../../patient-button";
import { Problem } from "../../problem";
import { useCodeBoxes } from "../refusals";
import { toastSuccess } from "../toasts";
import { SecurityCode } from "../security-code";
import { refuseIncomplete, toastNotVerified } from "./code-problems";

export type Offer = UseMutationResult<MfaSetup, Error, string>;

/** The QR code to scan, and the boxes for the first code. */
export function ScanStep({ offer, onEnabled }: { offer: Offer; onEnabled: (codes: string[]) => void }) {
  const { data, error, mutate, variables: password = "" } = offer;
  useProblemToast(error, texts.mfaQrFailed);
  const again = () => mutate(password);
  if (error) return <Problem problem={error} retry={again} />;
  return (
    <>
      <Authenticator setup={data} />
      <EnableForm onEnabled={onEnabled} onExpired={again} />
    </>
  );
}

function Authenticator({ setup }: { setup: MfaSetup | undefined }) {
  // which can't scan its own screen
  const isPhone = ownSystem() === undefined;
  return (
    <div className="flex flex-col items-center gap-4">
      {setup ? (
        <img
          src={setup.qr}
          alt="QR code for your authenticator app"
          width={192}
          height={192}
          className="size-48 rounded-lg bg-white"
        />
      ) : (
        <output aria-label="Loading">
          <Skeleton className="size-48 rounded-lg" />
        </output>
      )}
      {isPhone && (
        <Button asChild variant="outline" className="w-full">
          <a href={setup?.otpauth}>Open your authenticator app</a>
        </Button>
      )}
      <div className="w-full">
        <p className="text-center text-xs text-muted-foreground">
          Can&apos;t scan it? Type this into the app:
        </p>
        <div className="mt-1 flex min-h-11 items-center justify-center gap-1">
          {setup ? (
            <>
              <code className="text-center font-mono text-[0.8125rem] leading-relaxed text-balance">
                {inGroups(setup.secret)}
              </code>
              <CopyButton text={setup.secret} label="Copy secret" />
            </>
          ) : (
            <Skeleton className="h-5 w-64" />
          )}
        </div>
      </div>
    </div>
  );
}

const fields = ["security_code"] as const;

function EnableForm(props: { onEnabled: (codes: string[]) => void; onExpired: () => void }) {
  const enable = useEnableMfa();
  const { boxes, refused } = useCodeBoxes();
  const send = (code: string) => {
    if (enable.isPending) return;
    enable.mutate(code, {
      onSuccess: (codes) => {
        toastSuccess(texts.mfaEnabled);
        props.onEnabled(codes);
      },
      onError: (problem) => {
        refused(problem);
        toastNotVerified(problem, fields);
        if (problem instanceof Refused && problem.code === "mfa_setup_expired") props.onExpired();
      },
    });
  };
  const { form, wrong } = useFilledForm(fields, ({ security_code }) => send(security_code), {
    problem: enable.error,
    check: refuseIncomplete,
  });
  return (
    <form className="flex flex-col gap-5" aria-label="Enable two-factor" {...form}>
      <SecurityCode focusFirst boxes={boxes} wrong={wrong("security_code")} submits />
      <PatientButton type="submit" call={enable} doing="Checking…">
        Enable
      </PatientButton>
    </form>
  );
}

/** In groups of four, which are easier to type; authenticator apps ignore the spaces. */
const inGroups = (secret: string) => secret.match(/.{1,4}/g)?.join(" ") ?? secret;

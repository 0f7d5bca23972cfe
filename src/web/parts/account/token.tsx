import { Copy, Eye, EyeOff, RotateCcw } from "lucide-react";
import { useState } from "react";
import { brand } from "@/brand/brand";
import { texts } from "@/contract/vocabulary/texts";
import { useResetToken } from "../../api/account";
import { ConfirmButton } from "./confirm-button";
import { toastSuccess, toastFailure } from "./toasts";
import { copyText } from "../clipboard";
import { notify } from "../../page/notices";
import { TitledCard } from "../titled-card";
import { Button } from "../../ui/button";
import { Input } from "../../ui/input";
import { Label } from "../../ui/label";

/** The application's auth token: hidden until shown, to copy or reset. */
export function Token({ token }: { token: string | null }) {
  const [shown, show] = useState(false);
  const copy = async () => {
    if (token !== null && (await copyText(token))) return toastSuccess(texts.tokenCopied);
    notify("error", texts.tokenCopyFailed, "account");
  };
  return (
    <TitledCard
      title="Auth token"
      description={`${brand.shortName} signs in with it. Keep it private: anyone who has it can use your license.`}
    >
      <div className="flex flex-col gap-3 lg:flex-row">
        <div className="relative flex-1">
          <Label htmlFor="auth-token" className="sr-only">
            Auth token
          </Label>
          <Input
            id="auth-token"
            readOnly
            value={token === null ? texts.tokenMissing : shown ? token : "•".repeat(32)}
            className="truncate pr-12 font-mono"
          />
          {token !== null && (
            <button
              type="button"
              aria-label={shown ? "Hide auth token" : "Show auth token"}
              onClick={() => show(!shown)}
              className="absolute top-0 right-0 grid size-11 place-content-center rounded-md text-muted-foreground hover:text-foreground md:size-10"
            >
              {shown ? (
                <EyeOff aria-hidden="true" className="size-4" />
              ) : (
                <Eye aria-hidden="true" className="size-4" />
              )}
            </button>
          )}
        </div>
        <div className="grid grid-cols-2 gap-3">
          <Button variant="outline" disabled={token === null} onClick={() => void copy()}>
            <Copy aria-hidden="true" />
            Copy
          </Button>
          <ResetToken first={token === null} />
        </div>
      </div>
    </TitledCard>
  );
}

function ResetToken({ first }: { first: boolean }) {
  const reset = useResetToken();
  return (
    <ConfirmButton
      variant="outline"
      call={reset}
      doing="Resetting…"
      // the first token replaces nothing
      asks={!first}
      title="Reset your auth token?"
      warning={`${brand.shortName} is signed out everywhere until you enter the new token.`}
      action="Reset"
      onConfirm={() =>
        reset.mutate(undefined, {
          onSuccess: () => toastSuccess(texts.tokenReset),
          onError: (problem) => toastFailure(problem, texts.tokenResetFailed),
        })
      }
    >
      <RotateCcw aria-hidden="true" />
      Reset
    </ConfirmButton>
  );
}

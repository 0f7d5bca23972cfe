import { LogIn } from "lucide-react";
import { signedInBefore } from "../../api/session";

/** Why a visitor who wanted another page is asked to sign in. */
export function SentHere() {
  return (
    <output className="mb-5 flex items-center gap-3 rounded-lg border border-info/35 bg-info/10 px-4 py-3 text-sm text-info-alert">
      <LogIn aria-hidden="true" className="size-4 shrink-0 text-info" />
      <span>{signedInBefore.recall() ? "You were signed out. Sign in to go on." : "Sign in to go on."}</span>
    </output>
  );
}

import { texts } from "@/contract/vocabulary/texts";
import { Refused } from "../../../api/client";
import { notify } from "../../../page/notices";
import { isWrongCode } from "../refusals";
import { isAtField, toastFailure } from "../toasts";

/** Refuses a code that is neither six digits nor long enough for a recovery code, with a toast. */
export function refuseIncomplete({ security_code }: { security_code: string }) {
  if (security_code === "" || security_code.length >= 6) return {};
  notify("error", texts.mfaInvalid, "account");
  return { security_code: texts.mfaInvalid };
}

/** Shows why a code failed to turn two-factor on or off, by a form with these fields. */
export function toastNotVerified(problem: Error, fields: readonly string[]) {
  if (isWrongCode(problem)) return toastFailure(problem, texts.mfaInvalid);
  const answered = problem instanceof Refused && problem.status < 500;
  if (!answered) return toastFailure(problem, texts.mfaVerifyError);
  if (isAtField(problem, fields)) return;
  const wordless = problem.message === "" || problem.message === texts.unknownError;
  toastFailure(problem, wordless ? texts.mfaVerifyFailed : problem.message);
}

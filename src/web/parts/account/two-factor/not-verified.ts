import { texts } from "@/contract/texts";
import { Refused } from "../../../api/client";
import { isWrongCode } from "../refusals";
import { toastFailure } from "../toasts";

/** Shows why a code failed to turn two-factor on or off. */
export function toastNotVerified(problem: Error) {
  if (isWrongCode(problem)) return toastFailure(problem, texts.mfaInvalid);
  const answered = problem instanceof Refused && problem.status < 500;
  if (!answered) return toastFailure(problem, texts.mfaVerifyError);
  const wordless = problem.message === "" || problem.message === texts.unknownError;
  toastFailure(problem, wordless ? texts.mfaVerifyFailed : problem.message);
}

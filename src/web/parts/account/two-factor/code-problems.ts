import { texts } from "@/contract/texts";
import { Refused } from "../../../api/client";
import { notify } from "../../notices";
import { isWrongCode } from "../refusals";
import { toastFailure } from "../toasts";

/** Six digits, or something longer, which is a recovery code. */
export const isCompleteCode = (text: string) => text.length >= 6;

export const toastIncomplete = () => notify("error", texts.mfaInvalid, "account");

/** Shows why a code failed to turn two-factor on or off. */
export function toastNotVerified(problem: Error) {
  if (isWrongCode(problem)) return toastFailure(problem, texts.mfaInvalid);
  const answered = problem instanceof Refused && problem.status < 500;
  if (!answered) return toastFailure(problem, texts.mfaVerifyError);
  const wordless = problem.message === "" || problem.message === texts.unknownError;
  toastFailure(problem, wordless ? texts.mfaVerifyFailed : problem.message);
}

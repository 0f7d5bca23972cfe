import { texts } from "@/contract/texts";
import { Refused } from "../../../api/client";
import { isWrongCode } from "../refusals";
import { sayFailed } from "../say";

/** Shows why a code failed to turn two-factor on or off. */
export function sayNotVerified(problem: Error) {
  if (isWrongCode(problem)) return sayFailed(problem, texts.mfaInvalid);
  const answered = problem instanceof Refused && problem.status < 500;
  if (!answered) return sayFailed(problem, texts.mfaVerifyError);
  const wordless = problem.message === "" || problem.message === texts.unknownError;
  sayFailed(problem, wordless ? texts.mfaVerifyFailed : problem.message);
}

import { isRateLimited } from "../../api/client";
import { notify } from "../notices";

/** Shows an error toast in the account area; uses the server's own words when it rate-limits. */
export function toastFailure(problem: Error, sentence = problem.message) {
  if (isRateLimited(problem)) notify("info", problem.message, "account");
  else notify("error", sentence, "account");
}

export const toastSuccess = (sentence: string) => notify("success", sentence, "account");

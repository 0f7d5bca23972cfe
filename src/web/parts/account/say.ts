import { isRateLimited } from "../../api/client";
import { notify } from "../notices";

/** Says in the account area what went wrong: the server's own words where it asks for patience. */
export function sayFailed(problem: Error, sentence = problem.message) {
  if (isRateLimited(problem)) notify("info", problem.message, "account");
  else notify("error", sentence, "account");
}

export const sayDone = (sentence: string) => notify("success", sentence, "account");

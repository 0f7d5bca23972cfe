import { isRateLimited, Refused } from "../../api/client";
import { notify } from "../../page/notices";

/** Shows an error toast in the account area; uses the server's own words when it rate-limits. */
export function toastFailure(problem: Error, sentence = problem.message) {
  if (isRateLimited(problem)) notify("info", problem.message, "account");
  else notify("error", sentence, "account");
}

/** {@link toastFailure} for a form; a problem with one of these fields is shown at the field instead. */
export function toastFormFailure(problem: Error, fields: readonly string[]) {
  if (!isAtField(problem, fields)) toastFailure(problem);
}

/** Whether the server refused one of these fields. */
export const isAtField = (problem: Error, fields: readonly string[]) =>
  problem instanceof Refused &&
  [problem.field ?? "", ...Object.keys(problem.fields ?? {})].some((name) => fields.includes(name));

export const toastSuccess = (sentence: string) => notify("success", sentence, "account");

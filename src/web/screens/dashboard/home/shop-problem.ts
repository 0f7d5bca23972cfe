import { useEffect } from "react";
import { isRateLimited } from "../../../api/client";
import { notify } from "../../../parts/notices";

/** The one to judge the shop by: a call that failed says more than one that has to wait. */
export function worstOf(problems: readonly (Error | null)[]): Error | null {
  const all = problems.filter((problem) => problem !== null);
  return all.find((problem) => !isRateLimited(problem)) ?? all[0] ?? null;
}

/** Says once what went wrong: as news when the server asked for patience, else as an error. */
export function useSaid(problem: Error | null) {
  const sentence = problem?.message;
  const kind = isRateLimited(problem) ? "info" : "error";
  useEffect(() => {
    if (sentence) notify(kind, sentence);
  }, [sentence, kind]);
}

import { useEffect } from "react";
import { isRateLimited } from "../../../api/client";
import { notify } from "../../../parts/notices";

/** The problem that decides the shop's status: a failure outweighs a rate limit. */
export function worstOf(problems: readonly (Error | null)[]): Error | null {
  const all = problems.filter((problem) => problem !== null);
  return all.find((problem) => !isRateLimited(problem)) ?? all[0] ?? null;
}

/** Shows a problem once: as info when rate-limited, else as an error. */
export function useProblemToast(problem: Error | null) {
  const sentence = problem?.message;
  const kind = isRateLimited(problem) ? "info" : "error";
  useEffect(() => {
    if (sentence) notify(kind, sentence);
  }, [sentence, kind]);
}

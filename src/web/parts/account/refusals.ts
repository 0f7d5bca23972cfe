import { useState } from "react";
import { Refused } from "../../api/client";

/** Whether the server found the second factor missing or wrong. */
export const isWrongCode = (problem: Error | null) =>
  problem instanceof Refused && (problem.code === "mfa_code_invalid" || problem.code === "mfa_required");

/** The sentence of a refusal that is about this field; undefined for any other. */
export const saidOf = (problem: Error | null, field: string) =>
  problem instanceof Refused && problem.field === field ? problem.message : undefined;

/** How often a code was refused; `count` what went wrong. */
export function useCodeRefusals() {
  const [refusals, setRefusals] = useState(0);
  const count = (problem: Error) => {
    if (isWrongCode(problem)) setRefusals((times) => times + 1);
  };
  return [refusals, count] as const;
}

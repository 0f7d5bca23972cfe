import { useState } from "react";
import { Refused } from "../../api/client";

/** Whether the server found the second factor missing or wrong. */
export const isWrongCode = (problem: Error | null) =>
  problem instanceof Refused && (problem.code === "mfa_code_invalid" || problem.code === "mfa_required");

/** Whether the server wants the password again because it was entered too long ago. */
export const wantsPassword = (problem: Error | null) =>
  problem instanceof Refused && problem.code === "reauthenticate";

export const isWrongPassword = (problem: Error | null) =>
  problem instanceof Refused && problem.code === "password_wrong";

/** State of the code boxes: each `round` starts empty; `again` focuses it after a refusal. */
export type CodeBoxes = { round: number; again: boolean };

export function useCodeBoxes() {
  const [boxes, setBoxes] = useState<CodeBoxes>({ round: 0, again: false });
  const empty = (again: boolean) => setBoxes(({ round }) => ({ round: round + 1, again }));
  return {
    boxes,
    clear: () => empty(false),
    /** Clears the boxes if the server refused the code. */
    refused: (problem: Error) => {
      if (isWrongCode(problem)) empty(true);
    },
  };
}

import { texts } from "@/contract/texts";

/** Prefers the server's own sentence to the fallback. */
export const sentenceOr = (problem: Error, fallback: string) =>
  problem.message === "" || problem.message === texts.unknownError ? fallback : problem.message;

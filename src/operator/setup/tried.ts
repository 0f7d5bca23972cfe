import { withTimeout } from "@/core/base/with-timeout";

/** A trial of a service: `refused` needs another answer of the owner's, `untested` says nothing about what was given. */
export type Tried<T extends object = object> =
  ({ kind: "ok" } & T) | { kind: "refused"; reason: string } | { kind: "untested"; reason: string };

export const refused = (reason: string) => ({ kind: "refused", reason }) as const;
export const untested = (reason: string) => ({ kind: "untested", reason }) as const;

/** The trial's outcome; untested if there is none in time. */
export const inSeconds = <T extends object>(
  seconds: number,
  who: string,
  trial: Promise<Tried<T>>,
): Promise<Tried<T>> =>
  withTimeout(seconds * 1000, trial, () => untested(`${who} gave no answer within ${seconds} seconds.`));

import { z } from "zod";

export const faultBody = z.strictObject({
  mode: z.enum([
    "accept",
    "reject-4xx",
    "reject-5xx",
    "drop-before-250",
    "drop-after-250",
    "refuse-connection",
    "slow",
  ]),
  /** How many times; without it, until the next change. */
  times: z.int().positive().optional(),
  /** The command that a `reject-…` refuses; `message` means the reply after the final dot. */
  at: z.enum(["login", "sender", "recipient", "message"]).default("message"),
  /** Only for emails to an address that contains this. */
  to: z.string().optional(),
  /** Whether `drop-before-250` stores the message although the client gets no reply. */
  stored: z.boolean().default(false),
  /** How long `slow` delays the final reply, in milliseconds. */
  delayMs: z.int().nonnegative().max(600_000).default(5_000),
});

export type Fault = z.input<typeof faultBody>;
export type FaultInForce = z.output<typeof faultBody>;
export type Stage = "connection" | FaultInForce["at"];

export type Faults = ReturnType<typeof createFaults>;

/** The current fault; the mode `accept` means none. `onSet` is called with every new one. */
export function createFaults(onSet: (fault: FaultInForce) => void) {
  let current: FaultInForce = faultBody.parse({ mode: "accept" });
  return {
    set(fault: FaultInForce) {
      current = fault;
      onSet(current);
      return current;
    },
    /** This stage's fault, if any; counts it down. */
    take(stage: Stage, recipients: string[] = []): FaultInForce | undefined {
      const fault = current;
      if (fault.mode === "accept" || stageOf(fault) !== stage) return undefined;
      const { to } = fault;
      if (to !== undefined && !recipients.some((address) => address.includes(to))) return undefined;
      if (fault.times !== undefined) current = countedDown(fault, fault.times - 1);
      return fault;
    },
  };
}

function stageOf({ mode, at }: FaultInForce): Stage {
  if (mode === "refuse-connection") return "connection";
  return mode === "reject-4xx" || mode === "reject-5xx" ? at : "message";
}

function countedDown(fault: FaultInForce, left: number): FaultInForce {
  return left > 0 ? { ...fault, times: left } : { ...fault, mode: "accept", times: undefined };
}

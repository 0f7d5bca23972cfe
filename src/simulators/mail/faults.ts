import { z } from "zod";

/** How real servers refuse what is wrong with the shop's set-up, not with a recipient. */
const relays = {
  /** Postfix, of a sender that it doesn't relay for: https://www.postfix.org/postconf.5.html#smtpd_delay_reject */
  postfix: { at: "recipient", reply: "554 5.7.1 <{to}>: Recipient address rejected: Access denied" },
  /** https://docs.aws.amazon.com/ses/latest/dg/troubleshoot-smtp.html */
  ses: {
    at: "message",
    reply:
      "554 Message rejected: Email address is not verified. The following identities failed the check in region EU-WEST-1: {from}",
  },
  /** https://support.google.com/a/answer/3726730 */
  google: {
    at: "message",
    reply:
      "550-5.4.5 Daily user sending limit exceeded. For more information on Gmail\n550-5.4.5 sending limits go to\n550 5.4.5  https://support.google.com/a/answer/166852 - gsmtp",
  },
} as const;

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
  /**
   * What a `reject-…` answers instead of the usual, line by line; `{to}` and `{from}` stand for the envelope's addresses.
   */
  reply: z
    .string()
    .regex(/^[45]\d\d[ -]/)
    .optional(),
  /** Refuses as this server does, which says where. */
  relay: z.enum(["postfix", "ses", "google"]).optional(),
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
    set({ relay, ...fault }: FaultInForce) {
      current = relay ? { ...fault, ...relays[relay] } : fault;
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

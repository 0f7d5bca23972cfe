import type { Session } from "./sessions";

/** What is known of one socket. */
export type Connection = {
  session: Session | null;
  /** Unix milliseconds of the last heartbeat. */
  beat: number;
  /** Times of what it sent in the last minute. */
  sent: number[];
};

/** A socket as far as the gateway needs it. */
export type Socket = {
  data: Connection;
  send(text: string): void;
  close(code: number, reason?: string): void;
  terminate(): void;
};

export const opcode = {
  DISPATCH: 0,
  HEARTBEAT: 1,
  IDENTIFY: 2,
  PRESENCE: 3,
  VOICE: 4,
  RESUME: 6,
  RECONNECT: 7,
  REQUEST_MEMBERS: 8,
  INVALID_SESSION: 9,
  HELLO: 10,
  ACK: 11,
} as const;

/** Close codes. Source: Discord's page "Opcodes and Status Codes". */
export const closing = {
  unknownOpcode: 4001,
  decodeError: 4002,
  notAuthenticated: 4003,
  authenticationFailed: 4004,
  alreadyAuthenticated: 4005,
  invalidSequence: 4007,
  rateLimited: 4008,
  timedOut: 4009,
  invalidShard: 4010,
  invalidVersion: 4012,
  invalidIntents: 4013,
  disallowedIntents: 4014,
} as const;

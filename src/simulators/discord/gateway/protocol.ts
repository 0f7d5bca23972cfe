export const opcode = {
  DISPATCH: 0,
  HEARTBEAT: 1,
  IDENTIFY: 2,
  RESUME: 6,
  INVALID_SESSION: 9,
  HELLO: 10,
  ACK: 11,
} as const;

/** Close codes. Source: Discord's page "Opcodes and Status Codes". */
export const closing = {
  decodeError: 4002,
  authenticationFailed: 4004,
  invalidSequence: 4007,
  disallowedIntents: 4014,
} as const;

/** Bits of the intents that a bot identifies with. Source: Discord's page "Gateway Intents". */
export const intent = {
  GUILDS: 1 << 0,
  GUILD_MEMBERS: 1 << 1,
  GUILD_MESSAGES: 1 << 9,
  MESSAGE_CONTENT: 1 << 15,
} as const;

/** Intents that the application's owner must enable first, each with its flag on the application. */
export const privileged = {
  members: { intent: intent.GUILD_MEMBERS, flag: 1 << 15 },
  message_content: { intent: intent.MESSAGE_CONTENT, flag: 1 << 19 },
} as const;

export type PrivilegedIntent = keyof typeof privileged;
export const privilegedIntents = Object.keys(privileged) as PrivilegedIntent[];

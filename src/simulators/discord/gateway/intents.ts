/** Bits that a bot asks for when it identifies. Source: Discord's page "Gateway Intents". */
export const intent = {
  GUILDS: 1 << 0,
  GUILD_MEMBERS: 1 << 1,
  GUILD_MODERATION: 1 << 2,
  GUILD_PRESENCES: 1 << 8,
  GUILD_MESSAGES: 1 << 9,
  DIRECT_MESSAGES: 1 << 12,
  MESSAGE_CONTENT: 1 << 15,
} as const;

/** Those that must be switched on for the application first. */
export const privileged = {
  members: intent.GUILD_MEMBERS,
  presences: intent.GUILD_PRESENCES,
  message_content: intent.MESSAGE_CONTENT,
} as const;

export type PrivilegedIntent = keyof typeof privileged;

/** A call refused, in Discord's words. Source: Discord's page "Opcodes and Status Codes". */
export class DiscordRefusal extends Error {
  override name = "DiscordRefusal";
  constructor(
    readonly status: number,
    readonly code: number,
    message: string,
    readonly errors?: object,
  ) {
    super(message);
  }
}

export const refusals = {
  unauthorized: () => new DiscordRefusal(401, 0, "401: Unauthorized"),
  notFound: () => new DiscordRefusal(404, 0, "404: Not Found"),
  unknownChannel: () => new DiscordRefusal(404, 10003, "Unknown Channel"),
  unknownGuild: () => new DiscordRefusal(404, 10004, "Unknown Guild"),
  unknownMember: () => new DiscordRefusal(404, 10007, "Unknown Member"),
  unknownMessage: () => new DiscordRefusal(404, 10008, "Unknown Message"),
  unknownRole: () => new DiscordRefusal(404, 10011, "Unknown Role"),
  unknownUser: () => new DiscordRefusal(404, 10013, "Unknown User"),
  unknownWebhook: () => new DiscordRefusal(404, 10015, "Unknown Webhook"),
  unknownInteraction: () => new DiscordRefusal(404, 10062, "Unknown interaction"),
  alreadyAcknowledged: () => new DiscordRefusal(400, 40060, "Interaction has already been acknowledged."),
  missingAccess: () => new DiscordRefusal(403, 50001, "Missing Access"),
  notYourMessage: () => new DiscordRefusal(403, 50005, "Cannot edit a message authored by another user"),
  emptyMessage: () => new DiscordRefusal(400, 50006, "Cannot send an empty message"),
  missingPermissions: () => new DiscordRefusal(403, 50013, "Missing Permissions"),
  wrongChannelType: () => new DiscordRefusal(400, 50024, "Cannot execute action on this channel type"),
  invalidOAuthToken: () => new DiscordRefusal(403, 50025, "Invalid OAuth2 access token"),
  missingScope: () => new DiscordRefusal(403, 50026, "Missing required OAuth2 scope"),
  invalidWebhookToken: () => new DiscordRefusal(401, 50027, "Invalid Webhook Token"),
  invalidRole: () => new DiscordRefusal(400, 50028, "Invalid Role"),
  threadArchived: () => new DiscordRefusal(400, 50083, "Thread is archived"),
  notJson: () => new DiscordRefusal(400, 50109, "The request body contains invalid JSON."),
  banned: () => new DiscordRefusal(403, 40007, "The user is banned from this guild."),
  tooManyThreads: () => new DiscordRefusal(400, 160006, "Maximum number of active threads reached"),
  threadLocked: () => new DiscordRefusal(403, 160005, "This thread is locked"),
};

/** Error 50035 with a complaint about the field at `path`. */
export function invalidForm(
  path: readonly PropertyKey[],
  message: string,
  code = "BASE_TYPE_BAD",
): DiscordRefusal {
  const complaint: object = { _errors: [{ code, message }] };
  const errors = path.reduceRight((tree, step) => ({ [step]: tree }), complaint);
  return new DiscordRefusal(400, 50035, "Invalid Form Body", errors);
}

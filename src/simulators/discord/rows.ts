import type { APIEmbed, APIThreadMetadata } from "discord.js";
import { openStore, rows } from "../base/store";
import type { CommandBody } from "./rest/shapes/commands";
import type { Form, Row } from "./rest/shapes/components";
import type { Wire } from "./wire/types";

/** The simulator's tables, one type each. Ids are snowflakes where Discord's are. */

export type User = {
  id: string;
  username: string;
  global_name: string | null;
  bot: boolean;
};

/** `id` is the user's. */
export type Member = {
  id: string;
  nick: string | null;
  roles: string[];
  joined_at: string;
  timed_out_until: string | null;
};

export type Role = {
  id: string;
  name: string;
  color: number;
  hoist: boolean;
  mentionable: boolean;
  /** The bot for which Discord created the role, which nobody can give or take. */
  managed_by: string | null;
  position: number;
  /** Permission bits as decimal text. */
  permissions: string;
};

/** `type` 0 is a role, 1 a member. */
export type Overwrite = { id: string; type: 0 | 1; allow: string; deny: string };

export type Thread = Wire<APIThreadMetadata> & { message_count: number; total_message_sent: number };

export type Channel = {
  id: string;
  /** 0 a text channel, 12 a private thread. */
  type: 0 | 12;
  name: string;
  topic: string | null;
  parent_id: string | null;
  position: number;
  overwrites: Overwrite[];
  last_message_id: string | null;
  owner_id: string | null;
  thread: Thread | null;
};

/** `id` is `thread:user`. */
export type ThreadMember = { id: string; thread: string; user: string; joined_at: string };

/** A rich embed, with the type's enum spelled out. */
export type Embed = Omit<APIEmbed, "type"> & { type: "rich" };

/** `format_type` 1 is PNG, 2 animated PNG, 3 Lottie, 4 GIF. */
export type Sticker = { id: string; name: string; format_type: 1 | 2 | 3 | 4 };

/** A message as it was when somebody forwarded it. */
export type Snapshot = {
  of: { id: string; channel_id: string };
  type: number;
  content: string;
  embeds: Embed[];
  attachments: string[];
  stickers: Sticker[];
  timestamp: string;
  edited_timestamp: string | null;
  flags: number;
};

export type Message = {
  id: string;
  channel_id: string;
  author_id: string;
  /** 0 plain, 1 user added to the thread, 20 answer to a command. */
  type: number;
  content: string;
  embeds: Embed[];
  components: Row[];
  attachments: string[];
  stickers: Sticker[];
  /** What the message forwards. */
  snapshot: Snapshot | null;
  flags: number;
  edited_timestamp: string | null;
  mentions: { users: string[]; roles: string[]; everyone: boolean };
  nonce: string | number | null;
  /** The interaction that the message answers. */
  interaction: string | null;
  /** The only user who sees an ephemeral answer. */
  visible_to: string | null;
};

export type Attachment = {
  id: string;
  filename: string;
  size: number;
  content_type: string;
  base64: string;
};

export type Command = {
  id: string;
  version: string;
  name: string;
  body: CommandBody;
};

/** The bot's first answer; `null` while there is none. */
export type Acknowledgement = "message" | "deferred_message" | "modal";

export type Interaction = {
  id: string;
  token: string;
  /** 2 command, 3 button, 5 form. */
  type: 2 | 3 | 5;
  user: string;
  channel: string;
  /** The message with the pressed button. */
  message: string | null;
  /** The command's name, which Discord puts on the answer. */
  command: string | null;
  data: object;
  created: number;
  acknowledged: Acknowledgement | null;
  /** The message that `@original` refers to. */
  original: string | null;
  /** Whether a deferred answer still shows as "thinking". */
  thinking: boolean;
  messages: string[];
  modal: Form | null;
};

export type Ban = { id: string };

/** `id` is the code. */
export type OAuthCode = {
  id: string;
  user: string;
  scopes: string[];
  redirect_uri: string;
  challenge: string | null;
  expires: number;
  used: boolean;
};

/** `id` is the access token. */
export type OAuthGrant = {
  id: string;
  refresh: string;
  user: string;
  scopes: string[];
  expires: number;
  revoked: boolean;
};

export type DiscordStore = ReturnType<typeof openDiscordStore>;

export const openDiscordStore = (folder: string | undefined) =>
  openStore(
    {
      users: rows<User>(),
      members: rows<Member>(),
      roles: rows<Role>(),
      channels: rows<Channel>((channel) => channel.parent_id ?? ""),
      threadMembers: rows<ThreadMember>(({ thread }) => thread),
      messages: rows<Message>((message) => message.channel_id),
      attachments: rows<Attachment>(),
      commands: rows<Command>(),
      interactions: rows<Interaction>(({ token }) => token),
      bans: rows<Ban>(),
      codes: rows<OAuthCode>(),
      grants: rows<OAuthGrant>(),
    },
    folder === undefined ? undefined : { folder, file: "server.jsonl" },
  );

/** What the stand-in remembers, one type a table. Ids are snowflakes where Discord's are. */

export type User = {
  id: string;
  username: string;
  global_name: string | null;
  /** Hash of a picture, as Discord names it; the stand-in draws one for any hash. */
  avatar: string | null;
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
  /** Made by Discord for a bot: nobody can give or take it. */
  managed_by: string | null;
  position: number;
  /** Bits as a decimal text. */
  permissions: string;
};

/** 0 is for a role, 1 for a member. */
export type Overwrite = { id: string; type: 0 | 1; allow: string; deny: string };

export type Thread = {
  archived: boolean;
  auto_archive_duration: number;
  archive_timestamp: string;
  locked: boolean;
  invitable: boolean;
  create_timestamp: string;
  message_count: number;
  total_message_sent: number;
};

export type Channel = {
  id: string;
  /** 0 text, 1 direct message, 2 voice, 4 category, 11 public thread, 12 private thread. */
  type: number;
  name: string;
  topic: string | null;
  parent_id: string | null;
  position: number;
  overwrites: Overwrite[];
  nsfw: boolean;
  rate_limit_per_user: number;
  last_message_id: string | null;
  owner_id: string | null;
  thread: Thread | null;
  /** Of a direct message: the person beside the bot. */
  recipient: string | null;
};

/** `id` is `thread:user`. */
export type ThreadMember = { id: string; thread: string; user: string; joined_at: string };

/** JSON of a component or an embed, already checked. */
export type Json = { [key: string]: unknown };
export type Component = Json & { type: number; id: number };

export type Message = {
  id: string;
  channel_id: string;
  author_id: string;
  /** 0 plain, 6 pinned, 18 thread created, 19 reply, 20 answer to a command, 21 thread starter. */
  type: number;
  content: string;
  embeds: Json[];
  components: Component[];
  attachments: string[];
  flags: number;
  edited_timestamp: string | null;
  tts: boolean;
  mentions: { users: string[]; roles: string[]; everyone: boolean };
  reply_to: string | null;
  nonce: string | number | null;
  /** The interaction that it answers. */
  interaction: string | null;
  /** Of an ephemeral answer: the only one who sees it. */
  visible_to: string | null;
  pinned: boolean;
};

export type Attachment = {
  id: string;
  filename: string;
  size: number;
  content_type: string;
  description: string | null;
  ephemeral: boolean;
  base64: string;
};

export type Command = {
  id: string;
  guild_id: string | null;
  version: string;
  /** 1 slash, 2 on a user, 3 on a message. */
  type: number;
  name: string;
  body: Json;
};

/** How the bot answered at first; `null` while it hasn't. */
export type Acknowledgement =
  "message" | "deferred_message" | "deferred_update" | "update" | "autocomplete" | "modal";

export type Interaction = {
  id: string;
  token: string;
  /** 2 command, 3 component, 4 autocomplete, 5 modal. */
  type: number;
  user: string;
  channel: string;
  /** The message whose component was used. */
  message: string | null;
  /** The command's name, as Discord tells on the answer. */
  command: string | null;
  data: Json;
  created: number;
  acknowledged: Acknowledgement | null;
  acknowledged_at: number | null;
  /** The message that `@original` means. */
  original: string | null;
  /** Whether a deferred answer still shows as "thinking". */
  thinking: boolean;
  messages: string[];
  edits: number;
  modal: Json | null;
  choices: Json[] | null;
};

export type Ban = { id: string; reason: string | null };

export type AuditEntry = {
  id: string;
  action: string;
  actor: string;
  target: string;
  role: string | null;
  reason: string | null;
};

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

export type Setting = { id: string; value: string };

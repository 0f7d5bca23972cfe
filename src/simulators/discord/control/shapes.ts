import { z } from "zod";
import { permission, type PermissionName } from "../permissions";

const user = z.string();
const count = z.int().positive();
const seconds = z.number().nonnegative();
const rights = z.array(z.enum(Object.keys(permission) as [PermissionName, ...PermissionName[]]));
const patience = {
  until: z.enum(["ack", "answer"]).default("answer"),
  /** Waits until so many messages were said or changed in answer. */
  messages: z.int().nonnegative().default(0),
  timeout_ms: z.number().positive().max(60_000).default(10_000),
};
const file = z.object({
  filename: z.string(),
  content_type: z.string().optional(),
  content: z.string().optional(),
  base64: z.base64().optional(),
});
const typed = {
  user,
  command: z.string(),
  group: z.string().optional(),
  subcommand: z.string().optional(),
  options: z.record(z.string(), z.unknown()).default({}),
  target: z.string().optional(),
  channel: z.string().default("general"),
};
const pressed = { user, message: z.string(), custom_id: z.string().optional(), label: z.string().optional() };

/** Bodies of the control API. */
export const shapes = {
  member: z.object({
    username: z.string().min(2).max(32),
    global_name: z.string().max(32).nullable().default(null),
    avatar: z.string().nullable().default(null),
    join: z.boolean().default(true),
    roles: z.array(z.string()).default([]),
  }),
  one: z.object({ user }),
  removal: z.object({ user, by: z.string().optional(), reason: z.string().optional() }),
  rename: z.object({
    user,
    username: z.string().optional(),
    global_name: z.string().nullable().optional(),
    avatar: z.string().nullable().optional(),
    nick: z.string().nullable().optional(),
  }),
  role: z.object({ user, role: z.string(), give: z.boolean().default(true), by: z.string().optional() }),
  seed: z.object({
    count: count.max(200_000),
    prefix: z.string().default("member"),
    roles: z.array(z.string()).default([]),
    announce: z.boolean().default(false),
  }),
  slash: z.object({ ...typed, ...patience }),
  autocomplete: z.object({ ...typed, focused: z.string(), ...patience }),
  button: z.object({ ...pressed, ...patience }),
  select: z.object({ ...pressed, values: z.array(z.string()), ...patience }),
  modal: z.object({ user, interaction: z.string(), fields: z.record(z.string(), z.unknown()), ...patience }),
  write: z.object({
    user,
    channel: z.string().default("general"),
    content: z.string().max(4000).default(""),
    reply_to: z.string().nullable().default(null),
    files: z.array(file).max(10).default([]),
  }),
  edit: z.object({ user, message: z.string(), content: z.string().max(4000) }),
  erase: z.object({ user, message: z.string() }),
  thread: z.object({
    user,
    thread: z.string(),
    archived: z.boolean().optional(),
    locked: z.boolean().optional(),
    name: z.string().optional(),
    leave: z.boolean().optional(),
  }),
  place: z.object({ channel: z.string(), by: z.string().optional() }),
  newPlace: z.object({ name: z.string().min(1).max(100) }),
  /** What a role (or `@everyone`) may in one channel, in the place of what was said of it there before. */
  overwrite: z.object({
    channel: z.string(),
    role: z.string(),
    allow: rights.default([]),
    deny: rights.default([]),
  }),
  dm: z.object({ user, open: z.boolean() }),
  bot: z.object({
    /** Where the bot's role stands beside Premium. */
    role: z.enum(["above", "below"]).optional(),
    grant: rights.optional(),
    deny: rights.optional(),
    in_server: z.boolean().optional(),
    /** For how long a moderator has timed the bot out; 0 ends it. */
    timed_out_seconds: seconds.optional(),
    intents: z.array(z.enum(["members", "presences", "message_content"])).optional(),
    reset_token: z.boolean().optional(),
  }),
  gateway: z.object({
    do: z.enum(["cut", "reconnect", "invalidate"]),
    /** Of a cut: the close code; without one the connection breaks. */
    code: z.int().min(1000).max(4999).optional(),
    /** The session is gone too, so that nobody can resume it. */
    end: z.boolean().default(false),
    resumable: z.boolean().default(false),
  }),
  limits: z
    .object({
      enabled: z.boolean(),
      globalPerSecond: count,
      invalidAllowed: count,
      activeThreads: count,
      overrides: z.record(z.string(), z.object({ limit: count, windowMs: count })),
    })
    .partial(),
  faults: z.object({
    api: z
      .object({
        latencyMs: z.number().nonnegative(),
        away: z.boolean(),
        oldestFirst: z.boolean(),
        nullThreads: z.boolean(),
        next: z.array(
          z.object({
            fail: z.union([z.literal([401, 403, 429, 500, 502, 503]), z.literal(["drop", "answer"])]),
            answer: z
              .object({
                status: z.int().min(200).max(599),
                body: z.unknown(),
                headers: z.record(z.string(), z.string()).default({}),
              })
              .optional(),
            count: count.default(1),
            when: z.enum(["before", "after"]).default("before"),
            scope: z.enum(["user", "global", "shared"]).default("user"),
            retryAfter: seconds.default(1),
            path: z.string().optional(),
            method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]).optional(),
          }),
        ),
      })
      .partial()
      .optional(),
    gateway: z.object({ away: z.boolean(), mute: z.boolean(), garbage: z.boolean() }).partial().optional(),
  }),
  authorize: z.object({ url: z.url(), user, approve: z.boolean().default(true) }),
  clock: z.object({ advance_seconds: z.number() }),
};
export type Body<N extends keyof typeof shapes> = z.infer<(typeof shapes)[N]>;

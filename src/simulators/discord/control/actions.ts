import { z } from "zod";
import { action } from "../../base/actions";
import type { Gateway } from "../gateway/gateway";
import { channelFor, createChannel, deleteChannel, setOverwrite } from "../guild/channels";
import { deleteMessage, edit, emptyDraft, messageFor, snapshotOf, storeFile, write } from "../guild/messages";
import { bits, permissionNames } from "../guild/permissions";
import { changeThread, leaveThread } from "../guild/threads";
import type { Interaction } from "../rows";
import { messageJson } from "../wire/messages";
import type { World } from "../world";
import { type WaitOptions, awaitAnswer } from "./answer";
import { botActions } from "./bot-actions";
import { channelOf, messageOf, personOf, roleOf } from "./find";
import { press, submit, useCommand } from "./interact";
import { memberActions } from "./member-actions";

const user = z.string();
const message = z.string();
const channel = z.string();
const content = z.string().max(4000);
const permissions = z.array(z.enum(permissionNames));
const formats = { png: 1, apng: 2, lottie: 3, gif: 4 } as const;
const sticker = z.object({
  name: z.string().min(2).max(30),
  format: z.enum(["png", "apng", "lottie", "gif"]).default("png"),
});
const waitOptions = {
  until: z.enum(["ack", "answer"]).default("answer"),
  timeout_ms: z.number().positive().max(60_000).default(10_000),
};
const file = z.object({
  filename: z.string(),
  content_type: z.string().optional(),
  content: z.string().optional(),
  base64: z.base64().optional(),
});

export type DiscordActions = ReturnType<typeof discordActions>;

/** Every action on Discord's side for a test, or for a person at the page. */
export function discordActions(world: World, gateway: Gateway) {
  const person = (named: string) => personOf(world, named);
  const answerTo = (interaction: Interaction, given: WaitOptions) => {
    world.store.save();
    return awaitAnswer(world, interaction.id, given);
  };
  return {
    "interact/slash": action(
      z.object({
        user,
        command: z.string(),
        subcommand: z.string().optional(),
        options: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
        channel: channel.default("general"),
        ...waitOptions,
      }),
      (given) => answerTo(useCommand(world, given), given),
    ),
    "interact/button": action(
      z.object({
        user,
        message,
        custom_id: z.string().optional(),
        label: z.string().optional(),
        ...waitOptions,
      }),
      (given) => answerTo(press(world, given), given),
    ),
    "interact/modal": action(
      z.object({
        user,
        interaction: z.string(),
        fields: z.record(z.string(), z.string()).default({}),
        ...waitOptions,
      }),
      (given) => answerTo(submit(world, given), given),
    ),

    /** Changes the application's entry in the developer portal. */
    application: action(z.object({ redirect_uris: z.array(z.url()) }), ({ redirect_uris }) => {
      world.redirectUris = redirect_uris;
      return { redirect_uris };
    }),

    messages: action(
      z.object({
        user,
        channel: channel.default("general"),
        content: content.default(""),
        files: z.array(file).max(10).default([]),
        stickers: z.array(sticker).max(3).default([]),
        /** The id of a message to forward. */
        forward: message.optional(),
      }),
      (given) => {
        const author = person(given.user).id;
        const place = channelFor(world, author, channelOf(world, given.channel).id);
        const attachments = given.files.map((one) => storeFile(world, one));
        const stickers = given.stickers.map(({ name, format }) => ({
          id: world.ids.snowflake(),
          name,
          format_type: formats[format],
        }));
        const snapshot = given.forward ? snapshotOf(world, author, messageOf(world, given.forward)) : null;
        const draft = { ...emptyDraft, content: given.content, attachments, stickers, snapshot };
        return messageJson(world, write(world, author, place, draft));
      },
    ),
    "messages/edit": action(z.object({ user, message, content }), (given) =>
      messageJson(
        world,
        edit(world, person(given.user).id, messageOf(world, given.message), { content: given.content }),
      ),
    ),
    "messages/delete": action(z.object({ user, message }), (given) => {
      const { id } = person(given.user);
      const found = messageOf(world, given.message);
      deleteMessage(world, id, messageFor(world, id, found.channel_id, found.id));
      return { deleted: found.id };
    }),

    threads: action(z.object({ user, thread: channel, archived: z.boolean() }), ({ archived, ...given }) => {
      const { id } = person(given.user);
      const thread = channelFor(world, id, channelOf(world, given.thread).id);
      return changeThread(world, id, thread, { archived });
    }),
    "threads/leave": action(z.object({ user, thread: channel }), (given) => {
      const { id } = person(given.user);
      const thread = channelFor(world, id, channelOf(world, given.thread).id);
      leaveThread(world, thread, id);
      return { left: thread.id };
    }),
    "channels/create": action(z.object({ name: z.string().min(1).max(100) }), ({ name }) =>
      createChannel(world, name),
    ),
    /** What a role (or `@everyone`) may do in one channel. */
    "channels/overwrite": action(
      z.object({
        channel,
        role: z.string(),
        allow: permissions.default([]),
        deny: permissions.default([]),
      }),
      ({ allow, deny, ...given }) => {
        const { id } = roleOf(world, given.role);
        const overwrite = {
          id,
          type: 0,
          allow: String(bits(...allow)),
          deny: String(bits(...deny)),
        } as const;
        return setOverwrite(world, channelOf(world, given.channel), overwrite);
      },
    ),
    /** A channel or a thread. */
    "channels/delete": action(z.object({ channel }), (given) => {
      const found = channelOf(world, given.channel);
      deleteChannel(world, world.known.ownerId, found);
      return found;
    }),

    ...memberActions(world),
    ...botActions(world, gateway),
  };
}

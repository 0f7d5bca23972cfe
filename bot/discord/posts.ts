import { createHash } from "node:crypto";
import {
  type ActionRowBuilder,
  type APIMessage,
  type APIUser,
  type ButtonBuilder,
  type EmbedBuilder,
  type REST,
  Routes,
} from "discord.js";
import { codeOf, discordCodes } from "./rest";

export type Message = {
  content?: string;
  embeds?: EmbedBuilder[];
  components?: ActionRowBuilder<ButtonBuilder>[];
};

type Files = { files?: { name: string; data: Buffer }[] };

/** Of a message's content: https://discord.com/developers/docs/resources/message#create-message */
export const maxMessageCharacters = 2000;

/** The bot's own messages in a channel or a thread. Throws discord.js's errors. */
export function createPosts(rest: REST) {
  let known: Promise<string> | null = null;
  /** The bot's user id; older applications have another id. */
  const me = () =>
    (known ??= rest.get(Routes.user()).then(
      (user) => (user as APIUser).id,
      (error: unknown) => {
        known = null;
        throw error;
      },
    ));

  /** The bot's own among the newest 50 messages of a channel. */
  const own = async (channelId: string): Promise<APIMessage[]> => {
    const query = new URLSearchParams({ limit: "50" });
    const page = (await rest.get(Routes.channelMessages(channelId), { query })) as APIMessage[];
    const id = await me();
    return page.filter(({ author }) => author.id === id);
  };

  return {
    me,
    /** Posts a message, once for the same `nonce` within a few minutes; resolves to its id. */
    async post(
      channelId: string,
      message: Message & Files,
      nonce: string,
      signal?: AbortSignal,
    ): Promise<string> {
      const body = { ...bodyOf(message), nonce: nonceOf(nonce), enforce_nonce: true };
      const { files = [] } = message;
      // Discord's answer to this call
      return ((await rest.post(Routes.channelMessages(channelId), { body, files, signal })) as APIMessage).id;
    },
    edit: (channelId: string, messageId: string, message: Message) =>
      unlessGone(rest.patch(Routes.channelMessage(channelId, messageId), { body: bodyOf(message) })),
    exists: (channelId: string, messageId: string) =>
      unlessGone(rest.get(Routes.channelMessage(channelId, messageId))),
    remove: (channelId: string, messageId: string) =>
      unlessGone(rest.delete(Routes.channelMessage(channelId, messageId))),
    own,
    /** The bot's message with this component, among the newest 50 of a channel. */
    async findOwn(channelId: string, customId: string): Promise<string | null> {
      const having = (one: APIMessage) => JSON.stringify(one.components ?? []).includes(`"${customId}`);
      return (await own(channelId)).find(having)?.id ?? null;
    },
  };
}

export type Posts = ReturnType<typeof createPosts>;

/** False if the message is gone. */
const unlessGone = (call: Promise<unknown>): Promise<boolean> =>
  call.then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) === discordCodes.unknownMessage) return false;
      throw error;
    },
  );

/** The message as sent, without mentions. */
export const bodyOf = ({ content = "", embeds = [], components = [] }: Message) => ({
  content,
  embeds: embeds.map((one) => one.toJSON()),
  components: components.map((one) => one.toJSON()),
  allowed_mentions: { parse: [] },
});

/** Discord's limit is 25 characters. */
const nonceOf = (text: string) => createHash("sha256").update(text).digest("base64url").slice(0, 25);

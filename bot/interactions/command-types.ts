import type {
  ActionRowBuilder,
  AttachmentBuilder,
  ButtonBuilder,
  ButtonInteraction,
  ChatInputCommandInteraction,
  EmbedBuilder,
  ModalBuilder,
  ModalSubmitInteraction,
  RESTPostAPIChatInputApplicationCommandsJSONBody,
} from "discord.js";
import type { Duties } from "../bot-services";
import type { BotParts } from "../start";

/** What a command is given: the shop, the server, and who asks. */
export type Desk = BotParts & { duties: Duties };

/** What somebody gets to read, and nobody else. */
export type Reply = {
  content?: string;
  embeds?: EmbedBuilder[];
  components?: ActionRowBuilder<ButtonBuilder>[];
  files?: AttachmentBuilder[];
};

/** A command is data plus one sentence of behaviour. The router defers, answers and phrases refusals. */
export type Command = {
  data: RESTPostAPIChatInputApplicationCommandsJSONBody;
  /** Only for the support role, looked at again at each use. */
  staff?: boolean;
} & (
  | { answer(desk: Desk, asked: ChatInputCommandInteraction): Promise<Reply> }
  | {
      /** Shown at once; what is typed there never stands in the channel. Its id is the command's name. */
      form(): ModalBuilder;
      submitted(desk: Desk, form: ModalSubmitInteraction): Promise<Reply>;
    }
);

/**
 * What is done at a button or a form, named by the first part of its custom id; the parts behind it are handed
 * on. What they say is no proof of anything: who may press is looked at again at each press.
 */
export type Press = { staff?: boolean } & (
  | { pressed(desk: Desk, asked: ButtonInteraction, parts: string[]): Promise<Reply> }
  | { form(parts: string[]): ModalBuilder }
  | { submitted(desk: Desk, form: ModalSubmitInteraction, parts: string[]): Promise<Reply> }
);

import type {
  AttachmentBuilder,
  ButtonInteraction,
  ChatInputCommandInteraction,
  ModalBuilder,
  ModalSubmitInteraction,
  RESTPostAPIChatInputApplicationCommandsJSONBody,
} from "discord.js";
import type { DiscordConfig } from "@/core/config";
import type { Ctx } from "@/core/context";
import type { LimitTable } from "@/core/limit-table";
import type { Guild } from "@/domain/discord/guild";
import type { Operation } from "@/domain/permissions";
import type { Message } from "../discord/posts";
import type { Complaint } from "../server/server-checks";

/** What a command, a button or a form works with. */
export type CommandContext = {
  ctx: Ctx;
  config: DiscordConfig;
  publicUrl: URL;
  limits: LimitTable;
  guild: Guild;
  /** Requests a comparison of all members with what should be. */
  reconcileMembers: () => void;
  /** Checks whether the bot can do its work in the server. */
  examine: () => Promise<Complaint[]>;
};

/** An answer that only the person who asked can read. */
export type Reply = Message & { files?: AttachmentBuilder[] };

/** What it does, which the table of permissions must allow; nothing, where everybody may use it on their own behalf. */
export type Permitted = { operation?: Operation };

/** For each of a command's subcommands, what it does. */
export type PermittedVerbs = { operation?: Operation | Record<string, Operation> };

/** A command is data plus one function. The router defers, answers and words refusals. */
export type Command = PermittedVerbs & { data: RESTPostAPIChatInputApplicationCommandsJSONBody } & (
    | { answer(context: CommandContext, interaction: ChatInputCommandInteraction): Promise<Reply> }
    | {
        /** Shown at once; what is typed into a form never appears in the channel. Its id is the command's name. */
        form(): ModalBuilder;
        submitted(context: CommandContext, form: ModalSubmitInteraction): Promise<Reply>;
      }
  );

/**
 * Handles a button or a form, found by the first part of its custom id; the other parts are passed on. A custom id
 * proves nothing: who may use it is checked at each use.
 */
export type ComponentHandler = Permitted &
  (
    | { pressed(context: CommandContext, interaction: ButtonInteraction, parts: string[]): Promise<Reply> }
    | { form(parts: string[], context: CommandContext): ModalBuilder | Promise<ModalBuilder> }
    | { submitted(context: CommandContext, form: ModalSubmitInteraction, parts: string[]): Promise<Reply> }
  );

import type {
  AttachmentBuilder,
  ButtonInteraction,
  ChatInputCommandInteraction,
  ModalBuilder,
  ModalSubmitInteraction,
  RESTPostAPIChatInputApplicationCommandsJSONBody,
} from "discord.js";
import type { DiscordConfig } from "@/core/settings/config";
import type { Ctx } from "@/core/database/context";
import type { LimitTable } from "@/contract/vocabulary/limits";
import type { Permission } from "@/domain/permissions";
import type { Message } from "../discord/posts";
import type { Complaint } from "../server/level-role";

/** What commands, buttons and forms work with. */
export type CommandContext = {
  ctx: Ctx;
  config: DiscordConfig;
  publicUrl: URL;
  limits: LimitTable;
  /** Makes a member's roles right now. */
  reconcile: (userId: string) => Promise<void>;
  /** Requests a reconciliation of all members. */
  reconcileMembers: () => void;
  /** Checks whether the bot can do its work in the server. */
  examine: () => Promise<Complaint[]>;
};

/** An answer that only the asking member can read. */
export type Reply = Message & { files?: AttachmentBuilder[] };

/** The operation, which the table of permissions must allow; absent if everybody may use it on their own behalf. */
export type WithPermission = { operation?: Permission };

/** The operation, or one for each subcommand. */
export type PermittedVerbs = { operation?: Permission | Record<string, Permission> };

/** A command is data plus one function. The router defers, answers and words refusals. */
export type Command = PermittedVerbs & { data: RESTPostAPIChatInputApplicationCommandsJSONBody } & (
    | { answer(context: CommandContext, interaction: ChatInputCommandInteraction): Promise<Reply> }
    | {
        /** Shown at once; what members type into a form never appears in the channel. Its id is the command's name. */
        form(): ModalBuilder;
        submitted(context: CommandContext, form: ModalSubmitInteraction): Promise<Reply>;
      }
  );

/**
 * Handles a button or a form, found by the first part of its custom id; the handler gets the other parts. A custom id
 * proves nothing: each use checks the permission.
 */
export type ComponentHandler = WithPermission &
  (
    | { pressed(context: CommandContext, interaction: ButtonInteraction, parts: string[]): Promise<Reply> }
    | { form(parts: string[], context: CommandContext): ModalBuilder | Promise<ModalBuilder> }
    | { submitted(context: CommandContext, form: ModalSubmitInteraction, parts: string[]): Promise<Reply> }
  );

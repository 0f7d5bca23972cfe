import { type ChatInputCommandInteraction, PermissionFlagsBits } from "discord.js";
import { support } from "@/brand/tickets";
import { commit } from "@/core/commit";
import { type Ctx, newId } from "@/core/context";
import { Refusal } from "@/core/refusal";
import { addGuest, closeTicket, reopenTicket, transferTicket } from "@/domain/tickets/change";
import { type Ticket, ticketById } from "@/domain/tickets/queries";
import { say, sayingOf } from "@/domain/tickets/thread";
import { topicOf } from "@/domain/tickets/topics";
import type { CommandContext, Reply } from "../interactions/command-types";
import { expectTicketMeant } from "./options";
import { closed, reopened, tagText } from "./messages";

/** How long staff are kept waiting for the answer to be posted. */
const patienceMilliseconds = 5_000;

export const tagNames = Object.keys(support.tags) as (keyof typeof support.tags)[];

/** `/ticket close` */
export async function close(
  { ctx }: CommandContext,
  interaction: ChatInputCommandInteraction,
): Promise<Reply> {
  const found = await expectTicketMeant(ctx, interaction);
  const reason = interaction.options.getString("reason", true);
  await closeTicket(ctx, found, { by: "staff", actor: interaction.user.id, reason });
  return { content: closed(found) };
}

/** `/ticket reopen` */
export async function reopen(
  { ctx }: CommandContext,
  interaction: ChatInputCommandInteraction,
): Promise<Reply> {
  const found = await expectTicketMeant(ctx, interaction);
  await reopenTicket(ctx, found, interaction.user.id);
  return { content: reopened(found) };
}

/** `/ticket transfer` */
export async function transfer(
  { ctx }: CommandContext,
  interaction: ChatInputCommandInteraction,
): Promise<Reply> {
  const found = await expectTicketMeant(ctx, interaction);
  const topic = interaction.options.getString("topic", true);
  const { name } = topicOf(topic);
  const notice = `This ticket is about ${name} now.`;
  await transferTicket(ctx, found, { topic, staffId: interaction.user.id, notice });
  return { content: `Ticket #${found.number} is about ${name} now.` };
}

/** `/ticket add` */
export async function add(
  { ctx, config }: CommandContext,
  interaction: ChatInputCommandInteraction,
): Promise<Reply> {
  const found = await expectTicketMeant(ctx, interaction);
  if (found.state === "closed") throw new Refusal("ticket_closed");
  const { id } = interaction.options.getUser("member", true);
  if (!interaction.inCachedGuild()) return { content: "The server can't be reached right now." };
  const member = interaction.options.getMember("member");
  if (!member) return { content: "They are not in this server." };
  const channel = interaction.guild.channels.cache.get(config.supportChannelId);
  if (channel?.permissionsFor(member).has(PermissionFlagsBits.ViewChannel) === false)
    return { content: "They can't see the support channel, so they can't see its threads." };
  await addGuest(ctx, found, { id, staffId: interaction.user.id });
  return { content: `<@${id}> can read ticket #${found.number} now.` };
}

/** `/ticket tag` */
export async function tag({ ctx }: CommandContext, interaction: ChatInputCommandInteraction): Promise<Reply> {
  const found = await expectTicketMeant(ctx, interaction);
  if (found.state === "closed") throw new Refusal("ticket_closed");
  const name = tagNames.find((one) => one === interaction.options.getString("name", true));
  if (!name) return { content: "There is no such tag." };
  const what = newId();
  await commit(ctx.store, [say(ctx, found.id, { what, text: tagText(name, found) })]);
  ctx.wake();
  return { content: await outcomeOfSaying(ctx, found, what) };
}

/** Reports the answer as said only once it has been. */
async function outcomeOfSaying(ctx: Ctx, { id, number }: Ticket, what: string): Promise<string> {
  const deadline = performance.now() + patienceMilliseconds;
  for (;;) {
    const { waits, isHeldUp } = await sayingOf(ctx, id, what);
    if (!waits) break;
    if (isHeldUp || performance.now() > deadline)
      return `Not posted yet: the thread of ticket #${number} can't be written to right now. It will be posted as soon as it can.`;
    await Bun.sleep(50);
  }
  // nothing is posted in a ticket that was closed meanwhile
  if ((await ticketById(ctx, id))?.state !== "open") throw new Refusal("ticket_closed");
  return `Posted in ticket #${number}.`;
}

import type { Context, Hono } from "hono";
import { z } from "zod";
import { refusals } from "../errors";
import { type Draft, edit, emptyDraft, mustSaySomething, publish } from "../guild/messages";
import { messageChangeOf, draftFrom } from "./drafts";
import { type Upload, check, readBody } from "./form";
import { form, numbered } from "./shapes/components";
import { newMessage } from "./shapes/messages";
import type { Interaction, Message } from "../rows";
import { messageJson } from "../wire/messages";
import type { World } from "../world";

const answerMs = 3000;
const tokenMs = 15 * 60_000;
const ephemeral = 64;

/** The first answer to an interaction, and changes to it. These calls need only the interaction's own token. */
export function interactionRoutes(world: World, api: Hono) {
  api.post("/interactions/:id/:token/callback", (c) => respond(world, c));
  const original = (c: Context): { interaction: Interaction; message: Message } => {
    const interaction = answeredInteraction(
      world,
      c.req.param("application") ?? "",
      c.req.param("token") ?? "",
    );
    const message = world.store.messages.get(interaction.original ?? "");
    if (!message || c.req.param("message") !== "@original") throw refusals.unknownMessage();
    return { interaction, message };
  };
  const path = "/webhooks/:application/:token/messages/:message";
  api.get(path, (c) => c.json(messageJson(world, original(c).message)));
  api.patch(path, async (c) => {
    const { interaction, message } = original(c);
    const change = await messageChangeOf(world, c);
    const now = world.store.interactions.get(interaction.id) ?? interaction;
    world.store.put("interactions", { ...now, thinking: false });
    return c.json(messageJson(world, edit(world, message.author_id, message, change)));
  });
}

const callback = z.object({ type: z.union([z.literal([4, 5, 9])]), data: z.unknown().optional() });
const deferral = z.object({ flags: z.int().nullish() });

async function respond(world: World, c: Context): Promise<Response> {
  const { json, files } = await readBody(c);
  const interaction = waitingInteraction(world, c.req.param("id") ?? "", c.req.param("token") ?? "");
  const { type, data } = check(callback, json);
  const answer = await answers[type](world, interaction, data ?? {}, files);
  world.store.put("interactions", { ...interaction, ...answer });
  return c.body(null, 204);
}

type Kind = z.infer<typeof callback>["type"];
type Answer = Partial<Interaction>;
type Answering = (
  world: World,
  interaction: Interaction,
  data: unknown,
  files: Upload[],
) => Promise<Answer> | Answer;

const answers: Record<Kind, Answering> = {
  async 4(world, interaction, data, files) {
    const draft = await draftFrom(world, check(newMessage, { ...Object(data) }), files);
    mustSaySomething(draft);
    const { id } = reply(world, interaction, draft);
    return { acknowledged: "message", original: id, messages: [id] };
  },
  5(world, interaction, data) {
    const flags = (check(deferral, data).flags ?? 0) & ephemeral;
    // stored first, because the message carries the "thinking" flag
    world.store.put("interactions", { ...interaction, thinking: true });
    const { id } = reply(world, interaction, { ...emptyDraft, flags });
    return { acknowledged: "deferred_message", original: id, messages: [id], thinking: true };
  },
  9(_world, _interaction, data) {
    const wanted = check(z.object({ data: form }), { data }).data;
    return { acknowledged: "modal", modal: { ...wanted, components: numbered(wanted.components) } };
  },
};

/** Only the user who asked sees an ephemeral answer. */
function reply(world: World, interaction: Interaction, draft: Draft): Message {
  const channel = world.store.channels.get(interaction.channel);
  if (!channel) throw refusals.unknownChannel();
  return publish(world, { author: world.known.botId, channel }, draft, {
    type: interaction.type === 2 ? 20 : 0,
    interaction: interaction.id,
    visible_to: (draft.flags & ephemeral) !== 0 ? interaction.user : null,
  });
}

/** An interaction without an answer. */
function waitingInteraction(world: World, id: string, token: string): Interaction {
  const interaction = world.store.interactions.get(id);
  if (!interaction || interaction.token !== token) throw refusals.unknownInteraction();
  if (interaction.acknowledged !== null) throw refusals.alreadyAcknowledged();
  if (world.now() - interaction.created > answerMs) throw refusals.unknownInteraction();
  return interaction;
}

/** An answered interaction by its token, which is valid for fifteen minutes. */
function answeredInteraction(world: World, application: string, token: string): Interaction {
  const [found] = world.store.interactions.group(token);
  if (!found || application !== world.known.applicationId) throw refusals.unknownWebhook();
  if (world.now() - found.created > tokenMs) throw refusals.invalidWebhookToken();
  if (found.acknowledged === null) throw refusals.unknownWebhook();
  return found;
}

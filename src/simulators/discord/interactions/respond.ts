import type { Context } from "hono";
import { z } from "zod";
import { invalidForm } from "../errors";
import { edit, publish } from "../guild/messages";
import { emptyDraft, mustSaySomething } from "../guild/draft";
import { changeFrom, draftFrom } from "../rest/drafts";
import { type Upload, check, readBody } from "../rest/form";
import { numbered } from "../rest/shapes/component-tree";
import { form } from "../rest/shapes/forms";
import { messageChange, newMessage } from "../rest/shapes/messages";
import type { Acknowledgement, Interaction, Message } from "../store/rows";
import { messageJson } from "../wire/messages";
import type { World } from "../world";
import { waiting } from "./find";

const callback = z.object({
  type: z.union([z.literal([1, 4, 5, 6, 7, 8, 9])]),
  data: z.unknown().optional(),
});
const choices = z.object({
  choices: z
    .array(z.object({ name: z.string().min(1).max(100), value: z.union([z.string().max(100), z.number()]) }))
    .max(25),
});
const deferral = z.object({ flags: z.int().nullish() });
const ephemeral = 64;

/** The bot's first answer. */
export async function respond(world: World, c: Context, id: string, token: string): Promise<Response> {
  const { json, files } = await readBody(c);
  const interaction = waiting(world, id, token);
  const { type, data } = check(callback, json);
  mustFit(interaction, type);
  const answer = await answers[type](world, interaction, data ?? {}, files);
  const stored = world.store.put("interactions", {
    ...interaction,
    acknowledged_at: world.now(),
    acknowledged: acknowledgements[type],
    ...answer,
  });
  if (c.req.query("with_response") !== "true") return c.body(null, 204);
  return c.json(told(world, stored, type));
}

type Kind = z.infer<typeof callback>["type"];
type Answer = Partial<Pick<Interaction, "original" | "messages" | "thinking" | "modal" | "choices">>;
type Answering = (
  world: World,
  interaction: Interaction,
  data: unknown,
  files: Upload[],
) => Promise<Answer> | Answer;

const acknowledgements: Record<Kind, Acknowledgement> = {
  1: "deferred_update",
  4: "message",
  5: "deferred_message",
  6: "deferred_update",
  7: "update",
  8: "autocomplete",
  9: "modal",
};

const answers: Record<Kind, Answering> = {
  1: () => ({}),
  async 4(world, interaction, data, files) {
    const draft = await draftFrom(world, check(newMessage, { ...Object(data) }), files);
    mustSaySomething(draft);
    const message = say(world, interaction, draft);
    return { original: message.id, messages: [message.id] };
  },
  5(world, interaction, data) {
    const flags = (check(deferral, data).flags ?? 0) & ephemeral;
    // Told before the interaction is stored as thinking, so it says so itself.
    world.store.put("interactions", { ...interaction, thinking: true });
    const message = say(world, interaction, { ...emptyDraft, flags });
    return { original: message.id, messages: [message.id], thinking: true };
  },
  6: (_world, interaction) => ({ original: interaction.message }),
  async 7(world, interaction, data, files) {
    const source = world.store.messages.get(interaction.message ?? "");
    if (!source) return { original: null };
    const change = await changeFrom(world, { body: check(messageChange, data), files }, source.flags);
    const edited = edit(world, source.author_id, source, change);
    return { original: edited.id, messages: [edited.id] };
  },
  8: (_world, _interaction, data) => ({ choices: check(choices, data).choices }),
  9(_world, _interaction, data) {
    const wanted = check(z.object({ data: form }), { data }).data;
    return { modal: { ...wanted, components: numbered(wanted.components) } };
  },
};

/** Says something in answer; an ephemeral answer is seen by the one who asked alone. */
export function say(world: World, interaction: Interaction, draft: typeof emptyDraft): Message {
  const channel = world.store.channels.get(interaction.channel);
  if (!channel) throw new Error(`no channel ${interaction.channel}`);
  return publish(
    world,
    { author: world.known.botId, channel },
    { ...draft, reply_to: null },
    {
      type: interaction.type === 2 && interaction.messages.length === 0 ? 20 : 0,
      interaction: interaction.id,
      visible_to: (draft.flags & ephemeral) !== 0 ? interaction.user : null,
    },
  );
}

function mustFit({ type, message }: Interaction, kind: Kind) {
  const update = kind === 6 || kind === 7;
  const fits =
    type === 4 ? kind === 8 : kind !== 8 && !(update && message === null) && !(kind === 9 && type === 5);
  if (!fits)
    throw invalidForm(
      "type",
      "INTERACTION_APPLICATION_COMMAND_INVALID_CALLBACK_TYPE",
      "Invalid interaction callback type",
    );
}

function told(world: World, interaction: Interaction, type: Kind) {
  const { id, original, thinking } = interaction;
  const message = original === null ? undefined : world.store.messages.get(original);
  const says = message && [4, 7].includes(type);
  return {
    interaction: {
      id,
      type: interaction.type,
      ...(message && {
        response_message_id: message.id,
        response_message_loading: thinking,
        response_message_ephemeral: message.visible_to !== null,
      }),
    },
    ...(says && { resource: { type, message: messageJson(world, message) } }),
  };
}

import type { Context, Hono } from "hono";
import { refusals } from "../errors";
import { edit, takeBack } from "../guild/messages";
import { type emptyDraft, mustSaySomething } from "../guild/draft";
import { changeOf, draftOf } from "../rest/drafts";
import type { Interaction, Message } from "../store/rows";
import { messageJson } from "../wire/messages";
import type { World } from "../world";
import { answered } from "./find";
import { respond, say } from "./respond";

/** Answers to interactions: the first one, what follows it, and changes to both. No token but the interaction's own is asked for. */
export function interactionRoutes(world: World, api: Hono) {
  api.post("/interactions/:id/:token/callback", (c) =>
    respond(world, c, c.req.param("id"), c.req.param("token")),
  );

  const place = "/webhooks/:application/:token";
  const find = (c: Context) => answered(world, c.req.param("application") ?? "", c.req.param("token") ?? "");
  const message = (c: Context, interaction: Interaction): Message => {
    const name = c.req.param("message") ?? "";
    const id = name === "@original" ? (interaction.original ?? "") : name;
    const found = world.store.messages.get(id);
    const own = found?.interaction === interaction.id || id === interaction.original;
    if (!found || !own) throw refusals.unknownMessage();
    return found;
  };

  api.post(place, async (c) => {
    const interaction = find(c);
    const { draft } = await draftOf(world, c);
    mustSaySomething(draft);
    return c.json(messageJson(world, followUp(world, interaction, draft)));
  });
  api.get(`${place}/messages/:message`, (c) => c.json(messageJson(world, message(c, find(c)))));
  api.patch(`${place}/messages/:message`, async (c) => {
    const interaction = find(c);
    const found = message(c, interaction);
    const change = await changeOf(world, c, found.flags);
    return c.json(messageJson(world, rewrite(world, interaction, found, change)));
  });
  api.delete(`${place}/messages/:message`, (c) => {
    const interaction = find(c);
    takeBack(world, message(c, interaction));
    touch(world, interaction.id, {});
    return c.body(null, 204);
  });
}

type Change = Parameters<typeof edit>[3];

/** While the first answer is still "thinking", what follows takes its place and stays as hidden as it was. */
function followUp(world: World, interaction: Interaction, draft: typeof emptyDraft): Message {
  const original = world.store.messages.get(interaction.original ?? "");
  if (interaction.thinking && original) return rewrite(world, interaction, original, draft);
  const said = say(world, interaction, draft);
  touch(world, interaction.id, { messages: [...interaction.messages, said.id] });
  return said;
}

function rewrite(world: World, interaction: Interaction, found: Message, change: Change): Message {
  const thinking = interaction.thinking && found.id !== interaction.original;
  const messages = [...new Set([...interaction.messages, found.id])];
  touch(world, interaction.id, { thinking, messages });
  return edit(world, found.author_id, found, change);
}

function touch(world: World, id: string, change: Partial<Interaction>) {
  const now = world.store.interactions.get(id);
  if (now) world.store.put("interactions", { ...now, ...change, edits: now.edits + 1 });
}

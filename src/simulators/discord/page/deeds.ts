import { Hono } from "hono";
import * as actions from "../control/actions";
import { type Answer, awaitAnswer } from "../control/answer";
import { changeBot } from "../control/bot";
import { ControlRefusal } from "../control/find";
import { choose, press, submit, useCommand } from "../control/interact";
import { DiscordRefusal } from "../errors";
import type { Gateway } from "../gateway/gateway";
import type { Interaction } from "../store/rows";
import type { World } from "../world";
import { sameOriginOnly } from "../../page-headers";
import { placeOf } from "./view";

type Form = Record<string, string | File | (string | File)[]>;
/** Where to go afterwards, where that is not back to where one came from. */
type Outcome = { problem?: string; form?: string; channel?: string } | undefined;
type Deed = (world: World, form: Form, gateway: Gateway) => Promise<Outcome> | Outcome;

/** What the page's forms do. */
export function pageDeeds(world: World, gateway: Gateway): Hono {
  const app = new Hono();
  app.post("/_do/:deed", sameOriginOnly, async (c) => {
    const form = await c.req.parseBody({ all: true });
    const deed = deeds[c.req.param("deed")];
    const outcome = deed ? await attempt(() => deed(world, form, gateway)) : { problem: "No such deed." };
    const { channel = word(form, "channel"), ...more } = outcome ?? {};
    return c.redirect(placeOf(word(form, "as"), channel, more), 303);
  });
  return app;
}

async function attempt(deed: () => Promise<Outcome> | Outcome): Promise<Outcome> {
  try {
    return await deed();
  } catch (error) {
    if (error instanceof ControlRefusal || error instanceof DiscordRefusal) return { problem: error.message };
    throw error;
  }
}

const deeds: Record<string, Deed> = {
  async say(world, form) {
    const files = await Promise.all(
      all(form, "files").flatMap((file) => (file instanceof File && file.size > 0 ? [given(file)] : [])),
    );
    actions.say(world, { ...who(form), content: word(form, "content"), reply_to: null, files });
    return undefined;
  },
  unsay(world, form) {
    actions.unsay(world, { ...who(form), message: word(form, "message") });
    return undefined;
  },
  press: (world, form) => told(world, press(world, { ...who(form), ...target(form) })),
  choose: (world, form) =>
    told(world, choose(world, { ...who(form), ...target(form), values: words(form, "value") })),
  command(world, form) {
    const options = prefixed(form, "option:");
    const [group, subcommand] = [word(form, "group") || undefined, word(form, "subcommand") || undefined];
    const single = Object.fromEntries(
      Object.entries(options).flatMap(([name, [value]]) => (value ? [[name, value]] : [])),
    );
    return told(
      world,
      useCommand(world, { ...who(form), command: word(form, "command"), group, subcommand, options: single }),
    );
  },
  submit(world, form) {
    const fields = Object.fromEntries(
      Object.entries(prefixed(form, "field:")).map(([name, values]) => [
        name,
        values.length === 1 ? values[0] : values,
      ]),
    );
    return told(world, submit(world, { ...who(form), interaction: word(form, "interaction"), fields }));
  },
  join: (world, form) => void actions.comeIn(world, who(form)),
  leave: (world, form) => void actions.goAway(world, who(form)),
  newcomer: (world, form) =>
    void actions.newcomer(world, {
      username: word(form, "username"),
      global_name: null,
      avatar: null,
      join: true,
      roles: [],
    }),
  role(world, form) {
    const chosen = word(form, "role");
    actions.changeRoles(world, {
      user: word(form, "user"),
      role: chosen.slice(1),
      give: chosen.startsWith("+"),
      by: word(form, "as"),
    });
    return undefined;
  },
  archive: (world, form) =>
    void actions.tendThread(world, {
      ...who(form),
      thread: word(form, "channel"),
      archived: word(form, "archived") === "yes",
    }),
  trouble(world, form, gateway) {
    troubles[word(form, "trouble")]?.(world, gateway);
    return undefined;
  },
};

const failing = { count: 1, when: "before", scope: "user", retryAfter: 2 } as const;
const troubles: Record<string, (world: World, gateway: Gateway) => void> = {
  "api-away": ({ faults }) => (faults.api.away = !faults.api.away),
  "gateway-away"({ faults }, gateway) {
    faults.gateway.away = !faults.gateway.away;
    if (faults.gateway.away) gateway.cut({});
  },
  "gateway-mute": ({ faults }) => (faults.gateway.mute = !faults.gateway.mute),
  cut: (_world, gateway) => void gateway.cut({}),
  reconnect: (_world, gateway) => void gateway.reconnect(),
  "429": ({ faults }) => void faults.api.next.push({ ...failing, fail: 429 }),
  "500": ({ faults }) => void faults.api.next.push({ ...failing, fail: 500 }),
  role(world, gateway) {
    const { botRoleId, premiumRoleId } = world.known;
    const [own, premium] = [botRoleId, premiumRoleId].map((id) => world.store.roles.get(id)?.position ?? 0);
    changeBot(world, gateway, { role: (own ?? 0) > (premium ?? 0) ? "below" : "above" });
  },
};

/** A page can't wait as long as a person: what comes later is shown when it comes. */
async function told(world: World, interaction: Interaction): Promise<Outcome> {
  world.store.save();
  const answer: Answer = await awaitAnswer(world, interaction.id, {
    until: "ack",
    messages: 0,
    timeout_ms: 3100,
  });
  if (answer.acknowledged === null) return { problem: "The application did not respond." };
  return answer.modal === null ? undefined : { form: interaction.id };
}

const who = (form: Form) => ({ user: word(form, "as"), channel: word(form, "channel") });
const target = (form: Form) => ({ message: word(form, "message"), custom_id: word(form, "custom_id") });

function all(form: Form, name: string): (string | File)[] {
  return [form[name] ?? []].flat();
}

function words(form: Form, name: string): string[] {
  return all(form, name).filter((value) => typeof value === "string" && value !== "") as string[];
}

function word(form: Form, name: string): string {
  return words(form, name)[0] ?? "";
}

function prefixed(form: Form, prefix: string): Record<string, string[]> {
  const names = Object.keys(form).filter((name) => name.startsWith(prefix));
  return Object.fromEntries(names.map((name) => [name.slice(prefix.length), words(form, name)]));
}

async function given(file: File) {
  const base64 = Buffer.from(await file.arrayBuffer()).toString("base64");
  return { filename: file.name, content_type: file.type || undefined, base64 };
}

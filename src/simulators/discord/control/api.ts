import { type Context, Hono } from "hono";
import type { z } from "zod";
import { DiscordRefusal } from "../errors";
import { type Faults, noFaults } from "../faults";
import type { Gateway } from "../gateway/gateway";
import { sameOriginOnly } from "../../page-headers";
import { emptyTally } from "../rest/tally";
import type { Settings } from "../settings";
import type { Interaction } from "../store/rows";
import { messageJson } from "../wire/messages";
import type { World } from "../world";
import * as actions from "./actions";
import { type Patience, answerOf, awaitAnswer } from "./answer";
import { changeBot } from "./bot";
import { ControlRefusal, channelOf, personOf } from "./find";
import { choose, press, submit, useCommand } from "./interact";
import { holders, peopleOf, readBy, stateOf, tallyOf, visibleTo } from "./report";
import { type Body, shapes } from "./shapes";

/** The control's JSON calls under `/_control`; README.md beside this folder lists them. */
export function controlApi(world: World, gateway: Gateway, settings: Settings): Hono {
  const app = new Hono();
  app.use("/_control/*", sameOriginOnly);
  app.onError(refuse);
  function act<T>(path: string, shape: z.ZodType<T>, does: (body: T) => object | Promise<object>) {
    app.post(`/_control/${path}`, async (c) => c.json(await does(shape.parse(await c.req.json()))));
  }
  people(world, app, act);
  interactions(world, app, act);
  messages(world, app, act);

  app.get("/_control/state", (c) => c.json(stateOf(world, gateway)));
  app.get("/_control/tally", (c) => c.json(tallyOf(world)));
  app.delete("/_control/tally", (c) => {
    world.tally = emptyTally();
    return c.json(tallyOf(world));
  });
  act("bot", shapes.bot, (body) => changeBot(world, gateway, body));
  act("gateway", shapes.gateway, (body) => {
    const deeds = {
      cut: () => gateway.cut({ code: body.code, end: body.end }),
      reconnect: () => gateway.reconnect(),
      invalidate: () => gateway.invalidate(body.resumable),
    };
    return { connections: deeds[body.do]() };
  });
  act("limits", shapes.limits, (body) => Object.assign(world.limits, body));
  act("faults", shapes.faults, (body) => changeFaults(world, gateway, body));
  app.get("/_control/faults", (c) => c.json(world.faults));
  app.delete("/_control/faults", (c) => {
    world.faults = noFaults();
    return c.json(world.faults);
  });
  act("clock", shapes.clock, ({ advance_seconds }) => {
    settings.advanceClock(advance_seconds * 1000);
    return { now: new Date(world.now()).toISOString() };
  });
  return app;
}

type Act = <T>(path: string, shape: z.ZodType<T>, does: (body: T) => object | Promise<object>) => void;

function people(world: World, app: Hono, act: Act) {
  app.get("/_control/members", (c) => c.json({ members: peopleOf(world) }));
  app.get("/_control/holders", (c) => c.json({ holders: holders(world, c.req.query("role") ?? "Premium") }));
  act("members", shapes.member, (body) => actions.newcomer(world, body));
  act("members/rename", shapes.rename, (body) => actions.rename(world, body));
  act("seed-members", shapes.seed, (body) => ({ members: actions.seedMembers(world, body) }));
  act("join", shapes.one, (body) => actions.comeIn(world, body));
  act("leave", shapes.one, (body) => actions.goAway(world, body));
  for (const how of ["kick", "ban", "unban"] as const)
    act(how, shapes.removal, (body) => actions.remove(world, how, body));
  act("roles", shapes.role, (body) => actions.changeRoles(world, body));
  act("roles/delete", shapes.role.pick({ role: true }), (body) => actions.removeRole(world, body));
  act("authorize", shapes.authorize, (body) => actions.authorize(world, body));
  act("deauthorize", shapes.one, (body) => actions.deauthorize(world, body));
  act("dm", shapes.dm, (body) => actions.closeDirect(world, body));
}

function interactions(world: World, app: Hono, act: Act) {
  const answered = (interaction: Interaction, patience: Patience) => {
    world.store.save();
    return awaitAnswer(world, interaction.id, patience);
  };
  act("interact/slash", shapes.slash, (body) => answered(useCommand(world, body), body));
  act("interact/autocomplete", shapes.autocomplete, (body) =>
    answered(useCommand(world, { ...body, autocomplete: true }), body),
  );
  act("interact/button", shapes.button, (body) => answered(press(world, body), body));
  act("interact/select", shapes.select, (body) => answered(choose(world, body), body));
  act("interact/modal", shapes.modal, (body) => answered(submit(world, body), body));
  app.get("/_control/interactions/:id", (c) => {
    const answer = answerOf(world, c.req.param("id"));
    return answer ? c.json(answer) : c.json({ error: "no such interaction" }, 404);
  });
}

function messages(world: World, app: Hono, act: Act) {
  act("messages", shapes.write, (body) => messageJson(world, actions.say(world, body)));
  act("messages/edit", shapes.edit, (body) => messageJson(world, actions.sayOtherwise(world, body)));
  act("messages/delete", shapes.erase, (body) => ({ deleted: actions.unsay(world, body).id }));
  act("threads", shapes.thread, (body) => actions.tendThread(world, body));
  act("channels/create", shapes.newPlace, (body) => actions.addChannel(world, body));
  act("channels/overwrite", shapes.overwrite, (body) => actions.overwrite(world, body));
  act("channels/delete", shapes.place, (body) => actions.removeChannel(world, body));
  app.get("/_control/channels/:channel/messages", (c) => {
    const channel = channelOf(world, c.req.param("channel"));
    const user = personOf(world, c.req.query("as") ?? world.known.ownerId).id;
    return c.json({ messages: readBy(world, user, channel, limitOf(c)) });
  });
  app.get("/_control/visible", (c) =>
    c.json({ channels: visibleTo(world, c.req.query("as") ?? world.known.ownerId, limitOf(c)) }),
  );
}

function limitOf(c: Context): number {
  return Math.max(1, Number(c.req.query("limit") ?? 100));
}

/** Sets the switches that are named and leaves the others. */
function changeFaults(world: World, gateway: Gateway, { api, gateway: line }: Body<"faults">): Faults {
  Object.assign(world.faults.api, api);
  Object.assign(world.faults.gateway, line);
  if (line?.away) gateway.cut({});
  return world.faults;
}

function refuse(error: Error, c: Context): Response {
  if (error instanceof ControlRefusal) return c.json({ error: error.message }, 409);
  if (error instanceof DiscordRefusal) return c.json({ error: error.message, code: error.code }, 409);
  if (error.name === "ZodError" || error instanceof SyntaxError) return c.json({ error: error.message }, 400);
  console.error(error);
  return c.json({ error: "The stand-in failed; its log says how." }, 500);
}

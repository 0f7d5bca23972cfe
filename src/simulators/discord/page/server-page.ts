import { Hono } from "hono";
import { html } from "hono/html";
import type { Gateway } from "../gateway/gateway";
import { nextChange } from "../control/answer";
import { can } from "../guild/standing";
import type { Channel } from "../store/rows";
import type { World } from "../world";
import { hidden } from "./components";
import { type Content, document } from "./document";
import { pageHeaders } from "../../page-headers";
import { messagesHtml } from "./messages";
import { peopleHtml } from "./people";
import { troubleHtml } from "./trouble";
import { type View, channelsOf, placeOf, viewOf } from "./view";
import { formHtml, writingHtml } from "./writing";

const waitMs = 25_000;

/** The page at `/`: the server as a person sees it. */
export function serverPage(world: World, gateway: Gateway): Hono {
  const app = new Hono();
  app.get("/", (c) => {
    pageHeaders(c);
    return c.html(page(viewOf(world, c.req.query(), gateway.sessions() > 0)));
  });
  app.get("/_page/wait", async (c) => {
    if (c.req.query("since") === String(world.changed.count())) await nextChange(world, waitMs);
    return c.text(String(world.changed.count()));
  });
  return app;
}

function page(view: View): Content {
  const { world, me, inside, channel, problem } = view;
  const name = world.store.setting("guild_name") ?? "";
  return document(
    `${name} – Discord stand-in`,
    html`<div class="app" data-change="${world.changed.count()}">
      <header>
        <h1>${name}</h1>
        <span class="quiet">Discord stand-in, nothing leaves this machine</span>
        ${whoAmI(view)}
      </header>
      <nav aria-label="Channels">${channelList(view)} ${troubleHtml(view)}</nav>
      <main>
        ${problem === undefined ? "" : html`<p class="problem" role="alert">${problem}</p>`} ${formHtml(view)}
        ${inside ? heading(view, channel) : html`<p>${me.global_name ?? me.username} is not in this server.</p>`}
        ${messagesHtml(view)} ${writingHtml(view)}
      </main>
      <aside aria-label="Members">${peopleHtml(view)}</aside>
    </div>`,
    true,
  );
}

function whoAmI(view: View): Content {
  const { world, me, inside } = view;
  const people = world.store.users.all().filter(({ bot }) => !bot);
  return html`<form class="me">
      <label>
        You are
        <input type="text" name="as" list="people" value="${me.username}" />
      </label>
      <datalist id="people">
        ${people.slice(0, 200).map(({ username, global_name }) => html`<option value="${username}">${global_name ?? ""}</option>`)}
      </datalist>
      <button>Be somebody else</button>
    </form>
    <form method="post" action="/_do/${inside ? "leave" : "join"}">
      ${hidden(view)}<button class="plain">${inside ? "Leave the server" : "Join the server"}</button>
    </form>`;
}

function channelList({ world, me, channel }: View): Content {
  return html`<ul>
    ${channelsOf(world, me.id).map((one) => {
      const current = one.id === channel?.id;
      return html`<li class="${one.thread ? "thread" : ""}">
        <a href="${placeOf(me.id, one.id)}" ${current ? html`aria-current="page"` : ""}
          >${nameOf(world, one)}</a
        >
      </li>`;
    })}
  </ul>`;
}

function nameOf(world: World, { type, name, thread }: Channel): string {
  if (type === 1) return `@ ${world.store.users.get(world.known.botId)?.username ?? ""}`;
  const state = thread?.locked ? " (locked)" : thread?.archived ? " (archived)" : "";
  return `${thread ? "↳" : "#"} ${name}${type === 12 ? " (private)" : ""}${state}`;
}

function heading(view: View, channel: Channel | null): Content {
  if (!channel) return html``;
  const { world, me } = view;
  const keeper =
    channel.thread && (can(world, me.id, "MANAGE_THREADS", channel) || channel.owner_id === me.id);
  const archived = channel.thread?.archived === true;
  return html`<div class="heading">
    <h2>${nameOf(world, channel)}</h2>
    <span class="quiet">${channel.topic ?? ""}</span>
    ${
      keeper
        ? html`<form method="post" action="/_do/archive">
            ${hidden(view, { archived: archived ? "no" : "yes" })}
            <button class="small plain">${archived ? "Open again" : "Archive"}</button>
          </form>`
        : ""
    }
  </div>`;
}

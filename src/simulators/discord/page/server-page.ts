import { Hono } from "hono";
import { html } from "hono/html";
import { type Content, document, pageHeaders } from "../../base/page";
import type { DiscordActions } from "../control/actions";
import type { Gateway } from "../gateway/gateway";
import { type Answer, nextChange } from "../control/answer";
import { can } from "../guild/permissions";
import type { Channel } from "../rows";
import type { World } from "../world";
import { messagesHtml } from "./messages";
import { peopleHtml } from "./people";
import { type View, channelsOf, formsOf, viewOf } from "./view";
import { modalHtml, writingHtml } from "./writing";

const waitMs = 25_000;

/** The page at `/` shows the server as one user sees it; also serves the files of messages. */
export function serverPage(world: World, gateway: Gateway, actions: DiscordActions): Hono {
  const app = new Hono();
  app.get("/", (c) => {
    pageHeaders(c);
    return c.html(page(viewOf(world, c.req.query(), { actions, botOnline: gateway.sessions() > 0 })));
  });
  app.get("/_page/wait", async (c) => {
    if (c.req.query("since") === String(world.changes)) await nextChange(world, waitMs);
    return c.text(String(world.changes));
  });
  app.get("/attachments/:channel/:id/:name", (c) => {
    const found = world.store.attachments.get(c.req.param("id"));
    if (!found) return c.text("Not found", 404);
    return new Response(Buffer.from(found.base64, "base64"), {
      headers: {
        "content-type": shown.test(found.content_type) ? found.content_type : "application/octet-stream",
        "x-content-type-options": "nosniff",
        "content-security-policy": "sandbox; default-src 'none'",
      },
    });
  });
  app.get("/stickers/:name", () => new Response(picture, { headers: { "content-type": "image/png" } }));
  return app;
}

/** Every sticker's: one transparent pixel. */
const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** File types that a browser may display; it saves other files. */
const shown = /^(image\/(png|jpeg|gif|webp)|text\/plain)/;

function page(view: View): Content {
  const { world, me, inside, channel, problem } = view;
  const name = world.store.setting("guild_name") ?? "";
  return document(
    `${name} – Discord simulator`,
    html`<div class="app" data-change="${world.changes}">
      <header>
        <h1>${name}</h1>
        <span class="quiet">Discord simulator, nothing leaves this machine</span>
        ${whoAmI(view)}
      </header>
      <nav aria-label="Channels">${channelList(view)} ${troubleHtml(view)}</nav>
      <main>
        ${problem === undefined ? "" : html`<p class="problem" role="alert">${problem}</p>`}
        ${modalHtml(view)}
        ${inside ? heading(view, channel) : html`<p>${me.global_name ?? me.username} is not in this server.</p>`}
        ${messagesHtml(view)} ${writingHtml(view)}
      </main>
      <aside aria-label="Members">${peopleHtml(view)}</aside>
    </div>`,
    { sheets: ["page.css", "server.css"], script: "live.js" },
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
      <button>Switch</button>
    </form>
    ${formsOf(view)(
      inside ? "leave" : "join",
      { user: me.id },
      html`<button class="plain">${inside ? "Leave the server" : "Join the server"}</button>`,
    )}`;
}

function channelList({ world, me, channel }: View): Content {
  return html`<ul>
    ${channelsOf(world, me.id).map((one) => {
      const current = one.id === channel?.id;
      return html`<li class="${one.thread ? "thread" : ""}">
        <a href="/?as=${me.id}&amp;channel=${one.id}" ${current ? html`aria-current="page"` : ""}
          >${nameOf(one)}</a
        >
      </li>`;
    })}
  </ul>`;
}

function nameOf({ name, thread }: Channel): string {
  if (!thread) return `# ${name}`;
  return `↳ ${name}${thread.locked ? " (locked)" : thread.archived ? " (archived)" : ""}`;
}

function heading(view: View, channel: Channel | null): Content {
  if (!channel) return html``;
  const { world, me } = view;
  const moderates = channel.thread && can(world, me.id, "MANAGE_THREADS", channel);
  const archived = channel.thread?.archived !== true;
  return html`<div class="row">
    <h2>${nameOf(channel)}</h2>
    <span class="quiet">${channel.topic ?? ""}</span>
    ${
      moderates
        ? formsOf(view)(
            "threads",
            { user: me.id, thread: channel.id, archived },
            html`<button class="small plain">${archived ? "Archive" : "Open again"}</button>`,
          )
        : ""
    }
  </div>`;
}

/** Faults, the bot's rights, and statistics of the calls. */
function troubleHtml({ world, control }: View): Content {
  const { faults, tally } = world;
  return html`<details>
    <summary>Trouble <span class="quiet">${tally.requests} calls, ${tally.invalid} invalid</span></summary>
    ${control("faults", {}, { now: faults })} ${control("gateway")} ${control("bot")}
  </details>`;
}

/** The page's parameters after an action: the form that the bot opened, or a note that it did not answer. */
export function actionOutcome(answer: object): Record<string, string> {
  if (!("acknowledged" in answer)) return {};
  const { acknowledged, modal, interaction } = answer as Answer;
  if (acknowledged === null) return { problem: "The application did not respond." };
  return modal === null ? {} : { form: interaction };
}

import { html } from "hono/html";
import { sees } from "../guild/messages";
import { can } from "../guild/standing";
import { snowflakeTime } from "../ids";
import type { Attachment, Json, Message } from "../store/rows";
import type { World } from "../world";
import { attachmentJson, messageJson } from "../wire/messages";
import { displayName } from "../wire/people";
import { componentsHtml, hidden, listOf, wordOf } from "./components";
import type { Content } from "./document";
import { textHtml } from "./text";
import type { View } from "./view";

const shown = 100;

export function messagesHtml(view: View): Content {
  const { world, channel, me } = view;
  if (!channel) return html`<p class="quiet">There is nothing that you may see here.</p>`;
  const history = can(world, me.id, "READ_MESSAGE_HISTORY", channel);
  const all = world.store.messages.group(channel.id).filter((one) => sees(one, me.id) && history);
  return html`<ol id="messages" tabindex="0" aria-label="Messages">
    ${all.length === 0 ? html`<li class="quiet">Nothing was said yet.</li>` : ""}
    ${all.slice(-shown).map((one) => messageHtml(view, one))}
  </ol>`;
}

function messageHtml(view: View, message: Message): Content {
  const { world, me } = view;
  const author = world.store.users.get(message.author_id);
  const interaction = message.interaction ? world.store.interactions.get(message.interaction) : undefined;
  const thinking = interaction?.original === message.id && interaction.thinking;
  const mine = message.author_id === me.id || can(world, me.id, "MANAGE_MESSAGES", view.channel ?? undefined);
  return html`<li class="${message.visible_to === null ? "" : "ephemeral"}" id="m${message.id}">
    <div class="by">
      <strong>${displayName(world, message.author_id)}</strong>
      ${author?.bot ? html`<span class="badge">APP</span>` : ""}
      <time>${new Date(snowflakeTime(message.id)).toISOString().slice(11, 19)}</time>
      ${message.edited_timestamp === null ? "" : html`<span class="quiet">(edited)</span>`}
      ${mine && message.visible_to === null ? remover(view, message) : ""}
    </div>
    ${interaction?.command ? html`<p class="quiet">${displayName(world, interaction.user)} used /${interaction.command}</p>` : ""}
    ${message.reply_to === null ? "" : html`<p class="quiet">answers ${quote(view, message.reply_to)}</p>`}
    ${thinking ? html`<p class="quiet">thinking…</p>` : ""} ${systemText(view, message)}
    ${message.content === "" || message.type === 4 ? "" : html`<p class="text">${textHtml(world, message.content)}</p>`}
    ${message.embeds.map((embed) => embedHtml(view, embed))}
    ${message.attachments.flatMap((id) => world.store.attachments.get(id) ?? []).map((one) => fileHtml(view, message, one))}
    ${componentsHtml(view, message, shownComponents(world, message))}
    ${message.visible_to === null ? "" : html`<p class="quiet">Only you can see this.</p>`}
  </li>`;
}

/** With the addresses of the files that they show, on this page's own host. */
function shownComponents(world: World, message: Message): Json[] {
  const json = messageJson(world, message, false);
  return "components" in json ? listOf(json.components) : [];
}

function systemText({ world }: View, message: Message): Content | "" {
  const [user] = message.mentions.users;
  const name = user === undefined ? "" : displayName(world, user);
  const said: Record<number, string> = {
    1: `added ${name} to the thread`,
    2: `took ${name} out of the thread`,
    4: `renamed the thread: ${message.content}`,
  };
  const text = said[message.type];
  return text === undefined ? "" : html`<p class="quiet">${text}</p>`;
}

function remover(view: View, message: Message): Content {
  return html`<form method="post" action="/_do/unsay">
    ${hidden(view, { message: message.id })}
    <button class="small plain" aria-label="Delete this message">Delete</button>
  </form>`;
}

function quote({ world }: View, id: string): string {
  const message = world.store.messages.get(id);
  return message
    ? `${displayName(world, message.author_id)}: ${message.content.slice(0, 80)}`
    : "a deleted message";
}

function embedHtml({ world }: View, embed: Json): Content {
  const text = (key: string) => textHtml(world, wordOf(embed[key]));
  const footer = embed["footer"] as Json | undefined;
  return html`<div class="container">
    ${embed["title"] ? html`<p><strong>${text("title")}</strong></p>` : ""}
    ${embed["description"] ? html`<p class="text">${text("description")}</p>` : ""}
    <dl>
      ${listOf(embed["fields"]).map(
        (field) =>
          html`<div>
            <dt>${textHtml(world, wordOf(field["name"]))}</dt>
            <dd class="text">${textHtml(world, wordOf(field["value"]))}</dd>
          </div>`,
      )}
    </dl>
    ${footer ? html`<p class="quiet">${wordOf(footer["text"])}</p>` : ""}
  </div>`;
}

function fileHtml({ world }: View, message: Message, attachment: Attachment): Content {
  const { url } = attachmentJson(world, message.channel_id, attachment);
  const path = new URL(url).pathname;
  if (!/^image\/(png|jpeg|gif|webp)$/.test(attachment.content_type))
    return html`<p>
      <a href="${path}">${attachment.filename}</a> <span class="quiet">${attachment.size} bytes</span>
    </p>`;
  return html`<p>
    <a href="${path}"><img src="${path}" alt="${attachment.description ?? attachment.filename}" /></a>
  </p>`;
}

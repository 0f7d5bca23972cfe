import { html } from "hono/html";
import type { Content } from "../../base/page";
import { sees } from "../guild/messages";
import { can } from "../guild/permissions";
import { snowflakeTime } from "../ids";
import type { Button } from "../rest/shapes/components";
import type { Attachment, Embed, Message } from "../rows";
import type { World } from "../world";
import { attachmentJson } from "../wire/messages";
import { displayName } from "../wire/people";
import { briefly, formsOf, type View } from "./view";

const shown = 100;

export function messagesHtml(view: View): Content {
  const { world, channel, me } = view;
  if (!channel) return html`<p class="quiet">You can see no channel here.</p>`;
  const history = can(world, me.id, "READ_MESSAGE_HISTORY", channel);
  const all = world.store.messages.group(channel.id).filter((one) => sees(one, me.id) && history);
  return html`<ol id="messages" tabindex="0" aria-label="Messages">
    ${all.length === 0 ? html`<li class="quiet">No messages yet.</li>` : ""}
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
    <div class="row by">
      <strong>${displayName(world, message.author_id)}</strong>
      ${author?.bot ? html`<span class="badge">APP</span>` : ""}
      <time>${new Date(snowflakeTime(message.id)).toISOString().slice(11, 19)}</time>
      ${message.edited_timestamp === null ? "" : html`<span class="quiet">(edited)</span>`}
      ${mine && message.visible_to === null ? remover(view, message) : ""}
    </div>
    ${interaction?.command ? html`<p class="quiet">${displayName(world, interaction.user)} used /${interaction.command}</p>` : ""}
    ${thinking ? html`<p class="quiet">thinking…</p>` : ""} ${systemText(view, message)}
    ${message.content === "" ? "" : html`<p class="text">${textHtml(world, message.content)}</p>`}
    ${message.embeds.map((embed) => embedHtml(view, embed))}
    ${message.attachments.flatMap((id) => world.store.attachments.get(id) ?? []).map((one) => fileHtml(view, message, one))}
    ${message.stickers.map(({ name }) => html`<p class="quiet">sticker ${name}</p>`)}
    ${
      message.snapshot
        ? html`<p class="quiet">forwarded</p>
            <p class="text">${textHtml(world, message.snapshot.content)}</p>`
        : ""
    }
    ${componentsHtml(view, message)}
    ${message.visible_to === null ? "" : html`<p class="quiet">Only you can see this.</p>`}
  </li>`;
}

function systemText({ world }: View, { type, mentions }: Message): Content {
  const [user] = mentions.users;
  if (type !== 1 || user === undefined) return "";
  return html`<p class="quiet">added ${displayName(world, user)} to the thread</p>`;
}

function remover(view: View, message: Message): Content {
  const button = html`<button class="small plain" aria-label="Delete this message">Delete</button>`;
  return formsOf(view)("messages/delete", { user: view.me.id, message: message.id }, button);
}

function embedHtml({ world }: View, { author, title, description, fields = [] }: Embed): Content {
  return html`<div class="card">
    ${author ? html`<p>${textHtml(world, author.name)}</p>` : ""}
    ${title ? html`<p><strong>${textHtml(world, title)}</strong></p>` : ""}
    ${description ? html`<p class="text">${textHtml(world, description)}</p>` : ""}
    <dl>
      ${fields.map(
        ({ name, value }) =>
          html`<div>
            <dt>${textHtml(world, name)}</dt>
            <dd class="text">${textHtml(world, value)}</dd>
          </div>`,
      )}
    </dl>
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
    <a href="${path}"><img src="${path}" alt="${attachment.filename}" /></a>
  </p>`;
}

const styles = ["", "primary", "secondary", "success", "danger", "link"];

/** A message's rows of buttons. */
function componentsHtml(view: View, message: Message): Content[] {
  return message.components.map(
    ({ components }) =>
      html`<div class="row">${components.map((one) => buttonHtml(view, message, one))}</div>`,
  );
}

function buttonHtml(view: View, { id: message }: Message, one: Button): Content {
  const text = [one.emoji?.name, one.label].filter(Boolean).join(" ");
  const style = styles[one.style];
  if (one.style === 5)
    return html`<a class="button ${style}" href="${one.url}" rel="noreferrer">${text} ↗</a>`;
  const given = { user: view.me.id, message, custom_id: one.custom_id, ...briefly };
  const disabled = one.disabled ? "disabled" : "";
  return formsOf(view)("interact/button", given, html`<button class="${style}" ${disabled}>${text}</button>`);
}

const marks = /<(@!?|@&|#)(\d+)>|<t:(\d+)(?::\w)?>|\*\*([^*]+)\*\*|`{3}\n([^`]+)\n`{3}|`([^`]+)`/g;

/** A text with names in place of mentions, bold, code and times. */
function textHtml(world: World, text: string): Content[] {
  const parts: Content[] = [];
  let from = 0;
  for (const mark of text.matchAll(marks)) {
    parts.push(html`${text.slice(from, mark.index)}`, renderMark(world, mark));
    from = mark.index + mark[0].length;
  }
  parts.push(html`${text.slice(from)}`);
  return parts;
}

function renderMark(
  world: World,
  [whole, kind, id = "", time, bold, block, code]: RegExpMatchArray,
): Content {
  if (bold !== undefined) return html`<strong>${bold}</strong>`;
  if (block !== undefined || code !== undefined) return html`<code>${block ?? code}</code>`;
  if (time !== undefined)
    return html`<time>${new Date(Number(time) * 1000).toISOString().slice(0, 16)}</time>`;
  if (kind === "#")
    return html`<span class="mention"
      >#${world.store.channels.get(id)?.name.replace(/^#/, "") ?? "unknown"}</span
    >`;
  if (kind === "@&")
    return html`<span class="mention">@${world.store.roles.get(id)?.name ?? "unknown"}</span>`;
  if (kind === undefined) return html`${whole}`;
  return html`<span class="mention">@${displayName(world, id)}</span>`;
}

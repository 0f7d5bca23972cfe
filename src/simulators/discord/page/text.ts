import { html } from "hono/html";
import { displayName } from "../wire/people";
import type { World } from "../world";
import type { Content } from "./document";

const marks = /<(@!?|@&|#)(\d+)>|<t:(\d+)(?::\w)?>|\*\*([^*]+)\*\*|`([^`]+)`/g;

/** A text as people see it: names in place of mentions, bold, code and times. */
export function textHtml(world: World, text: string): Content[] {
  const parts: Content[] = [];
  let from = 0;
  for (const mark of text.matchAll(marks)) {
    parts.push(html`${text.slice(from, mark.index)}`, marked(world, mark));
    from = mark.index + mark[0].length;
  }
  parts.push(html`${text.slice(from)}`);
  return parts;
}

function marked(world: World, [whole, kind, id = "", time, bold, code]: RegExpMatchArray): Content {
  if (bold !== undefined) return html`<strong>${bold}</strong>`;
  if (code !== undefined) return html`<code>${code}</code>`;
  if (time !== undefined)
    return html`<time>${new Date(Number(time) * 1000).toISOString().slice(0, 16)}</time>`;
  if (kind === "#")
    return html`<span class="mention">#${world.store.channels.get(id)?.name ?? "unknown"}</span>`;
  if (kind === "@&")
    return html`<span class="mention">@${world.store.roles.get(id)?.name ?? "unknown"}</span>`;
  if (kind === undefined) return html`${whole}`;
  return html`<span class="mention">@${displayName(world, id)}</span>`;
}

import { html } from "hono/html";
import type { Json, Message } from "../store/rows";
import type { Content } from "./document";
import { textHtml } from "./text";
import type { View } from "./view";

const styles = ["", "primary", "secondary", "success", "danger", "link", "premium"];

/** A message's components, to be pressed and chosen from. */
export function componentsHtml(view: View, message: Message, components: Json[]): Content[] {
  return components.map((one) => componentHtml(view, message, one));
}

function componentHtml(view: View, message: Message, one: Json): Content {
  const inner = () => componentsHtml(view, message, listOf(one["components"]));
  switch (one["type"]) {
    case 1:
      return html`<div class="row">${inner()}</div>`;
    case 2:
      return buttonHtml(view, message, one);
    case 9:
      return html`<div class="section">
        <div>${inner()}</div>
        ${componentHtml(view, message, one["accessory"] as Json)}
      </div>`;
    case 10:
      return html`<p class="text">${textHtml(view.world, String(one["content"]))}</p>`;
    case 11:
      return picture(one);
    case 12:
      return html`<div class="row">${listOf(one["items"]).map(picture)}</div>`;
    case 13:
      return html`<p><a href="${urlOf(one["file"])}">${urlOf(one["file"])}</a></p>`;
    case 14:
      return html`<hr />`;
    case 17:
      return html`<div class="container">${inner()}</div>`;
    default:
      return selectHtml(view, message, one);
  }
}

function buttonHtml(view: View, message: Message, one: Json): Content {
  const text = `${emojiOf(one)}${wordOf(one["label"])}`;
  const style = styles[Number(one["style"])] ?? "";
  if (one["url"] !== undefined)
    return html`<a class="button ${style}" href="${wordOf(one["url"])}" rel="noreferrer">${text} ↗</a>`;
  return html`<form method="post" action="/_do/press">
    ${hidden(view, { message: message.id, custom_id: wordOf(one["custom_id"]) })}
    <button class="${style}" ${one["disabled"] === true ? "disabled" : ""}>${text}</button>
  </form>`;
}

function selectHtml(view: View, message: Message, one: Json): Content {
  return html`<form method="post" action="/_do/choose" class="select">
    ${hidden(view, { message: message.id, custom_id: wordOf(one["custom_id"]) })}
    ${choices(view, one, "value", wordOf(one["placeholder"]) || "Choose")}
    <button ${one["disabled"] === true ? "disabled" : ""}>Choose</button>
  </form>`;
}

/** A select element for any kind of select; people, roles and channels as far as there is room. */
export function choices(view: View, one: Json, name: string, label: string): Content {
  const several = Number(one["max_values"] ?? 1) > 1 || one["type"] === 22;
  return html`<select name="${name}" aria-label="${label}" ${several ? "multiple" : ""}>
    ${several ? "" : html`<option value="">${label}</option>`}
    ${optionsOf(view, one).map(
      ({ value, text, chosen }) =>
        html`<option value="${value}" ${chosen ? "selected" : ""}>${text}</option>`,
    )}
  </select>`;
}

const plain = (id: string, text: string) => ({ value: id, text, chosen: false });
type Choice = { value: string; text: string; chosen: boolean };

function optionsOf({ world }: View, one: Json): Choice[] {
  if (one["type"] === 6) return world.store.roles.all().map(({ id, name }) => plain(id, name));
  if (one["type"] === 8) return world.store.channels.all().map(({ id, name }) => plain(id, `#${name}`));
  if (one["type"] === 5 || one["type"] === 7)
    return world.store.members
      .all()
      .slice(0, 200)
      .map(({ id }) => plain(id, world.store.users.get(id)?.username ?? id));
  return listOf(one["options"]).map((option) => ({
    value: wordOf(option["value"]),
    text: `${emojiOf(option)}${wordOf(option["label"])}`,
    chosen: option["default"] === true,
  }));
}

/** Who acts where, for every form of the page. */
export function hidden({ me, channel }: View, more: Record<string, string> = {}): Content[] {
  const fields = { as: me.id, channel: channel?.id ?? "", ...more };
  return Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
}

export function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? (value as Json[]) : [];
}

export function wordOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function picture(one: Json): Content {
  const alt = wordOf(one["description"]);
  return html`<img src="${urlOf(one["media"])}" alt="${alt}" />`;
}

function urlOf(media: unknown): string {
  return typeof media === "object" && media !== null && "url" in media ? wordOf(media.url) : "";
}

function emojiOf({ emoji }: Json): string {
  return typeof emoji === "object" && emoji !== null && "name" in emoji ? `${wordOf(emoji.name)} ` : "";
}

import { html } from "hono/html";
import type { Content } from "../../actions";
import type { Json, Message } from "../rows";
import { briefly, formsOf, listOf, textOf } from "./layout";
import type { View } from "./view";

const styles = ["", "primary", "secondary", "success", "danger", "link"];

/** A message's rows of buttons. */
export function componentsHtml(view: View, message: Message): Content[] {
  return message.components.map(
    (row) =>
      html`<div class="row">${listOf(row["components"]).map((one) => buttonHtml(view, message, one))}</div>`,
  );
}

function buttonHtml(view: View, { id: message }: Message, one: Json): Content {
  const { emoji } = one as { emoji?: { name?: string } };
  const text = `${emoji?.name ? `${emoji.name} ` : ""}${textOf(one["label"])}`;
  const style = styles[Number(one["style"])] ?? "";
  if (one["url"] !== undefined)
    return html`<a class="button ${style}" href="${textOf(one["url"])}" rel="noreferrer">${text} ↗</a>`;
  const given = { user: view.me.id, message, custom_id: textOf(one["custom_id"]), ...briefly };
  const disabled = one["disabled"] === true ? "disabled" : "";
  return formsOf(view)("interact/button", given, html`<button class="${style}" ${disabled}>${text}</button>`);
}

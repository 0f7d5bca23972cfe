import { html } from "hono/html";
import type { Content } from "../../base/page";
import { commandsFor } from "../control/interact";
import { leavesOf, subcommandsOf } from "../control/options";
import { type Leaf, optionType } from "../rest/shapes/commands";
import type { Form } from "../rest/shapes/components";
import { briefly, formsOf, type View } from "./view";

/** The field for a message, and the commands. */
export function writingHtml(view: View): Content {
  const { world, me, channel } = view;
  if (!channel) return html``;
  const given = { user: me.id, channel: channel.id };
  const field = html`<textarea
      name="content"
      rows="2"
      aria-label="Message"
      placeholder="Message #${channel.name}"
    ></textarea>
    <input type="file" name="files" multiple aria-label="Files" />
    <button>Send</button>`;
  return html`${formsOf(view)("messages", given, field, "row")}
    <div class="row">
      ${commandsFor(world, me.id, channel).flatMap(({ name, body }) => {
        const { options = [] } = body;
        const subcommands = subcommandsOf(options);
        if (subcommands.length === 0) return [commandHtml(view, { command: name }, body, leavesOf(options))];
        return subcommands.map((sub) =>
          commandHtml(view, { command: name, subcommand: sub.name }, sub, sub.options ?? []),
        );
      })}
    </div>`;
}

type Named = { command: string; subcommand?: string };

function commandHtml(
  view: View,
  named: Named,
  { description }: { description: string },
  options: Leaf[],
): Content {
  const given = { user: view.me.id, channel: view.channel?.id, ...named, ...briefly };
  const name = ["/" + named.command, named.subcommand].filter(Boolean).join(" ");
  const fields = html`${options.map((option) => optionHtml(view, option))}<button>Use ${name}</button>`;
  return html`<details>
    <summary>${name} <span class="quiet">${description}</span></summary>
    ${formsOf(view)("interact/slash", given, fields)}
  </details>`;
}

function optionHtml(view: View, option: Leaf): Content {
  const required = option.required === true;
  const name = `options[${option.name}]`;
  return html`<label
    >${option.name}${required ? " *" : ""}: ${option.description}
    ${optionField(view, option, name, required)}</label
  >`;
}

function optionField({ world }: View, option: Leaf, name: string, required: boolean): Content {
  if (option.type === optionType.USER) {
    const members = world.store.members.all().slice(0, 200);
    return choices(
      name,
      "Nobody",
      members.map(({ id }) => [id, world.store.users.get(id)?.username ?? id]),
    );
  }
  if (option.choices?.length)
    return choices(
      name,
      "–",
      option.choices.map((one) => [String(one.value), one.name]),
    );
  return html`<input type="text" name="${name}" ${required ? "required" : ""} />`;
}

function choices(name: string, none: string, all: [value: string, text: string][]): Content {
  return html`<select name="${name}">
    ${[["", none], ...all].map(([value, text]) => html`<option value="${value}">${text}</option>`)}
  </select>`;
}

/** A form that the bot opened. */
export function modalHtml(view: View): Content {
  const { world, me, form: interaction = "" } = view;
  const found = world.store.interactions.get(interaction);
  if (!found?.modal || found.user !== me.id) return html``;
  const { modal } = found;
  const fields = html`${modal.components.map(fieldHtml)}<button>Submit</button>`;
  return html`<section class="card" aria-labelledby="modal-title">
    <h2 id="modal-title">${modal.title}</h2>
    ${formsOf(view)("interact/modal", { user: me.id, interaction, ...briefly }, fields)}
  </section>`;
}

function fieldHtml({ label, description, component }: Form["components"][number]): Content {
  const { custom_id, style, required, value = "", placeholder = "" } = component;
  const name = `fields[${custom_id}]`;
  return html`<label
    >${label}${required === false ? "" : " *"} <span class="quiet">${description}</span> ${
      style === 2
        ? html`<textarea name="${name}" rows="5" placeholder="${placeholder}">${value}</textarea>`
        : html`<input type="text" name="${name}" value="${value}" placeholder="${placeholder}" />`
    }</label
  >`;
}

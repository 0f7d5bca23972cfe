import { html } from "hono/html";
import { commandsFor } from "../control/interact";
import { optionsOf } from "../control/options";
import { type Option, optionType } from "../rest/shapes/commands";
import type { Command, Json } from "../store/rows";
import { choices, hidden, listOf, wordOf } from "./components";
import type { Content } from "./document";
import type { View } from "./view";

/** What one can say here: a message, or a command. */
export function writingHtml(view: View): Content {
  const { world, me, channel } = view;
  if (!channel) return html``;
  const commands = commandsFor(world, me.id, channel).filter(({ type }) => type === 1);
  return html`<form method="post" action="/_do/say" enctype="multipart/form-data" class="write">
      ${hidden(view)}
      <textarea
        name="content"
        rows="2"
        aria-label="Message"
        placeholder="Message #${channel.name}"
      ></textarea>
      <input type="file" name="files" multiple aria-label="Files" />
      <button>Send</button>
    </form>
    <div class="commands">
      ${commands.flatMap((command) => waysOf(command)).map((way) => wayHtml(view, way))}
    </div>`;
}

type Way = { command: Command; group: string; subcommand: string; description: string; options: Option[] };

/** A command has as many ways as it has subcommands. */
function waysOf(command: Command): Way[] {
  const base = { command, group: "", subcommand: "", description: wordOf(command.body["description"]) };
  const options = optionsOf(command.body);
  const ways = options.flatMap((one) => {
    const inside = "options" in one ? ((one.options ?? []) as Option[]) : [];
    if (one.type === optionType.SUBCOMMAND)
      return [{ ...base, subcommand: one.name, description: one.description, options: inside }];
    if (one.type !== optionType.GROUP) return [];
    return inside.map((sub) => ({
      ...base,
      group: one.name,
      subcommand: sub.name,
      description: sub.description,
      options: "options" in sub ? ((sub.options ?? []) as Option[]) : [],
    }));
  });
  return ways.length > 0 ? ways : [{ ...base, options }];
}

function wayHtml(view: View, { command, group, subcommand, description, options }: Way): Content {
  const name = ["/", command.name, group && ` ${group}`, subcommand && ` ${subcommand}`].join("");
  return html`<details>
    <summary>${name} <span class="quiet">${description}</span></summary>
    <form method="post" action="/_do/command">
      ${hidden(view, { command: command.name, group, subcommand })}
      ${options.map((option) => optionHtml(view, option))}
      <button>Use ${name}</button>
    </form>
  </details>`;
}

function optionHtml(view: View, option: Option): Content {
  const required = "required" in option && option.required === true;
  const label = `${option.name}${required ? " *" : ""}: ${option.description}`;
  return html`<label>${label} ${optionField(view, option, required)}</label>`;
}

const kinds: Record<number, number> = {
  [optionType.USER]: 5,
  [optionType.CHANNEL]: 8,
  [optionType.ROLE]: 6,
  [optionType.MENTIONABLE]: 5,
};

function optionField(view: View, option: Option, required: boolean): Content {
  const name = `option:${option.name}`;
  const kind = kinds[option.type];
  if (kind !== undefined) return choices(view, { type: kind }, name, "Nobody");
  if (option.type === optionType.BOOLEAN)
    return html`<select name="${name}">
      <option value="">–</option>
      <option>true</option>
      <option>false</option>
    </select>`;
  const given = "choices" in option ? (option.choices ?? []) : [];
  if (given.length > 0)
    return choices(
      view,
      { type: 3, options: given.map((one) => ({ label: one.name, value: one.value })) },
      name,
      "–",
    );
  return html`<input type="text" name="${name}" ${required ? "required" : ""} />`;
}

/** A form that the bot showed. */
export function formHtml(view: View): Content {
  const interaction = view.world.store.interactions.get(view.form ?? "");
  if (!interaction?.modal || interaction.user !== view.me.id) return html``;
  const { modal } = interaction;
  return html`<section class="modal" aria-labelledby="modal-title">
    <h2 id="modal-title">${wordOf(modal["title"])}</h2>
    <form method="post" action="/_do/submit">
      ${hidden(view, { interaction: interaction.id })}
      ${listOf(modal["components"]).map((one) => fieldHtml(view, one))}
      <button>Submit</button>
    </form>
  </section>`;
}

function fieldHtml(view: View, one: Json): Content {
  if (one["type"] === 1) return html`${listOf(one["components"]).map((inner) => fieldHtml(view, inner))}`;
  if (one["type"] === 10) return html`<p class="text">${wordOf(one["content"])}</p>`;
  const inner = (one["type"] === 18 ? one["component"] : one) as Json;
  const needed = inner["required"] === false ? "" : " *";
  return html`<label>
    ${wordOf(one["label"])}${needed}
    <span class="quiet">${wordOf(one["description"])}</span> ${input(view, inner)}
  </label>`;
}

function input(view: View, one: Json): Content {
  const name = `field:${wordOf(one["custom_id"])}`;
  const placeholder = wordOf(one["placeholder"]);
  if (one["type"] === 23) return html`<input type="checkbox" name="${name}" />`;
  if (one["type"] === 19) return html`<input type="file" disabled aria-label="Files can't be given here" />`;
  if (one["type"] !== 4) return choices(view, one, name, placeholder || "Choose");
  const value = wordOf(one["value"]);
  if (one["style"] === 2)
    return html`<textarea name="${name}" rows="5" placeholder="${placeholder}">${value}</textarea>`;
  return html`<input type="text" name="${name}" value="${value}" placeholder="${placeholder}" />`;
}

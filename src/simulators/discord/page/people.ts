import { html } from "hono/html";
import type { Content } from "../../base/page";
import type { Member } from "../rows";
import { displayName } from "../wire/people";
import { formsOf, type View } from "./view";

const shown = 100;

/** The server's members, with buttons for those who may manage roles. */
export function peopleHtml(view: View): Content {
  const { world } = view;
  const members = world.store.members.all();
  const outside = world.store.users.all().filter(({ id, bot }) => !bot && !world.store.members.has(id));
  return html`<h2>Members <span class="quiet">${members.length}</span></h2>
    <ul>
      ${members.slice(0, shown).map((member) => memberHtml(view, member))}
    </ul>
    ${members.length > shown ? html`<p class="quiet">and ${members.length - shown} more</p>` : ""}
    <h2>Not in the server <span class="quiet">${outside.length}</span></h2>
    <ul>
      ${outside.slice(0, shown).map(({ username, global_name }) => html`<li>${global_name ?? username}</li>`)}
    </ul>
    <details>
      <summary>New person</summary>
      ${view.control("members")}
    </details>`;
}

function memberHtml(view: View, member: Member): Content {
  const { world, botOnline } = view;
  const user = world.store.users.get(member.id);
  const online = user?.bot ? botOnline : true;
  const roles = member.roles.flatMap((id) => world.store.roles.get(id) ?? []);
  return html`<li>
    <span
      class="${online ? "online" : "offline"}"
      role="img"
      aria-label="${online ? "online" : "offline"}"
    ></span>
    ${displayName(world, member.id)} ${user?.bot ? html`<span class="badge">APP</span>` : ""}
    ${member.id === world.known.ownerId ? html`<span class="badge">owner</span>` : ""}
    ${roles.map(({ name }) => html`<span class="badge secondary">${name}</span>`)}
    ${view.admin ? roleForms(view, member) : ""}
  </li>`;
}

function roleForms(view: View, member: Member): Content {
  const { world } = view;
  const roles = world.store.roles
    .all()
    .filter(({ id, managed_by }) => id !== world.known.guildId && managed_by === null);
  const name = displayName(world, member.id);
  const form = formsOf(view);
  return html`<div class="row">
    ${roles.map(({ id, name: role }) => {
      const give = !member.roles.includes(id);
      const label = `${give ? "Give" : "Take"} ${role} ${give ? "to" : "from"} ${name}`;
      const button = html`<button class="small plain" aria-label="${label}">
        ${give ? "+" : "−"}${role}
      </button>`;
      return form("roles", { user: member.id, role: id, give, by: view.me.id }, button);
    })}
  </div>`;
}

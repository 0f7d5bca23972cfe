import { html } from "hono/html";
import type { Member } from "../store/rows";
import { displayName } from "../wire/people";
import { hidden } from "./components";
import type { Content } from "./document";
import type { View } from "./view";

const shown = 100;

/** Who is in the server, with roles; for an admin with ways to give and take them. */
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
    <form method="post" action="/_do/newcomer">
      ${hidden(view)}
      <input
        type="text"
        name="username"
        placeholder="username"
        aria-label="Username of a new person"
        required
      />
      <button class="small">New person</button>
    </form>`;
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
    ${roles.map(({ name }) => html`<span class="role">${name}</span>`)}
    ${view.admin ? roleForms(view, member) : ""}
  </li>`;
}

function roleForms(view: View, member: Member): Content {
  const { world } = view;
  const roles = world.store.roles
    .all()
    .filter(({ id, managed_by }) => id !== world.known.guildId && managed_by === null);
  const name = displayName(world, member.id);
  return html`<form method="post" action="/_do/role" class="roles">
    ${hidden(view, { user: member.id })}
    ${roles.map(({ id, name: role }) => {
      const held = member.roles.includes(id);
      const label = `${held ? "Take" : "Give"} ${role} ${held ? "from" : "to"} ${name}`;
      return html`<button
        class="small plain"
        name="role"
        value="${held ? "-" : "+"}${id}"
        aria-label="${label}"
      >
        ${held ? "−" : "+"}${role}
      </button>`;
    })}
  </form>`;
}

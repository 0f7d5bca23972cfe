import { type Context, Hono } from "hono";
import { html } from "hono/html";
import { document, pageHeaders, sameOriginOnly } from "../../base/page";
import type { User } from "../rows";
import { userOf } from "../wire/people";
import { namesOf } from "../guild/permissions";
import type { World } from "../world";
import { addBot, checkInvitation, isInvitation } from "./invitation";
import { type Authorization, approve, checkAuthorization, refuse, scopeMeanings } from "./request";

/** The page where a person picks a user and approves the application or cancels. */
export function authorizePage(world: World): Hono {
  const app = new Hono();
  const path = "/oauth2/authorize";
  app.get(path, (c) => {
    if (isInvitation(c.req.query())) return invitation(world, c);
    const checked = checkAuthorization(world, c.req.query());
    if ("problem" in checked) return problem(c, checked.problem);
    if ("redirect" in checked) return c.redirect(checked.redirect);
    const { request, scopes } = checked;
    pageHeaders(c, [new URL(request.redirect_uri).origin]);
    return c.html(page(world, request, scopes));
  });
  app.post(path, sameOriginOnly, async (c) => {
    const form = new URLSearchParams(await c.req.text());
    if (isInvitation(Object.fromEntries(form))) return accept(world, c, form);
    const checked = checkAuthorization(world, Object.fromEntries(form));
    if ("problem" in checked) return problem(c, checked.problem);
    if ("redirect" in checked) return c.redirect(checked.redirect);
    const { request, scopes } = checked;
    const user = world.store.users.get(form.get("user") ?? "");
    if (form.get("decision") !== "authorize") return c.redirect(refuse(request, "access_denied"), 303);
    if (!user || user.bot) return problem(c, "Unknown User");
    return c.redirect(approve(world, request, user.id, scopes), 303);
  });
  return app;
}

const files = { sheets: ["page.css", "server.css"] };

function page(world: World, request: Authorization, scopes: string[]) {
  const people = world.store.users.all().filter(({ bot, username }) => !bot && !/\d{2,}$/.test(username));
  const application = world.store.users.get(world.known.botId)?.username ?? "";
  return document(
    "Authorize access to your account",
    html`<main class="consent card">
      <h1>${application} wants to access your account</h1>
      <form method="post">
        ${Object.entries(request).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
        <label
          >You are
          <select name="user">
            ${people.slice(0, 200).map((user) => choice(world, user))}
          </select></label
        >
        <p>This will allow ${application} to</p>
        <ul>
          ${scopes.map((scope) => html`<li>${scopeMeanings[scope] ?? scope}</li>`)}
        </ul>
        <p class="quiet">You return to ${new URL(request.redirect_uri).origin}.</p>
        <div class="row">
          <button name="decision" value="cancel" class="plain">Cancel</button>
          <button name="decision" value="authorize">Authorize</button>
        </div>
      </form>
    </main>`,
    files,
  );
}

function invitation(world: World, c: Context) {
  const asked = c.req.query();
  const checked = checkInvitation(world, asked);
  if ("problem" in checked) return problem(c, checked.problem);
  pageHeaders(c);
  const application = userOf(world, world.known.botId).username;
  const rights = namesOf(checked.permissions).map((name) => name.toLowerCase().replaceAll("_", " "));
  return c.html(
    document(
      "Add the bot to a server",
      html`<main class="consent card">
        <h1>${application} wants to join ${world.store.setting("guild_name") ?? "your server"}</h1>
        <form method="post">
          ${Object.entries(asked).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
          <p>It may then</p>
          <ul>
            ${rights.map((right) => html`<li>${right}</li>`)}
          </ul>
          <div class="row">
            <button name="decision" value="cancel" class="plain">Cancel</button>
            <button name="decision" value="authorize">Authorize</button>
          </div>
        </form>
      </main>`,
      files,
    ),
  );
}

function accept(world: World, c: Context, form: URLSearchParams) {
  const checked = checkInvitation(world, Object.fromEntries(form));
  if ("problem" in checked) return problem(c, checked.problem);
  const agrees = form.get("decision") === "authorize";
  if (agrees) addBot(world, checked.permissions);
  pageHeaders(c);
  const said = agrees ? "Authorized" : "Cancelled";
  return c.html(
    document(
      said,
      html`<main class="consent card">
        <h1>${said}</h1>
        <p>You can close this page.</p>
      </main>`,
      files,
    ),
  );
}

function choice(world: World, { id, username, global_name }: User) {
  const outside = world.store.members.has(id) ? "" : ", not in the server";
  return html`<option value="${id}">${global_name ?? username} (${username}${outside})</option>`;
}

function problem(c: Context, message: string) {
  pageHeaders(c);
  return c.html(
    document(
      "Error",
      html`<main class="consent card">
        <h1>Error</h1>
        <p role="alert">${message}</p>
      </main>`,
      files,
    ),
    400,
  );
}

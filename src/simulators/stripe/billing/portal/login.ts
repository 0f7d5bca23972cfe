import { Hono } from "hono";
import { html } from "hono/html";
import { pageHeaders, sameOriginOnly } from "../../../base/page";
import { page } from "../../page/checkout-page";
import type { World } from "../../world";
import { newPortalSession } from "../api/portal-sessions";
import type { Customer } from "../rows";

/**
 * The portal's login page at `/p/login/:configuration`. Stripe mails a link to the address; here its form leads straight
 * in, because the simulator has no mail.
 */
export function loginApp(world: World): Hono {
  const app = new Hono();
  const configurationOf = (id: string) => {
    const one = world.ledger.portalConfigurations.get(id);
    return one?.active && one.login_page.enabled ? one : undefined;
  };
  app.get("/p/login/:configuration", (c) => {
    pageHeaders(c);
    const known = configurationOf(c.req.param("configuration"));
    return known ? c.html(loginPage(null)) : c.html(closed(), 404);
  });
  app.post("/p/login/:configuration", sameOriginOnly, async (c) => {
    const { email } = await c.req.parseBody();
    pageHeaders(c);
    const configuration = configurationOf(c.req.param("configuration"));
    if (!configuration) return c.html(closed(), 404);
    const own = { ...world, live: configuration.livemode ?? false };
    const customer = customerBy(own, typeof email === "string" ? email.trim() : "");
    if (!customer) return c.html(loginPage("There is no customer with this address."));
    const { url } = newPortalSession(own, customer.id, configuration, { flow: null, return_url: null });
    return c.redirect(url, 303);
  });
  return app;
}

/** The newest customer of the mode with an address. */
function customerBy(world: World, email: string): Customer | undefined {
  for (const one of world.ledger.customers.newest())
    if (
      !one.deleted &&
      (one.livemode ?? false) === world.live &&
      one.email?.toLowerCase() === email.toLowerCase()
    )
      return one;
  return undefined;
}

const loginPage = (problem: string | null) =>
  page(
    "Sign in to manage your billing",
    html`<main class="closed">
      <h1>Manage your billing</h1>
      <p>Stripe would mail you a link. Here the form leads straight in.</p>
      ${problem === null ? "" : html`<p class="error" role="alert">${problem}</p>`}
      <form method="post">
        <label for="email">Email</label>
        <input id="email" name="email" type="email" autocomplete="email" required />
        <button class="primary" type="submit">Send</button>
      </form>
    </main>`,
  );

const closed = () => page("Not found", html`<main class="closed"><h1>There is no such page</h1></main>`);

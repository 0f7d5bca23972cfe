import { type Context, Hono } from "hono";
import { z } from "zod";
import { pageHeaders, sameOriginOnly } from "../../../base/page";
import { bankPage } from "../../page/bank-page";
import { challengeOf, typedForm } from "../../page/card-form";
import { seconds, type World } from "../../world";
import { customerOf } from "../customers";
import { resume } from "../change";
import { methodFor } from "../collect";
import type { Subscription } from "../rows";
import { isOver } from "../subscription";
import { cancelInPortal, choices, resumeInPortal, switchInPortal, unplanned } from "../switching";
import { worldForCustomer } from "../time";
import { changeDetails, newCard } from "./customer";
import { cancelPage, cardPage, switchPage } from "./flow-pages";
import { expiredPage, homePage } from "./home-page";
import type { Visit } from "./visit";

const lastsSeconds = 3600;

const form = z.object({
  price: z.string().catch(""),
  answer: z.string().catch(""),
});

const base = "/p/session/:token";

/** The customer portal at `/p/session/:token`. */
export function portalApp(baseWorld: World): Hono {
  const app = new Hono();
  pages(app, baseWorld);
  app.use(`${base}/*`, sameOriginOnly);
  forms(app, baseWorld);
  for (const [name, does] of Object.entries(acts))
    app.post(`${base}/${name}/:subscription`, async (c) => {
      const given = form.parse(await c.req.parseBody());
      const visit = open(baseWorld, c);
      if (!visit) return answerExpired(c);
      const subscription = mine(visit, c);
      return subscription ? does(c, visit, { ...given, subscription }) : home(c, visit);
    });
  return app;
}

function pages(app: Hono, baseWorld: World) {
  const page = (path: string, draw: (visit: Visit, c: Context) => ReturnType<typeof homePage>) =>
    app.get(`${base}${path}`, (c) => {
      const visit = open(baseWorld, c);
      return visit ? c.html(draw(visit, c)) : answerExpired(c);
    });
  app.get(base, (c) => {
    const visit = open(baseWorld, c);
    if (!visit) return answerExpired(c);
    const flow = flowPath(visit);
    return flow === null ? c.html(homePage(visit)) : c.redirect(`${visit.path}${flow}`, 303);
  });
  page("/home", (visit) => homePage(visit));
  page("/card", (visit) => cardPage(visit, typedForm.parse({}), {}));
  page("/cancel/:subscription", (visit, c) => cancelPage(visit, mine(visit, c)));
  page("/switch/:subscription", (visit, c) => switchPage(visit, mine(visit, c), null));
}

function forms(app: Hono, baseWorld: World) {
  app.post(`${base}/card`, async (c) => {
    const typed = typedForm.parse(await c.req.parseBody());
    const visit = open(baseWorld, c);
    if (!visit) return answerExpired(c);
    const complaints = newCard(visit, typed);
    if (complaints === "asks") return c.html(bankPage(`${visit.path}/card`, challengeOf(typed)));
    if (complaints !== null) return c.html(cardPage(visit, typed, complaints));
    return finish(c, visit, "payment_method_update");
  });
  app.post(`${base}/customer`, async (c) => {
    const given = await c.req.parseBody();
    const visit = open(baseWorld, c);
    if (!visit) return answerExpired(c);
    const problem = changeDetails(visit, given);
    return problem === null ? home(c, visit) : c.html(homePage(visit, problem));
  });
}

type Given = z.output<typeof form> & { subscription: Subscription };
type Act = (c: Context, visit: Visit, given: Given) => Response | Promise<Response>;

/** What the portal's buttons do to a subscription. */
const acts: Record<string, Act> = {
  cancel(c, visit, { subscription }) {
    if (!visit.configuration.features.subscription_cancel.enabled) return home(c, visit);
    cancelInPortal(visit.world, subscription);
    return finish(c, visit, "subscription_cancel");
  },
  resume(c, visit, { subscription }) {
    if (subscription.status !== "paused") resumeInPortal(visit.world, subscription);
    else if (methodFor(visit.world, subscription)) resume(visit.world, subscription);
    return home(c, visit);
  },
  /** Drops the switch planned for the period's end. */
  keep(c, visit, { subscription }) {
    unplanned(visit.world, subscription);
    return home(c, visit);
  },
  switch: switchPrice,
};

function switchPrice(c: Context, visit: Visit, { subscription, price: id, answer }: Given) {
  const { features } = visit.configuration;
  const price = choices(visit.world, features, subscription).find((one) => one.id === id);
  if (!price) return home(c, visit);
  if (answer === "refuse")
    return c.html(switchPage(visit, subscription, "Your bank did not confirm this payment."));
  const end = switchInPortal(visit.world, features, subscription, { price, confirmed: answer === "confirm" });
  if (end === "asks") return c.html(bankPage(`${visit.path}/switch/${subscription.id}`, { price: id }));
  if (end !== "done") return c.html(switchPage(visit, subscription, end.message));
  return finish(c, visit, "subscription_update");
}

function open(baseWorld: World, c: Context): Visit | null {
  const token = c.req.param("token") ?? "";
  const session = baseWorld.ledger.portalSessions.all().find(({ url }) => url.endsWith(`/${token}`));
  const customer = session && customerOf(baseWorld, session.customer);
  const configuration = session && baseWorld.ledger.portalConfigurations.get(session.configuration);
  if (!session || !customer || !configuration || session.created + lastsSeconds < seconds(baseWorld))
    return null;
  const back = [session.return_url, session.flow?.after_completion?.redirect?.return_url];
  pageHeaders(c, new Set(back.flatMap((url) => (url && URL.canParse(url) ? [new URL(url).origin] : []))));
  return {
    session,
    configuration,
    customer,
    world: worldForCustomer(baseWorld, customer.id),
    path: `/p/session/${token}`,
  };
}

function answerExpired(c: Context) {
  pageHeaders(c);
  return c.html(expiredPage(), 410);
}

/** The customer's own subscription in the path. */
function mine({ customer, world }: Visit, c: Context): Subscription | undefined {
  const one = world.ledger.subscriptions.get(c.req.param("subscription") ?? "");
  return one && one.customer === customer.id && !isOver(one) ? one : undefined;
}

const home = (c: Context, { path }: Visit) => c.redirect(`${path}/home`, 303);

/** Where the session's flow begins; null without one. */
function flowPath({ session: { flow } }: Visit): string | null {
  if (!flow) return null;
  if (flow.type === "payment_method_update") return "/card";
  if (flow.subscription_cancel) return `/cancel/${flow.subscription_cancel.subscription}`;
  const update = flow.subscription_update;
  return update ? `/switch/${update.subscription}` : null;
}

/** Ends a flow where it says; anything else leads back to the portal's first page. */
function finish(c: Context, visit: Visit, done: string) {
  const { flow } = visit.session;
  const redirect = flow?.type === done ? flow.after_completion?.redirect?.return_url : undefined;
  return redirect ? c.redirect(redirect, 303) : home(c, visit);
}

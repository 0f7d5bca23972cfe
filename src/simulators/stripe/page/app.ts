import { type Context, Hono } from "hono";
import { pageHeaders, sameOriginOnly } from "../../base/page";
import type { Checkout, Session } from "../ledger";
import { needsNoCard, payCheckout } from "../billing/complete";
import { openDispute, warn } from "../money/disputes";
import { StripeRefusal } from "../api/errors";
import { card, debitOf, declines } from "../money/methods";
import { decline } from "../money/pay";
import { activeCode, applyCode } from "../money/totals";
import { chargeOf } from "../control/find";
import type { World } from "../world";
import { bankPage } from "./bank-page";
import { type Complaints, type Outcome, type CardInput } from "./card-form";
import { challengeOf, complain, emailComplaint, readCard, typedForm } from "./card-form";
import { checkoutPage, closedPage, notFoundPage } from "./checkout-page";

/** The hosted checkout page at `/c/pay/:session`. */
export function checkoutApp(world: World): Hono {
  const app = new Hono();
  app.get("/c/pay/:session", (c) => {
    const checkout = world.ledger.checkouts.get(c.req.param("session"));
    return show(c, checkout, { typed: emptyForm(checkout), complaints: {} });
  });
  app.post("/c/pay/:session", sameOriginOnly, async (c) => {
    const typed = typedForm.parse(await c.req.parseBody());
    // read after the wait, so that the second of two simultaneous submissions finds the session paid
    const checkout = world.ledger.checkouts.get(c.req.param("session"));
    if (checkout?.session.status !== "open") return show(c, checkout, { typed, complaints: {} });
    const given = { ...typed, email: checkout.session.customer_email ?? typed.email };
    const complaints = attempt(world, checkout, given);
    if (complaints === "asks") {
      pageHeaders(c, waysBack(checkout.session));
      return c.html(bankPage(`/c/pay/${checkout.id}`, { email: given.email, ...challengeOf(given) }));
    }
    if (complaints !== null) return show(c, checkout, { typed: given, complaints });
    return c.redirect(successUrl(checkout), 303);
  });
  app.post("/c/pay/:session/code", sameOriginOnly, async (c) => {
    const { code } = await c.req.parseBody();
    const typed = typeof code === "string" ? code.slice(0, 200) : "";
    const checkout = world.ledger.checkouts.get(c.req.param("session"));
    if (checkout?.session.status === "open" && checkout.session.allow_promotion_codes) {
      const refusal = enterCode(world, checkout, typed);
      const filled = { typed: emptyForm(checkout), complaints: {}, codeRefusal: refusal };
      if (refusal !== null) return show(c, checkout, filled);
    }
    return c.redirect(`/c/pay/${c.req.param("session")}`, 303);
  });
  return app;
}

/** Applies a promotion code, or removes it if the field is empty. Returns the error, if any. */
function enterCode(world: World, checkout: Checkout, typed: string): string | null {
  const code = typed.trim() === "" ? null : activeCode(world, typed);
  if (code === undefined) return "This code is invalid.";
  try {
    applyCode(world, checkout, code);
    return null;
  } catch (error) {
    if (error instanceof StripeRefusal) return error.message;
    throw error;
  }
}

/** Pays, or returns the errors, or that the bank asks for confirmation. */
function attempt(world: World, checkout: Checkout, typed: CardInput): Complaints | "asks" | null {
  const email = emailComplaint(typed.email);
  const payer = { email: typed.email.trim(), name: typed.name.trim() || null, country: "US" };
  if (needsNoCard(checkout.session)) {
    if (email !== undefined) return complain({ email });
    payCheckout(world, checkout, { ...payer, method: card("4242") });
    return null;
  }
  if (typed.method === "bank") {
    const method = debitOf(checkout.session);
    const name = payer.name === null ? "Enter the account holder's name." : undefined;
    if (email !== undefined || name !== undefined || method === null) return complain({ email, name });
    payCheckout(world, checkout, { ...payer, method });
    return null;
  }
  const read = readCard(typed, new Date(world.now()));
  if (email !== undefined || !read.ok) return { ...complain({ email }), ...(read.ok ? {} : read.complaints) };
  if (typeof read.does === "object") {
    decline(world, checkout, { ...payer, method: read.method }, read.does);
    return { number: read.does.message };
  }
  if (read.does === "asks") return "asks";
  const { status } = payCheckout(world, checkout, { ...payer, method: read.method });
  if (status === "open") return { number: declines.generic_decline.message };
  afterwards(world, checkout.id, read.does);
  return null;
}

/** What some test cards do after paying. */
function afterwards(world: World, session: string, does: Outcome) {
  const checkout = world.ledger.checkouts.get(session);
  const paid = checkout && chargeOf(world, checkout);
  if (paid === undefined) return;
  if (does === "is disputed") openDispute(world, paid, "needs_response");
  if (does === "is warned about") warn(world, paid);
}

/** The shop's URLs to which paying or canceling leads. */
function waysBack(session?: Session): Set<string> {
  const urls = [session?.success_url, session?.cancel_url];
  return new Set(urls.flatMap((url) => (url && URL.canParse(url) ? [new URL(url).origin] : [])));
}

type Filled = { typed: CardInput; complaints: Complaints; codeRefusal?: string | null };

function show(c: Context, checkout: Checkout | undefined, filled: Filled) {
  const { typed, complaints, codeRefusal = null } = filled;
  pageHeaders(c, waysBack(checkout?.session));
  if (checkout === undefined) return c.html(notFoundPage(), 404);
  if (checkout.session.status === "complete") return c.redirect(successUrl(checkout), 303);
  if (checkout.session.status !== "open") return c.html(closedPage(checkout.session), 410);
  return c.html(checkoutPage(checkout, { typed, complaints, codeRefusal }));
}

function successUrl({ session }: Checkout): string {
  return (session.success_url ?? "/").replaceAll("{CHECKOUT_SESSION_ID}", session.id);
}

function emptyForm(checkout: Checkout | undefined): CardInput {
  return typedForm.parse({ email: checkout?.session.customer_email });
}

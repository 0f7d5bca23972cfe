import { html } from "hono/html";
import type { Content } from "../../../base/page";
import { money } from "../../money/totals";
import { page } from "../../page/checkout-page";
import { nextBill, willEnd } from "../due";
import { methodFor } from "../collect";
import { methodsOf } from "../methods";
import type { SavedMethod, Subscription } from "../rows";
import { nextPrice } from "../schedule";
import { isOver } from "../subscription";
import { choices } from "../switching";
import type { Visit } from "./visit";

/** The portal's first page: subscriptions, cards, billing details, invoices. */
export function homePage(visit: Visit, problem: string | null = null) {
  const { world, customer } = visit;
  const own = world.ledger.subscriptions.group(customer.id).filter((one) => !isOver(one));
  return page(
    "Billing",
    html`<main class="closed portal">
      ${back(visit)}
      <h1>Manage your billing</h1>
      ${problem === null ? "" : html`<p class="error" role="alert">${problem}</p>`}
      <h2>Current subscription</h2>
      ${own.length === 0 ? html`<p>No running subscription.</p>` : own.map((one) => subscription(visit, one))}
      ${cards(visit)} ${details(visit)} ${history(visit)}
    </main>`,
  );
}

export const back = ({ session }: Visit): Content =>
  session.return_url === null ? "" : html`<p><a href="${session.return_url}">← Return to the shop</a></p>`;

function subscription(visit: Visit, one: Subscription) {
  const { world, configuration, path } = visit;
  const { features } = configuration;
  const [item] = one.items.data;
  const name = world.ledger.products.get(item.price.product)?.name;
  const ends = willEnd(one);
  const button = (action: string, label: string) =>
    html`<form method="post" action="${path}/${action}/${one.id}"><button>${label}</button></form>`;
  const link = (action: string, label: string) =>
    html`<a class="button" href="${path}/${action}/${one.id}">${label}</a>`;
  return html`<article class="card">
    <h3>${name} <span class="badge">${one.status.replace("_", " ")}</span></h3>
    <p class="price">${money(item.price.unit_amount, one.currency)} per ${item.price.recurring?.interval}</p>
    <p>${nextOf(visit, one)}</p>
    ${plannedText(visit, one)}
    <div class="row">
      ${ends || one.status === "paused" ? button("resume", ends ? "Don’t cancel subscription" : "Resume") : ""}
      ${one.schedule ? button("keep", "Don’t switch") : ""}
      ${!ends && choices(world, features, one).length > 0 ? link("switch", "Update subscription") : ""}
      ${!ends && features.subscription_cancel.enabled ? link("cancel", "Cancel subscription") : ""}
    </div>
    <p>Paid with ${methodName(methodFor(world, one))}</p>
  </article>`;
}

export const dateOf = (moment: number) =>
  new Date(moment * 1000).toLocaleDateString("en-US", { dateStyle: "medium", timeZone: "UTC" });

/** When a subscription ends, or when what is charged next. */
function nextOf({ world }: Visit, one: Subscription): string {
  const { current_period_end: end } = one.items.data[0];
  if (one.status === "paused") return "Paused.";
  if (willEnd(one)) return `Your subscription ends on ${dateOf(one.cancel_at ?? end)}.`;
  const amount = money(nextBill(world, one).amount_due, one.currency);
  if (one.status === "trialing") return `Your trial ends on ${dateOf(end)}; then ${amount} is charged.`;
  return `Your next charge is ${amount} on ${dateOf(end)}.`;
}

function plannedText({ world }: Visit, one: Subscription): Content {
  const price = nextPrice(world, one);
  const [item] = one.items.data;
  if (price.id === item.price.id) return "";
  const name = world.ledger.products.get(price.product)?.name;
  const each = `${money(price.unit_amount, one.currency)} per ${price.recurring?.interval}`;
  return html`<p>Switches to ${name}, ${each}, on ${dateOf(item.current_period_end)}.</p>`;
}

function methodName(method: SavedMethod | undefined): string {
  if (!method) return "no payment method";
  const { card } = method;
  if (!card) return "a bank account";
  return `${card.brand} •••• ${card.last4}, expires ${card.exp_month}/${card.exp_year}`;
}

function cards({ world, customer, configuration, path }: Visit): Content {
  if (!configuration.features.payment_method_update.enabled) return "";
  const standard = customer.invoice_settings.default_payment_method;
  return html`<h2>Payment methods</h2>
    <ul>
      ${methodsOf(world, customer.id).map(
        (method) =>
          html`<li>
            ${methodName(method)} ${method.id === standard ? html`<strong>default</strong>` : ""}
          </li>`,
      )}
    </ul>
    <p><a class="button" href="${path}/card">Add payment method</a></p>`;
}

function details({ customer, configuration, path }: Visit): Content {
  const { enabled, allowed_updates: allowed } = configuration.features.customer_update;
  if (!enabled) return "";
  const input = (name: string, label: string, value: string | null | undefined, type = "text") =>
    allowed.includes(name)
      ? html`<div class="field">
          <label for="${name}">${label}</label>
          <input id="${name}" name="${name}" type="${type}" value="${value ?? ""}" />
        </div>`
      : "";
  return html`<h2>Billing information</h2>
    <form method="post" action="${path}/customer">
      ${input("email", "Email", customer.email, "email")} ${input("name", "Name", customer.name)}
      ${input("tax_id", "Tax ID (EU VAT)", customer.taxIds[0]?.value)}
      <button type="submit">Save</button>
    </form>`;
}

function history({ world, customer, configuration }: Visit): Content {
  if (!configuration.features.invoice_history.enabled) return "";
  const own = world.ledger.invoices
    .newest()
    .filter((one) => one.customer === customer.id && one.status !== "draft");
  return html`<h2>Invoice history</h2>
    <ul class="lines">
      ${own.slice(0, 24).map(
        (one) =>
          html`<li>
            <a href="/i/${one.id}">${dateOf(one.created)}</a>
            <span>${money(one.total, one.currency)} ${one.status}</span>
          </li>`,
      )}
    </ul>`;
}

export const messagePage = (visit: Visit, message: string) =>
  page(
    "Billing",
    html`<main class="closed">
      <h1>${message}</h1>
      ${back(visit)}
    </main>`,
  );

export const expiredPage = () =>
  page(
    "Link expired",
    html`<main class="closed">
      <h1>This link has expired</h1>
      <p>Go back to the shop and open Billing again.</p>
    </main>`,
  );

import { html } from "hono/html";
import { money } from "../../money/totals";
import { type Complaints, allCards, type CardInput } from "../../page/card-form";
import { cardFields, cardsToTry, field, page } from "../../page/checkout-page";
import { draftBill } from "../bill";
import { pendingLines, planSwitch, type Proration } from "../change";
import type { Price, Subscription } from "../rows";
import { choices, waits } from "../switching";
import type { Visit } from "./visit";
import { back, dateOf, messagePage } from "./home-page";

export function cardPage(visit: Visit, typed: CardInput, complaints: Complaints) {
  return page(
    "Payment method",
    html`<main class="closed portal">
      ${back(visit)}
      <h1>Add payment method</h1>
      <form method="post" action="${visit.path}/card" novalidate>
        ${cardFields(typed, complaints)}
        ${field({ name: "name", label: "Full name", autocomplete: "name", placeholder: "As on the card" }, typed, complaints)}
        <button class="primary" type="submit">Save card</button>
      </form>
      ${cardsToTry(allCards)}
    </main>`,
  );
}

export function cancelPage(visit: Visit, one: Subscription | undefined) {
  if (!one) return messagePage(visit, "This subscription has ended.");
  const { current_period_end: end } = one.items.data[0];
  return page(
    "Cancel subscription",
    html`<main class="closed portal">
      ${back(visit)}
      <h1>Cancel subscription</h1>
      <p>It stays usable until ${dateOf(end)} and is not charged again.</p>
      <form method="post" action="${visit.path}/cancel/${one.id}">
        <button class="primary" type="submit">Cancel subscription</button>
      </form>
      <p><a href="${visit.path}/home">Go back</a></p>
    </main>`,
  );
}

export function switchPage(visit: Visit, one: Subscription | undefined, problem: string | null) {
  if (!one) return messagePage(visit, "This subscription has ended.");
  const shown = choices(visit.world, visit.configuration.features, one);
  return page(
    "Update subscription",
    html`<main class="closed portal">
      ${back(visit)}
      <h1>Update subscription</h1>
      ${problem === null ? "" : html`<p class="error" role="alert">${problem}</p>`}
      ${shown.length === 0 ? html`<p>There is nothing to switch to.</p>` : ""}
      ${shown.map((price) => choice(visit, one, price))}
      <p><a href="${visit.path}/home">Go back</a></p>
    </main>`,
  );
}

function choice(visit: Visit, one: Subscription, price: Price) {
  const name = visit.world.ledger.products.get(price.product)?.name;
  return html`<form class="card" method="post" action="${visit.path}/switch/${one.id}">
    <h2>${name}</h2>
    <p class="price">${money(price.unit_amount, price.currency)} per ${price.recurring?.interval}</p>
    <p>${whatHappens(visit, one, price)}</p>
    <button class="primary" name="price" value="${price.id}">Confirm</button>
  </form>`;
}

/** When a switch takes effect, and what is charged for it now. */
function whatHappens({ world, configuration: { features } }: Visit, one: Subscription, price: Price): string {
  if (waits(features, one, price))
    return `From ${dateOf(one.items.data[0].current_period_end)}; nothing is due today.`;
  const how = features.subscription_update.proration_behavior as Proration;
  const { lines, atOnce } = planSwitch(world, one, price, how);
  if (!atOnce) return "Nothing is due today.";
  const due = draftBill(world, one, "upcoming", [...lines, ...pendingLines(world, one)]).amount_due;
  return `${money(due, one.currency)} is due today.`;
}

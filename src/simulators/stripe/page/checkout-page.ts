import { html, raw } from "hono/html";
import { type Content, document } from "../../base/page";
import { needsNoCard } from "../billing/complete";
import type { Checkout, LineItem, Plan, Session } from "../ledger";
import { debitOf } from "../money/methods";
import { money } from "../money/totals";
import { allCards, type Complaints, type TestCard, type CardInput, testCards } from "./card-form";

type Filled = { typed: CardInput; complaints: Complaints; codeRefusal: string | null };

export function checkoutPage(checkout: Checkout, { typed, complaints, codeRefusal }: Filled) {
  const { session } = checkout;
  const isFree = needsNoCard(session);
  const price = money(session.amount_total, session.currency);
  const button = isFree ? "Complete order" : `Pay ${price}`;
  return page(
    `Pay ${price}`,
    html`
      <main class="checkout">
        ${summary(checkout, price, codeRefusal)}
        <section class="pay" aria-labelledby="pay-title">
          <h2 id="pay-title">Payment</h2>
          <form method="post" action="/c/pay/${session.id}" novalidate>
            ${field({ name: "email", label: "Email", type: "email", autocomplete: "email", inputmode: "email", placeholder: "you@example.com", readonly: session.customer_email !== null }, typed, complaints)}
            ${isFree ? "" : payment(session, typed, complaints)}
            <button class="primary" type="submit">${checkout.plan ? buttonOf(checkout.plan) : button}</button>
          </form>
          ${cancelLink(session)} ${cardsToTry(checkout.plan ? allCards : testCards)}
        </section>
      </main>
    `,
  );
}

function payment(session: Session, typed: CardInput, complaints: Complaints) {
  return html`
    ${methods(session, typed)}
    <div class="card-fields">${cardFields(typed, complaints)}</div>
    <p class="bank-note quiet">
      A bank debit takes days: the order is placed now, and the money arrives, or fails to, later. Press
      “Settle” on the control page to decide.
    </p>
    ${field({ name: "name", label: "Full name", autocomplete: "name", placeholder: "As on the card or account" }, typed, complaints)}
  `;
}

export const cardFields = (typed: CardInput, complaints: Complaints) => html`
  ${field({ name: "number", label: "Card number", autocomplete: "cc-number", inputmode: "numeric", placeholder: "1234 1234 1234 1234", maxlength: 23 }, typed, complaints)}
  <div class="pair">
    ${field({ name: "expiry", label: "Expiry", autocomplete: "cc-exp", inputmode: "numeric", placeholder: "MM / YY", maxlength: 9 }, typed, complaints)}
    ${field({ name: "cvc", label: "CVC", autocomplete: "cc-csc", inputmode: "numeric", placeholder: "123", maxlength: 4 }, typed, complaints)}
  </div>
`;

export function closedPage(session: Session) {
  return page(
    "Session expired",
    html`
      <main class="closed">
        <h1>This checkout has expired</h1>
        <p>Nothing was charged. Go back to the shop to start again.</p>
        ${cancelLink(session)}
      </main>
    `,
  );
}

export function notFoundPage() {
  return page(
    "Not found",
    html`
      <main class="closed">
        <h1>There is no such checkout</h1>
        <p>The link may be incomplete, or the simulator was restarted and has forgotten it.</p>
      </main>
    `,
  );
}

export function page(title: string, content: Content) {
  return document(
    `${title} · Demo checkout`,
    html`<header class="banner">
        <strong>Demo checkout</strong> No real money moves here. Don’t enter a real card.
      </header>
      ${content}`,
    { sheets: ["page.css", "checkout.css"], script: "checkout.js" },
  );
}

function summary({ session, plan, lineItems: [line] }: Checkout, price: string, codeRefusal: string | null) {
  return html`
    <section class="summary" aria-labelledby="order-title">
      ${session.cancel_url ? html`<a href="${session.cancel_url}">← Back to the shop</a>` : ""}
      <h1 id="order-title">${line.description}</h1>
      <p class="price">${price}</p>
      ${plan ? html`<p>${termsOf(plan, line)}</p>` : ""} ${bill(session, line)}
      ${session.allow_promotion_codes ? codeForm(session, codeRefusal) : ""}
      <p class="total"><span>Total due</span><span>${price}</span></p>
    </section>
  `;
}

const buttonOf = ({ trialDays }: Plan) => (trialDays === null ? "Subscribe" : "Start trial");

/** What a subscription costs, and when. */
function termsOf({ trialDays }: Plan, { price, currency }: LineItem): string {
  const each = `${money(price?.unit_amount, currency)} per ${price?.recurring?.interval}`;
  if (trialDays !== null) return `${trialDays} days free, then ${each} until you cancel`;
  return `${each} until you cancel`;
}

/** The bill: several keys, a code's discount, and tax. */
function bill({ total_details: details, currency }: Session, { description, quantity, ...line }: LineItem) {
  const rows: [name: string, amount: number][] = [
    [`${description} × ${quantity}`, quantity === 1 ? 0 : line.amount_subtotal],
    ["Discount", -(details?.amount_discount ?? 0)],
    ["Tax", details?.amount_tax ?? 0],
  ];
  const shown = rows.filter(([, amount]) => amount !== 0);
  if (shown.length === 0) return "";
  return html`<ul class="lines">
    ${shown.map(([name, amount]) => html`<li><span>${name}</span><span>${money(amount, currency)}</span></li>`)}
  </ul>`;
}

function codeForm({ id }: Session, refusal: string | null) {
  return html`<form class="row" method="post" action="/c/pay/${id}/code">
    <label for="code">Promotion code</label>
    <input id="code" name="code" maxlength="64" autocomplete="off" spellcheck="false" />
    <button type="submit">Apply</button>
    ${refusal === null ? "" : html`<p class="error" role="alert">${refusal}</p>`}
  </form>`;
}

function methods(session: Session, typed: CardInput) {
  if (debitOf(session) === null) return html`<input type="hidden" name="method" value="card" />`;
  const checked = (method: string) => raw(typed.method === method ? "checked" : "");
  return html`
    <fieldset class="methods">
      <legend>Payment method</legend>
      <label><input type="radio" name="method" value="card" ${checked("card")} /> Card</label>
      <label><input type="radio" name="method" value="bank" ${checked("bank")} /> Bank debit</label>
    </fieldset>
  `;
}

function cancelLink(session: Session) {
  return session.cancel_url ? html`<p><a href="${session.cancel_url}">Cancel and go back</a></p>` : "";
}

export function cardsToTry(cards: TestCard[]) {
  return html`
    <details class="cards card" open>
      <summary>Cards to try</summary>
      <p>Any future date, any three digits, any name.</p>
      <dl>
        ${cards.map(
          (card) =>
            html`<div>
              <dt>${card.number}</dt>
              <dd>${card.meaning}</dd>
            </div>`,
        )}
      </dl>
    </details>
  `;
}

type Field = {
  name: Exclude<keyof CardInput, "answer" | "asked" | "method">;
  label: string;
  autocomplete: string;
  placeholder: string;
  type?: string;
  inputmode?: string;
  maxlength?: number;
  readonly?: boolean;
};

/** A labelled input with its error below; never sends a card's number and code back. */
export function field(field: Field, typed: CardInput, complaints: Complaints) {
  const complaint = complaints[field.name];
  const secret = field.name === "number" || field.name === "cvc";
  return html`
    <div class="field">
      <label for="${field.name}">${field.label}</label>
      <input
        id="${field.name}"
        name="${field.name}"
        type="${field.type ?? "text"}"
        value="${secret ? "" : typed[field.name]}"
        autocomplete="${field.autocomplete}"
        placeholder="${field.placeholder}"
        inputmode="${field.inputmode ?? "text"}"
        maxlength="${field.maxlength ?? 120}"
        spellcheck="false"
        required
        ${raw(field.readonly ? "readonly" : "")}
        ${complaint === undefined ? "" : raw(`aria-invalid="true" aria-describedby="${field.name}-error"`)}
      />
      ${complaint === undefined ? "" : html`<p class="error" id="${field.name}-error">${complaint}</p>`}
    </div>
  `;
}

import { type Context, Hono } from "hono";
import { html } from "hono/html";
import { pageHeaders, sameOriginOnly } from "../../base/page";
import { attempt } from "../billing/collect";
import { isBill } from "../billing/lines";
import { saveMethod } from "../billing/methods";
import { isProcessing } from "../billing/payment";
import type { Bill } from "../billing/rows";
import { worldForCustomer } from "../billing/time";
import type { Invoice } from "../ledger";
import { money } from "../money/totals";
import type { World } from "../world";
import { bankPage } from "./bank-page";
import { allCards, challengeOf, type Complaints, readCard, type CardInput, typedForm } from "./card-form";
import { cardFields, cardsToTry, field, notFoundPage, page } from "./checkout-page";

/** Invoices at `/i/:invoice`, where an open one is paid. */
export function invoiceApp(world: World): Hono {
  const app = new Hono();
  app.get("/i/:invoice", (c) => show(c, world.ledger.invoices.get(c.req.param("invoice")), empty, {}));
  app.get("/i/:invoice/pdf", (c) => c.redirect(`/i/${c.req.param("invoice")}`, 303));
  app.post("/i/:invoice", sameOriginOnly, async (c) => {
    const typed = typedForm.parse(await c.req.parseBody());
    const invoice = world.ledger.invoices.get(c.req.param("invoice"));
    if (!invoice || !isBill(invoice) || !isPayable(world, invoice)) return show(c, invoice, empty, {});
    const complaints = payBill(world, invoice, typed);
    pageHeaders(c);
    if (complaints === "asks") return c.html(bankPage(`/i/${invoice.id}`, challengeOf(typed)));
    if (complaints !== null) return show(c, invoice, typed, complaints);
    return c.redirect(`/i/${invoice.id}`, 303);
  });
  return app;
}

const isPayable = (world: World, bill: Bill) =>
  (bill.status === "open" || bill.status === "uncollectible") && !isProcessing(world, bill.id);

const empty = typedForm.parse({});

function payBill(baseWorld: World, bill: Bill, typed: CardInput): Complaints | "asks" | null {
  const world = worldForCustomer(baseWorld, bill.customer ?? "");
  const read = readCard(typed, new Date(world.now()));
  if (!read.ok) return read.complaints;
  if (read.does === "asks") return "asks";
  if (typeof read.does === "object") return { number: read.does.message };
  const holder = { customer: bill.customer ?? "", email: bill.customer_email ?? null, name: typed.name };
  const method = saveMethod(world, read.method, holder);
  const { outcome } = attempt(world, bill, { method, confirmed: true, manual: true });
  return outcome?.is === "declined" ? { number: outcome.reason.message } : null;
}

function show(c: Context, invoice: Invoice | undefined, typed: CardInput, complaints: Complaints) {
  pageHeaders(c);
  return invoice ? c.html(invoicePage(invoice, typed, complaints)) : c.html(notFoundPage(), 404);
}

function invoicePage(invoice: Invoice, typed: CardInput, complaints: Complaints) {
  const amount = (minor: number) => money(minor, invoice.currency);
  return page(
    `Invoice ${invoice.number}`,
    html`
      <main class="closed">
        <h1>Invoice ${invoice.number}</h1>
        <p>To ${invoice.customer_name} (${invoice.customer_email})</p>
        ${isBill(invoice) ? lines(invoice) : ""}
        <p>Without tax: ${amount(invoice.total_excluding_tax ?? invoice.total)}</p>
        ${
          invoice.status === "paid"
            ? html`<p>Paid: <strong>${amount(invoice.total)}</strong></p>`
            : html`<p>
                ${invoice.status}: <strong>${amount(invoice.amount_remaining ?? invoice.total)}</strong>
              </p>`
        }
        ${isBill(invoice) && invoice.status === "open" ? payForm(invoice, typed, complaints) : ""}
      </main>
    `,
  );
}

const lines = ({ lines: { data }, currency }: Bill) =>
  html`<ul class="lines">
    ${data.map((line) => html`<li><span>${line.description}</span><span>${money(line.amount, currency)}</span></li>`)}
  </ul>`;

const payForm = (bill: Bill, typed: CardInput, complaints: Complaints) => html`
  <form method="post" action="/i/${bill.id}" novalidate>
    ${cardFields(typed, complaints)}
    ${field({ name: "name", label: "Full name", autocomplete: "name", placeholder: "As on the card" }, typed, complaints)}
    <button class="primary" type="submit">Pay ${money(bill.amount_remaining, bill.currency)}</button>
  </form>
  ${cardsToTry(allCards)}
`;

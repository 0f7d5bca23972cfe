import { found, StripeRefusal, invalid } from "../../api/errors";
import { boolean, type Form, items, onlyKnown, part, required, text } from "../../api/form";
import type { Call } from "../../api/lists";
import { draftBill } from "../bill";
import { pendingLines, planSwitch, type Proration } from "../change";
import { inNextPeriod, nextBill, willEnd } from "../due";
import { periodLine } from "../lines";
import type { Bill, Price, Subscription } from "../rows";
import { isOver, withItem } from "../subscription";
import { worldForCustomer } from "../time";
import type { World } from "../../world";
import { priceOf } from "./prices";

/** https://docs.stripe.com/api/invoices/create_preview: the next invoice, or that of a switch billed at once. */
export function previewInvoice({ world: baseWorld, params }: Call): Bill {
  onlyKnown(params, ["customer", "discounts", "subscription", "subscription_details"]);
  const id = text(params, "subscription");
  if (id === undefined)
    throw invalid("The simulator previews only a subscription's invoice.", { param: "subscription" });
  const held = withPreviewDiscounts(
    baseWorld,
    params,
    found(baseWorld.ledger.subscriptions.get(id), "subscription", id, "subscription"),
  );
  const world = worldForCustomer(baseWorld, held.customer);
  const details = part(params, "subscription_details") ?? {};
  const [item] = items(details, "items");
  const price = item && typeof item !== "string" ? text(item, "price") : undefined;
  const how = (text(details, "proration_behavior") ?? "create_prorations") as Proration;
  const isResumed = boolean(details, "cancel_at_period_end") === false;
  if (isOver(held) || (willEnd(held) && price === undefined && !isResumed)) throw noUpcomingInvoice(held);
  return price === undefined ? nextBill(world, held) : previewSwitch(world, held, priceOf(world, price), how);
}

/** With the named discounts instead of its own; `discounts=` removes them all. */
function withPreviewDiscounts(world: World, params: Form, held: Subscription): Subscription {
  if (params["discounts"] === undefined) return held;
  const discounts = items(params, "discounts").map((one) => {
    if (typeof one === "string") throw invalid("Invalid object", { param: "discounts" });
    const id = required(one, "discount");
    return found(world.ledger.discounts.get(id), "discount", id, "discounts").id;
  });
  return { ...held, discounts };
}

const noUpcomingInvoice = ({ customer }: Subscription) =>
  new StripeRefusal(404, {
    type: "invalid_request_error",
    code: "invoice_upcoming_none",
    message: `No upcoming invoices for customer: '${customer}'`,
  });

function previewSwitch(world: World, held: Subscription, price: Price, how: Proration): Bill {
  const { item, anchor, lines, atOnce } = planSwitch(world, held, price, how);
  if (atOnce) return draftBill(world, held, "upcoming", [...lines, ...pendingLines(world, held)]);
  const after = { ...held, billing_cycle_anchor: anchor, items: withItem(held, item) };
  const next = periodLine(world, inNextPeriod(after));
  return draftBill(world, after, "upcoming", [...pendingLines(world, held), ...lines, next]);
}

import type Stripe from "stripe";
import { emitted } from "../events";
import type { Call } from "./call";
import { found } from "./errors";
import { text, texts } from "./form";
import { page } from "./lists";

export function getAccount(): Stripe.Account {
  return {
    id: "acct_1StandInDemoShop",
    object: "account",
    charges_enabled: true,
    country: "US",
    default_currency: "usd",
    details_submitted: true,
    email: "owner@example.com",
    payouts_enabled: true,
    type: "standard",
  };
}

export function getBalance(): Stripe.Balance {
  return {
    object: "balance",
    available: [{ amount: 0, currency: "usd", source_types: { card: 0 } }],
    livemode: false,
    pending: [{ amount: 0, currency: "usd", source_types: { card: 0 } }],
  };
}

export function getEvent({ world, id }: Call): Stripe.Event {
  return emitted(world, found(world.ledger.events.get(id), "event", id));
}

export function listEvents(call: Call) {
  const type = text(call.params, "type");
  const types = texts(call.params, "types");
  return page(call, call.world.ledger.events, {
    url: "/v1/events",
    noun: "event",
    show: (event) => emitted(call.world, event),
    keep: (event) =>
      (type === undefined || event.type === type) && (types.length === 0 || types.includes(event.type)),
  });
}

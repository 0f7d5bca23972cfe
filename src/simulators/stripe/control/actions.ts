import { z } from "zod";
import { ActionRefusal, action } from "../../base/actions";
import { leadsHere } from "../../base/host";
import { keepEndpoints } from "../api/endpoints";
import { type Faults, faultChange } from "../faults";
import {
  type DisputeStatus,
  disputeStatuses,
  disputes,
  moveDispute,
  openDispute,
  waysOf,
  warn,
} from "../money/disputes";
import { card, debitOf, declines, laterMethod, laterWays } from "../money/methods";
import { decline } from "../money/pay";
import { moveRefund, refund, refundable, hasNotFailed } from "../money/refunds";
import { activeCode, applyCode } from "../money/totals";
import { expireSession, updateSession } from "../money/sessions";
import { payCheckout, settleCheckout } from "../billing/complete";
import type { Courier } from "../courier";
import { apiVersion } from "../events";
import { refusals, type World } from "../world";
import { billingActions } from "./billing-actions";
import { dashboardActions } from "./dashboard-actions";
import { checkoutOf, openCheckout, paidCharge } from "./find";

const session = z.string();

export type StripeActions = ReturnType<typeof stripeActions>;

/** Every action on Stripe's side for a test, or for a person at the page. */
export const stripeActions = (
  world: World,
  events: Courier,
  setWebhookUrl: (url: string | null) => void,
) => ({
  ...accountActions(world, events, setWebhookUrl),
  ...billingActions(world),
  ...dashboardActions(world),
});

function accountActions(world: World, events: Courier, setWebhookUrl: (url: string | null) => void) {
  return {
    /** Pays without a browser. */
    pay: action(
      z.object({
        session,
        /** `processing`: a bank debit; the others leave the buyer something to do elsewhere. */
        outcome: z.enum(["paid", "declined", "processing", ...laterWays]).default("paid"),
        email: z
          .string()
          .regex(/^[^\s@]+@[^\s@]+$/)
          .default("buyer@example.com"),
        /** The last four digits of the card. */
        card: z
          .string()
          .regex(/^\d{4}$/)
          .default("4242"),
        /** Of the billing address. */
        country: z.string().length(2).optional(),
        tax_id: z.object({ type: z.string(), value: z.string() }).optional(),
      }),
      ({ outcome, email, session: id, card: last4, country, tax_id: taxId }) => {
        const checkout = openCheckout(world, id);
        const payer = { email, name: null, country, taxId };
        if (outcome === "declined") {
          // nothing is charged today, so nothing is declined
          if (checkout.session.amount_total === 0) return checkout.session;
          decline(world, checkout, { ...payer, method: card("0002") }, declines.generic_decline);
          return checkoutOf(world, id).session;
        }
        if (outcome === "paid") return payCheckout(world, checkout, { ...payer, method: card(last4) });
        if (outcome !== "processing") {
          if (outcome === "transfer" && checkout.session.mode === "subscription")
            throw new ActionRefusal("A bank transfer pays no subscription that is charged by itself.");
          return payCheckout(world, checkout, {
            ...payer,
            method: laterMethod(outcome, `${world.url}/later/${id}`),
          });
        }
        const debit = debitOf(checkout.session);
        if (debit === null) throw new ActionRefusal("This session offers no delayed method.");
        return payCheckout(world, checkout, { ...payer, method: debit });
      },
    ),

    /** Ends a payment that waits for the bank, or for a voucher, transfer or small deposits. */
    settle: action(z.object({ session, outcome: z.enum(["succeed", "fail"]) }), (given) => {
      if (settleCheckout(world, checkoutOf(world, given.session), given.outcome))
        return checkoutOf(world, given.session).session;
      throw new ActionRefusal("No payment of this session waits for a bank.");
    }),

    /** Enters a promotion code on an open session's page; null removes it. */
    code: action(z.object({ session, code: z.string().nullable() }), ({ code: typed, session: id }) => {
      const checkout = openCheckout(world, id);
      if (typed !== null && checkout.session.allow_promotion_codes !== true)
        throw new ActionRefusal("This session takes no promotion codes.");
      const code = typed === null ? null : activeCode(world, typed);
      if (code === undefined) throw new ActionRefusal("This code is invalid.");
      return applyCode(world, checkout, code).session;
    }),

    /** Sets the tax that Stripe Tax calculates from now on. */
    tax: action(z.object({ percent: z.number().min(0).max(100), within: z.boolean() }), (given) => {
      world.tax = given;
      return given;
    }),

    expire: action(z.object({ session }), (given) =>
      expireSession(world, openCheckout(world, given.session)),
    ),

    /** Without an amount, refunds all that is left. */
    refund: action(
      z.object({ session, amount: z.int().positive().optional(), status: z.literal("pending").optional() }),
      ({ session: id, amount, status }) => {
        const charge = paidCharge(world, id);
        const left = refundable(charge);
        if (left === 0 || (amount ?? 1) > left) throw new ActionRefusal(`Only ${left} is left to refund.`);
        return refund(world, charge, { amount: amount ?? left, metadata: {}, status });
      },
    ),

    "refund/move": action(
      z.object({ refund: z.string(), status: z.enum(["succeeded", "failed"]) }),
      ({ refund: id, status }) => {
        const made = world.ledger.refunds.get(id);
        if (made && hasNotFailed(made) && made.status !== status) return moveRefund(world, made, status);
        throw new ActionRefusal(`The refund ${id} can't become ${status}.`);
      },
    ),

    /** Opens a dispute or an inquiry, or moves the existing one. */
    dispute: action(
      z.object({ session, status: z.enum(disputeStatuses).default("needs_response") }),
      ({ session: id, status }) => {
        const charge = paidCharge(world, id);
        const [there] = disputes(world, charge.id);
        if (there && waysOf(there).includes(status)) return moveDispute(world, there, status);
        if (status !== "needs_response" && status !== "warning_needs_response")
          throw cantMove(there?.status, status);
        if (there && waysOf(there).length > 0 && there.status !== "won" && there.status !== "lost")
          throw cantMove(there.status, status);
        return openDispute(world, charge, status);
      },
    ),

    /** Creates an early fraud warning. */
    warning: action(z.object({ session }), (given) => warn(world, paidCharge(world, given.session))),

    /** Changes a session without an event, which the shop must not trust. */
    alter: action(
      z.object({
        session,
        amount_subtotal: z.int().optional(),
        amount_total: z.int().optional(),
        currency: z.string().optional(),
        livemode: z.boolean().optional(),
        allow_promotion_codes: z.boolean().optional(),
        payment_status: z.enum(["paid", "unpaid"]).optional(),
        metadata: z.record(z.string(), z.string()).optional(),
        client_reference_id: z.string().nullable().optional(),
        invoice: z.string().nullable().optional(),
        customer_details: z.object({ email: z.email() }).optional(),
      }),
      ({ session: id, customer_details: customer, ...change }) => {
        const checkout = checkoutOf(world, id);
        const details = checkout.session.customer_details;
        const customer_details = details && { ...details, ...customer };
        return updateSession(world, checkout, { ...change, customer_details });
      },
    ),

    /** Sets the given faults and leaves the others. */
    faults: action(faultChange, (given): Faults => {
      Object.assign(world.faults.api, given.api);
      Object.assign(world.faults.webhooks, given.webhooks);
      return world.faults;
    }),

    /** Sends the next events without listing them until they are released. */
    "events/withhold": action(z.object({ count: z.int().nonnegative() }), ({ count }) => {
      world.withheld.next = count;
      return { count };
    }),

    /** Lists the withheld events, each at the place of its time. */
    "events/release": action(z.object({}), () => {
      const count = world.withheld.events.size;
      world.withheld = { next: 0, events: new Set() };
      return { count };
    }),

    /** The API version of the events made from now on, such as `2024-06-20`; those made before keep theirs. */
    "events/version": action(z.object({ version: z.string().regex(/^\d{4}-\d{2}-\d{2}/) }), (given) => {
      world.wire.version = given.version;
      return given;
    }),

    /** Refuses every call whose path contains this, until `as` is null. */
    refuse: action(z.object({ path: z.string().min(1), as: z.enum(refusals).nullable() }), ({ path, as }) => {
      const others = world.wire.refusals.filter((one) => one.path !== path);
      world.wire.refusals = as === null ? others : [{ path, as }, ...others];
      return { refusals: world.wire.refusals };
    }),

    /** Also accepts this key from now on, without the permissions it lacks. A live key makes live sessions. */
    keys: action(
      z.object({
        key: z.string().regex(/^[sr]k_(test|live)_\w+$/),
        lacks: z.array(z.string().regex(/_(read|write)$/)).default([]),
      }),
      (given) => {
        world.keys.set(given.key, given.lacks);
        return given;
      },
    ),

    /** Null holds events back. */
    "webhooks/url": action(
      z.object({ url: z.url().refine(leadsHere, "url_invalid").nullable() }),
      (given) => {
        setWebhookUrl(given.url);
        return given;
      },
    ),

    /** Sets the endpoints that the account lists, in the place of those made by calls; events still go to `webhooks/url`. */
    "webhooks/endpoints": action(
      z.object({
        endpoints: z.array(
          z.object({
            url: z.url(),
            enabled_events: z.array(z.string()).default(["*"]),
            status: z.enum(["enabled", "disabled"]).default("enabled"),
            api_version: z.string().nullable().default(apiVersion),
            metadata: z.record(z.string(), z.string()).default({}),
          }),
        ),
      }),
      ({ endpoints }) => {
        world.endpoints = endpoints.map((one, at) => ({ id: `we_${at}`, ...one }));
        keepEndpoints(world);
        return { endpoints };
      },
    ),

    /** Retries at once, and returns whether every event is delivered. */
    flush: action(
      z.object({ timeout_ms: z.number().nonnegative().max(60_000).default(10_000) }),
      async ({ timeout_ms }) => {
        world.ledger.save();
        return { quiet: await events.flush(timeout_ms) };
      },
    ),
  };
}

function cantMove(from: string | undefined, to: DisputeStatus) {
  return new ActionRefusal(`A dispute can't go from ${from ?? "nothing"} to ${to}.`);
}

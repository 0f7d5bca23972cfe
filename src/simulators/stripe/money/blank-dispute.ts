import type Stripe from "stripe";

type Given = Pick<
  Stripe.Dispute,
  | "id"
  | "amount"
  | "charge"
  | "created"
  | "currency"
  | "is_charge_refundable"
  | "payment_intent"
  | "reason"
  | "status"
>;

const twoWeeks = 14 * 24 * 60 * 60;

/** A dispute as it is opened: no evidence yet, two weeks to answer. */
export function blankDispute(given: Given): Stripe.Dispute {
  return {
    object: "dispute",
    balance_transactions: [],
    enhanced_eligibility_types: [],
    evidence: noEvidence,
    evidence_details: {
      due_by: given.created + twoWeeks,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: "not_submitted",
    },
    intended_submission_method: null,
    livemode: false,
    metadata: {},
    network_reason_code: "10.4",
    ...given,
  };
}

/** All of Stripe's evidence fields, empty. A request may set only these. */
export const noEvidence: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
};

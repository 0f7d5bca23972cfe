type ErrorType =
  "api_error" | "card_error" | "idempotency_error" | "invalid_request_error" | "rate_limit_error";

export type ErrorBody = {
  type: ErrorType;
  message: string;
  code?: string;
  param?: string;
  decline_code?: string;
};

/** A refusal in Stripe's shape: `{error: {type, message, code?, param?}}`. See https://docs.stripe.com/api/errors. */
export class StripeRefusal extends Error {
  constructor(
    readonly status: number,
    readonly body: ErrorBody,
  ) {
    super(body.message);
    this.name = "StripeRefusal";
  }
}

export function invalid(message: string, more: { code?: string; param?: string } = {}): StripeRefusal {
  return new StripeRefusal(400, { type: "invalid_request_error", message, ...more });
}

export function found<T>(row: T | undefined, noun: string, id: string, param = "id"): T {
  if (row !== undefined) return row;
  const message = `No such ${noun}: '${id}'`;
  throw new StripeRefusal(404, { type: "invalid_request_error", code: "resource_missing", message, param });
}

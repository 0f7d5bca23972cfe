import { type RefusalCode, refusals } from "@/contract/vocabulary/refusals";
import { type Refusal, type RefusalDetail, sentenceOf } from "@/core/base/refusal";

/** A refusal in the envelope of every answer. */
export function refusalBody(code: RefusalCode, detail: RefusalDetail = {}) {
  const { status } = refusals[code];
  return {
    status: detail.subject ? (404 as const) : status,
    data: sentenceOf({ code, detail }),
    code,
    field: detail.field,
    fields: detail.others?.length ? fieldsOf([{ code, detail }, ...detail.others]) : undefined,
    available_at: detail.availableAt?.toISOString(),
    subscription: detail.subscription,
  };
}

const fieldsOf = (all: readonly Pick<Refusal, "code" | "detail">[]): Record<string, string> =>
  Object.fromEntries(
    all.flatMap((refused) => (refused.detail.field ? [[refused.detail.field, sentenceOf(refused)]] : [])),
  );

import type { RefusalCode } from "@/contract/vocabulary/refusals";
import type { Refusal, RefusalDetail } from "@/core/base/refusal";
import { blockedSentences, refusals } from "./refusals";

/** A refusal in the envelope of every answer. */
export function refusalBody(code: RefusalCode, detail: RefusalDetail = {}) {
  const { status } = refusals[code];
  return {
    status: detail.subject ? (404 as const) : status,
    data: sentenceOf(code, detail),
    code,
    field: detail.field,
    fields: detail.others?.length ? fieldsOf([{ code, detail }, ...detail.others]) : undefined,
    available_at: detail.availableAt?.toISOString(),
    subscription: detail.subscription,
  };
}

const sentenceOf = (code: RefusalCode, detail: RefusalDetail) =>
  detail.sentence ?? phrase(refusals[code].sentence, detail);

const fieldsOf = (all: readonly Pick<Refusal, "code" | "detail">[]): Record<string, string> =>
  Object.fromEntries(
    all.flatMap(({ code, detail }) => (detail.field ? [[detail.field, sentenceOf(code, detail)]] : [])),
  );

function phrase(sentence: string, { retryAfterSeconds, blocked }: RefusalDetail): string {
  if (blocked !== undefined) return blockedSentences[blocked];
  if (retryAfterSeconds === undefined) return sentence;
  return `Too many requests, please try again in ${retryAfterSeconds} seconds`;
}

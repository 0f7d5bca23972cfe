import { day } from "@/contract/time";
import { deadlineInWords } from "@/core/time-left";
import { type OpenDispute, openDisputes } from "@/domain/payments/open-disputes";
import type { OpenShop } from "../command-line";
import { type Finding, warning, well } from "./finding";

const mostNamed = 10;
/** A deadline that is nearer than this is a warning. */
const nearMilliseconds = 3 * day;

/** The open disputes, with their deadlines. */
export async function disputes({ ctx }: OpenShop): Promise<Finding> {
  const now = ctx.now();
  const { count, first } = await openDisputes(ctx, mostNamed);
  if (count === 0) return well("disputes", "None is open.");
  const waiting = first.filter((one) => one.answerBy !== null || lacksDate(one));
  const open = `${count === 1 ? "One is" : `${count} are`} open`;
  if (waiting.length === 0) {
    return well("disputes", `${open}, and ${count === 1 ? "awaits its" : "await their"} outcome.`);
  }
  const named = waiting.map((one) => inWords(one, now)).join("; ");
  const sentence = `${open}: ${named}${count > first.length ? "; and others" : ""}. See shop payments show.`;
  const isNear = waiting.some(
    ({ answerBy }) => answerBy === null || answerBy.getTime() - now.getTime() < nearMilliseconds,
  );
  return (isNear ? warning : well)("disputes", sentence);
}

/** One that an earlier release recorded, until the next sweep. */
const lacksDate = ({ status, answerBy }: OpenDispute) =>
  answerBy === null && status.endsWith("needs_response");

const inWords = ({ payment, answerBy }: OpenDispute, now: Date) =>
  `${payment}, answer by ${answerBy ? deadlineInWords(answerBy, now) : "a day that shop payments sync tells"}`;

import { timeLeftText } from "@/core/base/time-left";
import { type OpenDispute, openDisputes } from "@/domain/payments/reconcile/open-disputes";
import type { Finding } from "@/domain/system/system";
import type { OpenShop } from "../terminal/command-line";
import { stamp } from "../terminal/table";
import { warning, well } from "./finding";

const mostNamed = 10;

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
  const named = waiting.map((one) => describeDispute(one, now)).join("; ");
  return warning("disputes", `${open}${whichOf(count, first, waiting)}: ${named}. See shop payments show.`);
}

/** Which of the open disputes the sentence names; nothing if it names all. */
function whichOf(count: number, first: OpenDispute[], waiting: OpenDispute[]): string {
  if (waiting.length === count) return "";
  if (count > first.length) return ", of which the first to answer are";
  return `, of which ${waiting.length === 1 ? "one awaits" : `${waiting.length} await`} an answer`;
}

/** A dispute that an earlier release recorded, until the next reconciliation. */
const lacksDate = ({ status, answerBy }: OpenDispute) =>
  answerBy === null && status.endsWith("needs_response");

const describeDispute = ({ payment, answerBy }: OpenDispute, now: Date) =>
  `${payment}, answer by ${answerBy ? `${stamp(answerBy)} (${timeLeftText(answerBy, now)})` : "a day that shop payments sync tells"}`;

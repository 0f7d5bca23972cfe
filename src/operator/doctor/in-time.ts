import { databaseFault } from "@/core/database/database-fault";
import { reasonOf } from "@/core/log/log";
import { refusalIn } from "@/core/base/refusal";
import type { Finding } from "@/domain/system/system";
import { sentenceOf } from "../terminal/refusals";
import { wrong } from "./finding";

type Check = () => Finding | Finding[] | Promise<Finding | Finding[]>;

/** Runs a check. Reports a failure or a timeout as its finding, and the other checks go on. */
export async function inTime(what: string, milliseconds: number, check: Check): Promise<Finding[]> {
  const late = Promise.withResolvers<Finding>();
  const sentence = `It can't be checked: there was no answer within ${milliseconds / 1000} seconds.`;
  const timer = setTimeout(() => late.resolve(wrong(what, sentence)), milliseconds);
  try {
    return [await Promise.race([Promise.try(check), late.promise])].flat();
  } catch (error) {
    const refusal = refusalIn(error);
    const reason = databaseFault(error)?.sentence ?? reasonOf(error);
    return [wrong(what, refusal ? sentenceOf(refusal) : `It can't be checked: ${reason}.`)];
  } finally {
    clearTimeout(timer);
  }
}

import { databaseFault } from "@/core/database/database-fault";
import { reasonOf } from "@/core/log/log";
import { refusalIn } from "@/core/base/refusal";
import { withTimeout } from "@/core/base/with-timeout";
import type { Finding } from "@/domain/system/system";
import { sentenceOf } from "../terminal/refusals";
import { wrong } from "./finding";

type Check = () => Finding | Finding[] | Promise<Finding | Finding[]>;

/** Runs a check. Reports a failure or a timeout as its finding, and the other checks go on. */
export async function inTime(what: string, milliseconds: number, check: Check): Promise<Finding[]> {
  const sentence = `It can't be checked: there was no answer within ${milliseconds / 1000} seconds.`;
  try {
    return [await withTimeout(milliseconds, Promise.try(check), () => wrong(what, sentence))].flat();
  } catch (error) {
    const refusal = refusalIn(error);
    const reason = databaseFault(error)?.sentence ?? reasonOf(error);
    return [wrong(what, refusal ? sentenceOf(refusal) : `It can't be checked: ${reason}.`)];
  }
}

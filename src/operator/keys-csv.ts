import { Command } from "commander";
import { Refusal } from "@/core/refusal";
import { importableKey, type ImportedKey, importKeys } from "@/domain/staff/import";
import { atDesk, byOperator, say, withReason } from "./desk";

/** `shop import <file>` */
export const importVerb = (): Command =>
  withReason(new Command("import"))
    .argument("<file>", "CSV with the heading key,level,days; - reads standard input")
    .description("bring in keys that another shop sold, such as KeyAuth's; safe to repeat")
    .action(async (path: string, { reason, json }: { reason: string; json?: boolean }) => {
      const keys = keysIn(await textOf(path));
      await atDesk(async ({ ctx }) => {
        const { made, known } = await importKeys(ctx, keys, byOperator(reason));
        say(json, { made, known }, `${made} keys were brought in, ${known} were known already.`);
      });
    });

async function textOf(path: string): Promise<string> {
  try {
    return await (path === "-" ? Bun.stdin : Bun.file(path)).text();
  } catch {
    throw new Refusal("not_found", { sentence: `${path} can't be read.` });
  }
}

/** All lines or none: the first that is wrong is refused by its number, and never quoted. */
function keysIn(text: string): ImportedKey[] {
  const [heading = "", ...lines] = text.trim().split(/\r?\n/).map(cellsOf);
  if (!`${String(heading).toLowerCase()},`.startsWith("key,level,days,")) {
    throw new Refusal("invalid_field", { sentence: "The first line must begin with key,level,days." });
  }
  const keys = lines.map((cells, at) => keyOfLine(cells, at + 2));
  return [...new Map(keys.map((one) => [one.key, one])).values()];
}

const cellsOf = (line: string) => line.split(",").map((cell) => cell.trim().replace(/^"(.*)"$/, "$1"));

function keyOfLine([typed = "", level = "", days = ""]: string[], number: number): ImportedKey {
  const key = importableKey(typed);
  const wrong = (what: string) =>
    new Refusal("invalid_field", { sentence: `Line ${number}: ${what}. Nothing was brought in.` });
  if (!key) throw wrong("the key has to be 12 to 64 letters, digits or dashes");
  if (days !== "" && !/^[1-9]\d{0,5}$/.test(days))
    throw wrong("days is a whole number, or empty for a lifetime");
  // a number is a level of KeyAuth's, which says nothing here
  const type = /^[a-z][a-z ]{0,30}$/i.test(level) ? level.toLowerCase() : "";
  return { key, type, days: days === "" ? null : Number(days) };
}

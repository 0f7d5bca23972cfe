/** Started by `run-operator.ts`: runs one operator's command after another, each in the environment sent with it. */
import { format, inspect } from "node:util";
import { runCommand } from "@/operator/main";
import type { OperatorRun } from "./run-operator";
import type { Ended } from "./run-process";

let printed = { out: "", err: "" };
console.log = (...all) => void (printed.out += `${format(...all)}\n`);
console.error = (...all) => void (printed.err += `${format(...all)}\n`);
process.stdout.write = (text: string | Uint8Array, ...rest: unknown[]) => {
  printed.out += String(text);
  const done = rest.at(-1);
  if (typeof done === "function") done();
  return true;
};
process.stderr.write = (text) => Boolean((printed.err += String(text)));

process.on("message", (asked: OperatorRun) => void run(asked).then((ended) => process.send?.(ended)));
process.on("disconnect", () => process.exit());

async function run({ env, args, terminal }: OperatorRun): Promise<Ended> {
  printed = { out: "", err: "" };
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.exitCode = 0;
  process.stderr.isTTY = terminal;
  try {
    await runCommand(args);
  } catch (error) {
    return { ...printed, err: `${printed.err}${inspect(error)}\n`, code: 1 };
  }
  return { ...printed, code: process.exitCode };
}

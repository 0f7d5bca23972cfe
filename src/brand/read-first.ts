import { brandFault } from "./the-brand";

const [program = "", command = "", ...args] = process.argv.slice(1);
/** Commands that mend a brand run without one. */
const mends = /operator[\\/]main\.ts$/.test(program) && ["brand", "setup"].includes(command);

// Imported before everything that uses the brand: a mistake in it stops a start or a command with its sentence alone.
const fault = brandFault();
if (fault !== null && !mends) {
  const { message: sentence } = fault;
  console.error(
    args.includes("--json") ? JSON.stringify({ error: { code: "configuration", sentence } }) : sentence,
  );
  process.exit(1);
}

import { brandFault } from "@/brand/the-brand";

const [command = "", ...args] = process.argv.slice(2);
// Imported before everything that uses the brand. The commands that mend it run without it.
const fault = brandFault();
if (fault !== null && !["brand", "setup"].includes(command)) {
  const { message: sentence } = fault;
  console.error(
    args.includes("--json") ? JSON.stringify({ error: { code: "configuration", sentence } }) : sentence,
  );
  process.exit(1);
}

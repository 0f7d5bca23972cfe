import { parseArgs } from "node:util";
import { startDiscordSimulator } from "./discord/simulator";
import { startMailSimulator } from "./mail/simulator";
import { startStripeSimulator } from "./stripe/simulator";
import { startWebhookSimulator } from "./webhooks/simulator";

/** `bun src/simulators/main.ts stripe|discord|mail|webhooks`: runs a simulator as its own program; see README.md. */
const text = { type: "string" } as const;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    port: text,
    "smtp-port": text,
    "webhook-url": text,
    "redirect-uri": { type: "string", multiple: true },
    "data-dir": text,
    seed: text,
  },
});
const { seed, "data-dir": dataDir, "redirect-uri": redirectUris } = values;
const port = Number(values.port ?? 0);

const programs = {
  stripe: () => startStripeSimulator({ port, seed, dataDir, webhook: { url: values["webhook-url"] } }),
  discord: () => startDiscordSimulator({ port, seed, dataDir, redirectUris }),
  webhooks: () => startWebhookSimulator({ port, dataDir }),
  mail: () => startMailSimulator({ httpPort: port, smtpPort: Number(values["smtp-port"] ?? 0), dataDir }),
};

const isProgram = (name: string): name is keyof typeof programs => Object.hasOwn(programs, name);

const [name = ""] = positionals;
try {
  if (!isProgram(name)) throw new Error(`no simulator "${name}"`);
  const simulator = await programs[name]();
  // functions are left out of JSON
  console.log(JSON.stringify({ ready: true, ...simulator }));
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.once(signal, () => void simulator.stop().then(() => process.exit(0)));
} catch (error) {
  console.error(`The simulator can't start: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}

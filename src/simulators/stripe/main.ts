import { parseArgs } from "node:util";
import { startStripeSimulator } from "./simulator";

/** `bun src/simulators/stripe/main.ts`: the simulator as a program of its own; see ../README.md. */
const { values } = parseArgs({
  options: {
    host: { type: "string" },
    port: { type: "string" },
    "public-url": { type: "string" },
    "secret-key": { type: "string" },
    "publishable-key": { type: "string" },
    "webhook-url": { type: "string" },
    "webhook-secret": { type: "string" },
    "data-dir": { type: "string" },
    seed: { type: "string" },
  },
});

const simulator = await startStripeSimulator({
  host: values.host,
  port: values.port === undefined ? undefined : Number(values.port),
  publicUrl: values["public-url"],
  secretKey: values["secret-key"],
  publishableKey: values["publishable-key"],
  webhook: { url: values["webhook-url"], secret: values["webhook-secret"] },
  dataDir: values["data-dir"],
  seed: values.seed,
});
console.log(JSON.stringify({ ready: true, url: simulator.url, port: simulator.port }));

const stop = () => {
  void simulator.stop().then(() => process.exit(0));
};
process.once("SIGTERM", stop);
process.once("SIGINT", stop);

import { parseArgs } from "node:util";
import { startMailSimulator } from "./simulator";

/** `bun src/simulators/mail/main.ts`: the simulator as a program of its own; see ../README.md. */
const { values } = parseArgs({
  options: {
    host: { type: "string" },
    "smtp-port": { type: "string", default: "0" },
    "http-port": { type: "string", default: "0" },
    "data-dir": { type: "string" },
  },
});

try {
  const simulator = await startMailSimulator({
    host: values.host,
    smtpPort: Number(values["smtp-port"]),
    httpPort: Number(values["http-port"]),
    dataDir: values["data-dir"],
  });
  console.log(JSON.stringify({ ready: true, smtp: simulator.smtpUrl, url: simulator.url }));
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => void simulator.stop().then(() => process.exit(0)));
  }
} catch (error) {
  console.error(`The mail simulator cannot start: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}

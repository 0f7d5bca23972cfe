import { parseArgs } from "node:util";
import { startDiscordSimulator } from "./simulator";

/** `bun src/simulators/discord/main.ts`: the stand-in as a program of its own; see README.md beside this file. */
const { values } = parseArgs({
  options: {
    host: { type: "string" },
    port: { type: "string" },
    "bot-token": { type: "string" },
    "client-secret": { type: "string" },
    "redirect-uri": { type: "string", multiple: true },
    "guild-name": { type: "string" },
    "bot-name": { type: "string" },
    "heartbeat-ms": { type: "string" },
    "no-limits": { type: "boolean" },
    "data-dir": { type: "string" },
    seed: { type: "string" },
  },
});

const simulator = await startDiscordSimulator({
  host: values.host,
  port: values.port === undefined ? undefined : Number(values.port),
  botToken: values["bot-token"],
  clientSecret: values["client-secret"],
  redirectUris: values["redirect-uri"],
  guildName: values["guild-name"],
  botName: values["bot-name"],
  heartbeatMs: values["heartbeat-ms"] === undefined ? undefined : Number(values["heartbeat-ms"]),
  limits: values["no-limits"] ? { enabled: false } : {},
  dataDir: values["data-dir"],
  seed: values.seed,
});
// Functions are left out of JSON.
console.log(JSON.stringify({ ready: true, ...simulator }));

const stop = () => {
  void simulator.stop().then(() => process.exit(0));
};
process.once("SIGTERM", stop);
process.once("SIGINT", stop);

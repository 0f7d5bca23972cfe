import { parseArgs } from "node:util";
import { startDiscordSimulator } from "./simulator";

/** `bun src/simulators/discord/main.ts`: the simulator as a program of its own; see ../README.md. */
const { values } = parseArgs({
  options: {
    port: { type: "string" },
    "redirect-uri": { type: "string", multiple: true },
    "guild-name": { type: "string" },
    "bot-name": { type: "string" },
    "data-dir": { type: "string" },
    seed: { type: "string" },
  },
});

const simulator = await startDiscordSimulator({
  port: values.port === undefined ? undefined : Number(values.port),
  redirectUris: values["redirect-uri"],
  guildName: values["guild-name"],
  botName: values["bot-name"],
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

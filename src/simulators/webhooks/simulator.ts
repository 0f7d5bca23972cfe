import { forThisMachine } from "../base/host";
import { createAnswers } from "./answers";
import { endpointPath, webhookApp } from "./app";
import { openInbox } from "./inbox";

export type WebhookSimulatorOptions = {
  /** Default 0: any free port. */
  port?: number | undefined;
  /** The folder for received requests and secrets; without it they stay in memory. */
  dataDir?: string | undefined;
  now?: () => Date;
};

export type WebhookSimulator = Awaited<ReturnType<typeof startWebhookSimulator>>;

const largestBody = 256 * 1024;
/** Longer than the slowest answer. */
const idleSeconds = 240;

/** Another system that receives webhooks (https://www.standardwebhooks.com), and a page to read them. */
export async function startWebhookSimulator(options: WebhookSimulatorOptions = {}) {
  const { port = 0, dataDir, now = () => new Date() } = options;
  const stopping = new AbortController();
  const inbox = openInbox(dataDir, now);
  const app = webhookApp({ inbox, answers: createAnswers(), stopping: stopping.signal });
  const http = Bun.serve({
    hostname: "127.0.0.1",
    port,
    development: false,
    maxRequestBodySize: largestBody,
    idleTimeout: idleSeconds,
    fetch: forThisMachine((request) => app.fetch(request)),
  });
  const url = `http://127.0.0.1:${http.port}`;
  return {
    url,
    endpointUrl: url + endpointPath,
    /** Newest first. */
    received: () => inbox.list(),
    async stop() {
      const stopped = http.stop(true);
      stopping.abort();
      await stopped;
      inbox.close();
    },
  };
}

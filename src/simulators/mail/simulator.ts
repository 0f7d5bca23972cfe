import { createFaults, type Fault } from "./faults";
import { listenHttp } from "./http";
import { openMailbox } from "./mailbox";
import { listenSmtp } from "./smtp";

export type { Fault } from "./faults";

export type MailSimulatorOptions = {
  /** Default 127.0.0.1. */
  host?: string;
  /** 0, the default, takes a free one. */
  smtpPort?: number;
  httpPort?: number;
  /** Where messages are kept; without it they live in memory. */
  dataDir?: string;
  now?: () => Date;
};

export type MailSimulator = Awaited<ReturnType<typeof startMailSimulator>>;

/** A mail server that delivers everything into one mailbox, and a page to read it. Nothing in it is random. */
export async function startMailSimulator(options: MailSimulatorOptions = {}) {
  const { host = "127.0.0.1", smtpPort = 0, httpPort = 0, dataDir, now = () => new Date() } = options;
  const mailbox = await openMailbox(dataDir);
  // A server that refuses connections has none open either.
  const faults = createFaults((fault) => fault.mode === "refuse-connection" && smtp.cutEveryLine());
  const smtp = await listenSmtp({ host, port: smtpPort, mailbox, faults, now });
  const http = await listenHttp({ host, port: httpPort, mailbox, faults }).catch(async (error: unknown) => {
    await smtp.stop();
    throw error;
  });
  return {
    smtpUrl: `smtp://${host}:${smtp.port}`,
    url: `http://${host}:${http.port}`,
    /** Newest first. */
    messages: (to?: string) => mailbox.list(to),
    /** What to do wrong from now on; it replaces what was said before. */
    setFaults: (fault: Fault) => faults.set(fault),
    clear: () => mailbox.clear(),
    async stop() {
      await Promise.all([smtp.stop(), http.stop()]);
    },
  };
}

import { createFaults, type Fault } from "./faults";
import { listenHttp } from "./http";
import { openMailbox } from "./mailbox";
import { listenSmtp } from "./smtp";

export type { Fault } from "./faults";

export type MailSimulatorOptions = {
  /** Default 127.0.0.1. */
  host?: string;
  /** Default 0: any free port. */
  smtpPort?: number;
  httpPort?: number;
  /** The folder for messages; without it they are kept in memory. */
  dataDir?: string;
  now?: () => Date;
};

export type MailSimulator = Awaited<ReturnType<typeof startMailSimulator>>;

/** A mail server that delivers everything into one mailbox, and a page to read it. */
export async function startMailSimulator(options: MailSimulatorOptions = {}) {
  const { host = "127.0.0.1", smtpPort = 0, httpPort = 0, dataDir, now = () => new Date() } = options;
  const mailbox = await openMailbox(dataDir);
  // a server that refuses connections has no open ones either
  const faults = createFaults((fault) => fault.mode === "refuse-connection" && smtp.cutConnections());
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
    /** How many connections there were, and the most letters that were received at the same time. */
    tally: smtp.tally,
    /** Replaces the current fault. */
    setFaults: (fault: Fault) => faults.set(fault),
    clear: () => mailbox.clear(),
    async stop() {
      await Promise.all([smtp.stop(), http.stop()]);
    },
  };
}

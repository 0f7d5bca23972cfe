import { mailApp } from "./app";
import { type Design, openDesigns } from "./designs";
import { forThisMachine } from "../base/host";
import { createFaults, type Fault, faultBody } from "./faults";
import { openMailbox } from "./mailbox";
import { listenSmtp } from "./smtp";

export type MailSimulatorOptions = {
  /** Default 0: any free port. */
  smtpPort?: number | undefined;
  httpPort?: number | undefined;
  /** The folder for messages; without it they stay in memory. */
  dataDir?: string | undefined;
  /** Emails to look at on a page of their own, whether or not anybody was sent one. */
  designs?: () => Promise<Design[]>;
  now?: () => Date;
};

export type MailSimulator = Awaited<ReturnType<typeof startMailSimulator>>;

/** A mail server that delivers everything into one mailbox, and a page to read it. */
export async function startMailSimulator(options: MailSimulatorOptions = {}) {
  const { smtpPort = 0, httpPort = 0, dataDir, designs, now = () => new Date() } = options;
  const mailbox = await openMailbox(dataDir);
  // a server that refuses connections has no open ones either
  const faults = createFaults((fault) => fault.mode === "refuse-connection" && smtp.cutConnections());
  const smtp = await listenSmtp({ port: smtpPort, mailbox, faults, now });
  const app = mailApp(mailbox, faults, designs ? openDesigns(designs) : null);
  const fetch = forThisMachine((request) => app.fetch(request));
  const http = Bun.serve({ hostname: "127.0.0.1", port: httpPort, development: false, fetch });
  return {
    smtpUrl: `smtp://127.0.0.1:${smtp.port}`,
    url: `http://127.0.0.1:${http.port}`,
    /** Newest first. */
    messages: (to?: string) => mailbox.list(to),
    /** The number of connections, and the most emails received at the same time. */
    tally: smtp.tally,
    setFaults: (fault: Fault) => void faults.set(faultBody.parse(fault)),
    async stop() {
      await Promise.all([smtp.stop(), http.stop(true)]);
    },
  };
}

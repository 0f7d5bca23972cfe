import type { Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server";
import type { FaultInForce, Faults, Stage } from "./faults";
import type { Mailbox } from "./mailbox";

type Options = { port: number; mailbox: Mailbox; faults: Faults; now: () => Date };

/** The SMTP server: accepts any login and any recipient, and fails as `faults` says. */
export async function listenSmtp({ port, mailbox, faults, now }: Options) {
  const sockets = new Map<number, Socket>();
  const stopping = new AbortController();
  const tally = { connections: 0, mostAtOnce: 0 };
  let underWay = 0;

  const server = new SMTPServer({
    name: "mailbox.test",
    banner: "mail simulator",
    // without a certificate there is no STARTTLS, so AUTH must be allowed in the clear
    disabledCommands: ["STARTTLS"],
    authOptional: true,
    disableReverseLookup: true,
    // as most servers, takes a quoted local part, whose dots may stand anywhere (RFC 5321 §4.1.2)
    lenientAddressParsing: true,
    logger: false,
    // the server would add enhanced codes of its own
    hideENHANCEDSTATUSCODES: true,
    size: 10 * 1024 * 1024,
    rejectOversized: true,
    onConnect: (session, answer) =>
      faults.take("connection") ? sockets.get(session.remotePort)?.destroy() : answer(),
    onAuth: (login, _session, answer) =>
      answer(rejection(faults, "login", { from: "", to: [] }), { user: login.username ?? "-" }),
    onMailFrom: ({ address }, _session, answer) =>
      answer(rejection(faults, "sender", { from: address, to: [] })),
    onRcptTo: ({ address }, session, answer) =>
      answer(rejection(faults, "recipient", { from: senderOf(session), to: [address] })),
    onData(stream, session, answer) {
      tally.mostAtOnce = Math.max(tally.mostAtOnce, (underWay += 1));
      receive(stream, session)
        .finally(() => (underWay -= 1))
        .then((reply) => reply && answer(null, reply), answer);
    },
  });
  // ignores the disconnects that the faults cause
  server.on("error", () => {});
  server.server.prependListener("connection", (socket: Socket) => {
    const { remotePort } = socket;
    if (remotePort === undefined) return;
    tally.connections += 1;
    sockets.set(remotePort, socket);
    socket.once("close", () => sockets.delete(remotePort));
  });

  function cutConnections() {
    for (const socket of sockets.values()) socket.destroy();
  }

  /** The text of the final 250; undefined if the connection was cut instead. */
  async function receive(stream: SMTPServerDataStream, session: SMTPServerSession) {
    const raw = await buffer(stream);
    const fault = faults.take("message", recipientsOf(session));
    const socket = sockets.get(session.remotePort);
    if (fault?.mode.startsWith("reject"))
      throw refusal(fault, { from: senderOf(session), to: recipientsOf(session) });
    if (fault?.mode === "slow") await wait(fault.delayMs, undefined, { signal: stopping.signal });
    const lost = fault?.mode === "drop-before-250";
    const id = lost && !fault.stored ? undefined : await store(raw, session);
    if (lost) {
      socket?.destroy();
      return undefined;
    }
    // the 250 is written right after this returns, and destroySoon sends it first
    if (fault?.mode === "drop-after-250") setImmediate(() => socket?.destroySoon());
    return `OK: queued as ${id}`;
  }

  async function store(raw: Buffer, session: SMTPServerSession) {
    const from = senderOf(session);
    const to = recipientsOf(session);
    const receivedAt = now().toISOString();
    return (await mailbox.deliver({ receivedAt, envelope: { from, to }, raw: raw.toString("latin1") })).id;
  }

  await new Promise<void>((resolve, reject) => {
    server.server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = server.server.address();
  return {
    port: typeof address === "object" && address ? address.port : port,
    cutConnections,
    tally,
    stop: () =>
      new Promise<void>((resolve) => {
        stopping.abort();
        server.close(() => resolve());
        cutConnections();
      }),
  };
}

const recipientsOf = ({ envelope }: SMTPServerSession) =>
  envelope.rcptTo.map(({ address }) => address.replace(/^"(.*)"@/, "$1@"));

const senderOf = ({ envelope: { mailFrom } }: SMTPServerSession) => (mailFrom ? mailFrom.address : "");

type Envelope = { from: string; to: string[] };

function rejection(faults: Faults, stage: Stage, envelope: Envelope) {
  const fault = faults.take(stage, envelope.to);
  return fault ? refusal(fault, envelope) : null;
}

/** RFC 5321 §4.2.3 (and RFC 4954 §6 for a login): the replies of a server that refuses. */
function refusal({ mode, at, reply }: FaultInForce, { from, to }: Envelope) {
  const usual = replies[mode === "reject-4xx" ? "later" : "never"][at];
  const lines = (reply ?? usual).replaceAll("{from}", from).replaceAll("{to}", to.join(", ")).split("\n");
  // the server writes the code before each line of a list
  const message = lines.map((line) => line.slice(4));
  return Object.assign(new Error(), { message, responseCode: Number(lines[0]?.slice(0, 3)) });
}

const replies: Record<"later" | "never", Record<FaultInForce["at"], string>> = {
  later: {
    login: "454 4.7.0 Temporary authentication failure",
    sender: "451 4.3.0 Try again later",
    recipient: "450 4.2.1 Mailbox busy, try again later",
    message: "451 4.3.0 Local error in processing, try again later",
  },
  never: {
    login: "535 5.7.8 Authentication credentials invalid",
    sender: "550 5.7.1 Sender refused",
    recipient: "550 5.1.1 No such mailbox",
    message: "552 5.2.2 The mailbox is full",
  },
};

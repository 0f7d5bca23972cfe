import { Webhook } from "standardwebhooks";
import { openStore, rows } from "../base/store";

/** A request to the endpoint, unchanged. */
export type Received = {
  id: string;
  /** ISO 8601, UTC. */
  receivedAt: string;
  /** `webhook-id`; null without one. */
  webhookId: string | null;
  body: string;
  /** Why it is not verified; null if it is. */
  problem: string | null;
  /** How many of the earlier requests still kept had the same `webhook-id`. */
  repeat: number;
  /** The answer's status, with a remark. */
  answered: string;
};

type Arrived = Pick<Received, "body" | "problem" | "answered"> & { headers: Headers };

export type Inbox = ReturnType<typeof openInbox>;

const mostKept = 200;
const mostSecrets = 2;

/** The received requests, and the secrets to verify them with; in memory or, given a folder, on disk too. */
export function openInbox(folder: string | undefined, now: () => Date) {
  const store = openStore(
    { received: rows<Received>() },
    folder === undefined ? undefined : { folder, file: "webhooks.jsonl" },
  );
  const secrets = () => JSON.parse(store.setting("secrets") ?? "[]") as string[];
  let count = Number(store.received.newest()[0]?.id ?? 0);
  return {
    secrets,
    /** Puts the secret first; a sender that changes its secret signs with both for a while. */
    addSecret(secret: string) {
      const all = [secret, ...secrets().filter((one) => one !== secret)].slice(0, mostSecrets);
      store.keep("secrets", JSON.stringify(all));
      store.save();
    },
    receive({ body, headers, problem, answered }: Arrived): Received {
      const webhookId = headers.get("webhook-id");
      const isSame = (one: Received) => webhookId !== null && one.webhookId === webhookId;
      const row = store.put("received", {
        id: String(++count),
        receivedAt: now().toISOString(),
        webhookId,
        body,
        problem,
        repeat: store.received.all().filter(isSame).length,
        answered,
      });
      for (const { id } of store.received.newest().slice(mostKept)) store.remove("received", id);
      store.save();
      return row;
    },
    /** Why a request is not verified; null if it is. */
    problemOf: (body: string, headers: Headers) => problemOf(secrets(), body, headers),
    /** Newest first. */
    list: () => store.received.newest(),
    /** Returns how many requests there were. */
    clear() {
      const gone = store.received.all();
      for (const { id } of gone) store.remove("received", id);
      store.save();
      return gone.length;
    },
    close: () => store.close(),
  };
}

/**
 * Verifies with the library that receivers use: the id, a timestamp within five minutes, and a signature of one of the
 * secrets.
 */
function problemOf(secrets: string[], body: string, headers: Headers): string | null {
  let problem = "No secret is known yet";
  for (const secret of secrets) {
    try {
      new Webhook(secret).verify(body, Object.fromEntries(headers), { jsonParse: false });
      return null;
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
    }
  }
  return problem;
}

import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import PostalMime, { type Address } from "postal-mime";
import { StoredOtherwise } from "../base/store";

/** The message as SMTP delivered it, not yet parsed. */
type Delivery = {
  id: string;
  /** ISO 8601, UTC. */
  receivedAt: string;
  envelope: { from: string; to: string[] };
  /** The raw message, one character per byte. */
  raw: string;
};

export type StoredMessage = Delivery & {
  subject: string;
  from: string;
  to: string;
  /** Includes the angle brackets of the header. */
  messageId: string;
  headers: { name: string; value: string }[];
  html: string | null;
  text: string | null;
};

export type Mailbox = Awaited<ReturnType<typeof openMailbox>>;

/** Messages in memory and, given a folder, also in one file each, which survive a restart. */
export async function openMailbox(folder?: string) {
  const messages = folder ? await load(folder) : [];
  let count = Number(messages.at(-1)?.id ?? 0);
  return {
    async deliver(delivery: Omit<Delivery, "id">): Promise<StoredMessage> {
      // padded, so that names sort by age; taken before the first await, so that no two are equal
      const id = String(++count).padStart(6, "0");
      const message = await read({ id, ...delivery });
      if (folder) await writeDelivery(folder, { id, ...delivery });
      messages.push(message);
      return message;
    },
    /** Newest first. Compares `to` with the envelope's recipients, ignoring case. */
    list(to?: string): StoredMessage[] {
      const wanted = to?.trim().toLowerCase();
      const sentTo = ({ envelope }: StoredMessage) =>
        envelope.to.some((address) => address.toLowerCase() === wanted);
      return (wanted ? messages.filter(sentTo) : messages).toReversed();
    },
    find: (id: string) => messages.find((message) => message.id === id),
    /** Returns how many messages there were. */
    async clear() {
      const gone = messages.splice(0);
      if (folder) await Promise.all(gone.map(({ id }) => rm(join(folder, `${id}.json`), { force: true })));
      return gone.length;
    },
  };
}

async function load(folder: string): Promise<StoredMessage[]> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const names = (await readdir(folder)).filter((name) => /^\d+\.json$/.test(name)).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      return read(await Bun.file(path).json()).catch((cause: unknown) => {
        throw new StoredOtherwise(path, { cause });
      });
    }),
  );
}

/** Writes another file and renames it, so that a kill leaves a whole message or none. */
async function writeDelivery(folder: string, delivery: Delivery) {
  const path = join(folder, `${delivery.id}.json`);
  await writeFile(`${path}.part`, JSON.stringify(delivery), { mode: 0o600 });
  await rename(`${path}.part`, path);
}

export async function read(delivery: Delivery): Promise<StoredMessage> {
  const mail = await PostalMime.parse(Buffer.from(delivery.raw, "latin1"));
  return {
    ...delivery,
    subject: mail.subject ?? "",
    from: mail.from ? written(mail.from) : "",
    to: (mail.to ?? []).map(written).join(", "),
    messageId: mail.messageId ?? "",
    headers: mail.headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
    html: mail.html ?? null,
    text: mail.text ?? null,
  };
}

function written(address: Address): string {
  if (address.group) return `${address.name}: ${address.group.map(written).join(", ")};`;
  return address.name ? `${address.name} <${address.address}>` : address.address;
}

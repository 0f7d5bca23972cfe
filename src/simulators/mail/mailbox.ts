import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Delivery, type StoredMessage, read } from "./message";

export type Mailbox = Awaited<ReturnType<typeof openMailbox>>;

/** Messages in memory and, given a folder, one file each in it, so that they outlive the program. */
export async function openMailbox(folder?: string) {
  const messages = folder ? await load(folder) : [];
  let count = Number(messages.at(-1)?.id ?? 0);
  return {
    async deliver(delivery: Omit<Delivery, "id">): Promise<StoredMessage> {
      // Padded, so that names sort by age; never awaited before, so that no two get the same one.
      const id = String(++count).padStart(6, "0");
      const message = await read({ id, ...delivery });
      if (folder) await keep(folder, { id, ...delivery });
      messages.push(message);
      return message;
    },
    /** Newest first. `to` compares with the recipients of the envelope, ignoring case. */
    list(to?: string): StoredMessage[] {
      const wanted = to?.trim().toLowerCase();
      const sentTo = ({ envelope }: StoredMessage) =>
        envelope.to.some((address) => address.toLowerCase() === wanted);
      return (wanted ? messages.filter(sentTo) : messages).toReversed();
    },
    find: (id: string) => messages.find((message) => message.id === id),
    async clear() {
      const gone = messages.splice(0);
      if (folder) await Promise.all(gone.map(({ id }) => rm(join(folder, `${id}.json`), { force: true })));
    },
  };
}

async function load(folder: string): Promise<StoredMessage[]> {
  await mkdir(folder, { recursive: true });
  const names = (await readdir(folder)).filter((name) => /^\d+\.json$/.test(name)).toSorted();
  return Promise.all(names.map(async (name) => read(await Bun.file(join(folder, name)).json())));
}

/** Written aside and renamed: a kill leaves a whole message or none. */
async function keep(folder: string, delivery: Delivery) {
  const path = join(folder, `${delivery.id}.json`);
  await Bun.write(`${path}.part`, JSON.stringify(delivery));
  await rename(`${path}.part`, path);
}

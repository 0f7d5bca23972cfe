import { read, type StoredMessage } from "./mailbox";

/** An email that nobody was sent, to look at: its name for people, and the raw message, one character per byte. */
export type Design = { name: string; raw: string };

export type Designs = ReturnType<typeof openDesigns>;

/** Reads the designs when they are first looked at. */
export function openDesigns(load: () => Promise<Design[]>) {
  const readAll = async () => {
    const designs = await load();
    return Promise.all(
      designs.map(async ({ name, raw }): Promise<[name: string, StoredMessage]> => {
        const envelope = { from: "", to: [] };
        return [name, await read({ id: slug(name), receivedAt: "", envelope, raw })];
      }),
    );
  };
  let all: ReturnType<typeof readAll> | undefined;
  const list = () => (all ??= readAll());
  return {
    list,
    find: async (id: string) => (await list()).find(([, message]) => message.id === id)?.[1],
  };
}

const slug = (name: string) => name.toLowerCase().replace(/[^a-z0-9]+/g, "-");

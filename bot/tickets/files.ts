import type { DiscordConfig } from "@/core/config";
import type { TicketRoom } from "@/domain/tickets/ticket-channels";
import { translate } from "../discord/rest";
import { outside } from "./calls";

/** Fetches a file that somebody sent, from Discord's own hosts and no other, whatever an event says. */
export const fetchFile =
  (config: DiscordConfig): TicketRoom["fetchFile"] =>
  async (url, mostBytes) => {
    if (!isDiscords(url, config)) return null;
    const answer = await outside(fetch(url, { signal: AbortSignal.timeout(60_000), redirect: "error" }));
    if (answer.status === 404 || answer.status === 403) return null;
    if (!answer.ok) throw translate(new Error(`a file answered ${answer.status}`));
    const bytes = new Uint8Array(await answer.arrayBuffer());
    return bytes.length > mostBytes ? null : bytes;
  };

function isDiscords(url: string, { apiUrl }: DiscordConfig): boolean {
  const { protocol, hostname, origin } = new URL(url);
  if (apiUrl && origin === apiUrl.origin) return true;
  return protocol === "https:" && ["cdn.discordapp.com", "media.discordapp.net"].includes(hostname);
}

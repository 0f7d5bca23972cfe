import { eq, inArray } from "drizzle-orm";
import type { DeskActor } from "@/contract/wire/desk/rows";
import { type Entry, type LoggedActor, loggedActor } from "@/core/database/audit";
import { type Ctx, isId } from "@/core/database/context";
import { accounts } from "../schema/accounts";
import { links } from "../schema/discord";

/** The names of actors by their ids. */
export type ActorNames = Map<string, string>;

/** The current names of accounts and of linked Discord users. */
export async function namesOf(ctx: Ctx, actorIds: string[]): Promise<ActorNames> {
  const ids = [...new Set(actorIds)];
  const [byAccount, byLink] = await Promise.all([
    ofAccounts(ctx, ids.filter(isId)),
    ofDiscordUsers(
      ctx,
      ids.filter((id) => id.startsWith(discord)).map((id) => id.slice(discord.length)),
    ),
  ]);
  return new Map([...byAccount, ...byLink].map(({ id, name }) => [id, name]));
}

const discord = "discord:";

/** As an actor's id: messages, and tickets of earlier releases, have only the bare id of a Discord user. */
export const storedActorId = (id: string): string => (/^\d+$/.test(id) ? `${discord}${id}` : id);

const ofAccounts = ({ store: { db } }: Ctx, ids: string[]) =>
  ids.length === 0
    ? []
    : db.select({ id: accounts.id, name: accounts.username }).from(accounts).where(inArray(accounts.id, ids));

async function ofDiscordUsers({ store: { db } }: Ctx, ids: string[]) {
  if (ids.length === 0) return [];
  const rows = await db
    .select({ id: links.discordUserId, name: accounts.username })
    .from(links)
    .innerJoin(accounts, eq(accounts.id, links.accountId))
    .where(inArray(links.discordUserId, ids));
  return rows.map(({ id, name }) => ({ id: `${discord}${id}`, name }));
}

/** An actor with their name; staff whose account was erased are "former staff". */
export function namedActor({ kind, id, role, via }: LoggedActor, names: ActorNames): DeskActor {
  const known = names.get(id) ?? null;
  const name = known ?? (kind === "staff" && isId(id) ? "former staff" : null);
  return { kind, id, name, role, via: vias.find((one) => one === via) ?? null };
}

const vias = ["site", "discord", "desk"] as const;

/** The actor of an entry of the log or of a note. */
export const actorOf = (entry: Entry, names: ActorNames): DeskActor => namedActor(loggedActor(entry), names);

/** A member of staff of whom only the id was kept, as an actor. */
export function staffNamed(id: string, names: ActorNames): DeskActor {
  if (id === "operator" || id === "shop") return namedActor({ kind: id, id, role: null, via: null }, names);
  const via = id.startsWith(discord) ? "discord" : "desk";
  return namedActor({ kind: "staff", id, role: null, via }, names);
}

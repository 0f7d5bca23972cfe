import { dueOf, ledgerOf } from "./expected-state";
import type { Member } from "./member";
import type { World } from "./processes";

export type RolesAudit = {
  /** Customers who redeemed a key and linked a Discord user, and how many of them have the role. */
  members: number;
  linked: number;
  inside: number;
  held: number;
  /** Members who have the role and should not, or should and don't. */
  wrong: string[];
  /** Requests to Discord, as the simulator counted them. */
  asked: {
    requests: number;
    /** Answers of 401, 403 or 429, too many of which get one banned by Discord; injected ones included. */
    invalid: number;
    /** 429s for an exhausted bucket, injected ones excluded. */
    limited: number;
    identifies: number;
  };
};

type Person = { id: string; username: string; inside: boolean; roles: string[] };
type Tally = {
  requests: number;
  invalid: number;
  identifies: number;
  limited: Record<string, number>;
  routes: Record<string, number>;
};

/**
 * Checks the Discord simulator's server against Stripe's ledger and what the members did: the role is held by
 * exactly those who are entitled, connected and members.
 */
export async function auditRoles(world: World, members: Member[]): Promise<RolesAudit> {
  const ledger = new Map((await ledgerOf(world.stripeUrl)).map((account) => [account.session, account]));
  const { members: people } = (await world.atDiscord("members")) as { members: Person[] };
  const of = new Map(members.map((member) => [member.user, member]));
  const isInside = new Set(people.filter(({ inside }) => inside).map(({ id }) => id));
  const wrong = people.flatMap(({ id, username, inside, roles }) => {
    const member = of.get(id);
    const account = member && ledger.get(member.session);
    const standing = account ? dueOf(account).standing : null;
    const linked = member?.linked === true;
    const held = roles.includes("Premium");
    if (held === (linked && inside && standing === "good")) return [];
    return [`${username} ${JSON.stringify({ held, linked, inside, standing })}`];
  });
  const tally = await tallyOf(world);
  return {
    members: members.length,
    linked: members.filter(({ linked }) => linked).length,
    inside: members.filter(({ user }) => isInside.has(user)).length,
    held: people.filter(({ roles }) => roles.includes("Premium")).length,
    wrong,
    asked: {
      requests: tally.requests,
      invalid: tally.invalid,
      limited: Object.values(tally.limited).reduce((sum, count) => sum + count, 0),
      identifies: tally.identifies,
    },
  };
}

/** How often the shop has begun to list all members of the server. */
export const reconciliations = async (world: World): Promise<number> =>
  (await tallyOf(world)).routes["GET /guilds/:id/members"] ?? 0;

const tallyOf = async (world: World) => (await world.atDiscord("tally")) as Tally;

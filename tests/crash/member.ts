import type { Person } from "../support/people/person";
import { ask, type Complaints, untilDone } from "./retry";
import type { Random } from "./random";
import type { World } from "./processes";

/** A buyer with an account, and whether they last linked or unlinked their Discord user. */
export type Member = { person: Person; name: string; session: string; user: string; linked: boolean };

const password = "a long enough phrase";

type Mind = { complaints: Complaints; random: Random };
type Buyer = Mind & { buyer: Person; session: string; name: string };

/** Redeems the bought key by registering, and connects a Discord user, who may or may not be in the server. */
export async function becomeMember(world: World, at: Buyer): Promise<Member> {
  const { buyer, session, name, complaints, random } = at;
  const key = await untilDone(world, "the key", async () => {
    const url = `/api/stripe/verify-payment?session_id=${session}`;
    const answer = await ask(() => buyer.get(url), { what: "the key", complaints, fine: [200] });
    return (answer?.body.data.license_key as string | null | undefined) ?? null;
  });
  await untilDone(world, "registration", () => register(buyer, { key, name, complaints }));
  const { id } = (await world.atDiscord("members", { username: name, join: random.next() < 0.5 })) as {
    id: string;
  };
  const member = { person: buyer, name, session, user: id, linked: true };
  await link(world, member, { complaints, random });
  return member;
}

/** Somebody whose registration was cut off can't know whether it went through, and signs in if it did. */
async function register(person: Person, at: { key: string; name: string; complaints: Complaints }) {
  const { key, name, complaints } = at;
  // 400 and 409: the first attempt took the key or the name
  const asked = { what: "registration", complaints, fine: [200, 400, 403, 409] };
  const registered = await ask(() => person.register(key, name, password), asked);
  if (registered === null) return null;
  if (registered.status === 200) return registered;
  return signIn({ person, name }, complaints);
}

function signIn({ person, name }: Pick<Member, "person" | "name">, complaints: Complaints) {
  const login = { username: name, password };
  return ask(() => person.post("/api/auth/login", login), { what: "login", complaints, fine: [200] });
}

/** Leaves and rejoins the server, disconnects, reconnects, or changes nothing. */
export async function changeMind(world: World, member: Member, { complaints, random }: Mind) {
  const { user } = member;
  const mood = random.next();
  if (mood < 0.2) await unlink(world, member, complaints);
  if (mood < 0.08) await link(world, member, { complaints, random });
  // somebody who never joined can't leave, which is fine
  if (mood > 0.8) await world.atDiscord("leave", { user }).catch(() => null);
  if (mood > 0.9) await world.atDiscord("join", { user }).catch(() => null);
}

async function link(world: World, member: Member, { complaints, random }: Mind) {
  const { person, user } = member;
  member.linked = await untilDone(world, "connecting", async () => {
    const known = await standing(member, complaints);
    // if a refund came first, there is nothing to connect and nothing left to do
    if (known === null || known.connected) return known && true;
    const asking = { what: "authorize", complaints, fine: [200, 403] };
    const proof = { what: "the password", complaints, fine: [200, 401] };
    const proved = await ask(() => person.post("/api/user/reauthenticate", { password }), proof);
    if (proved?.status !== 200) return null;
    const asked = await ask(() => person.get("/api/functions/get-discord-oauth-url"), asking);
    if (asked === null) return null;
    if (asked.status === 403) return asked.body.code === "reauthenticate" ? null : false;
    const { redirect } = (await world.atDiscord("authorize", { url: asked.body.url, user })) as {
      redirect: string;
    };
    const { code, state } = Object.fromEntries(new URL(redirect).searchParams);
    // its answer may be lost; the next attempt checks the outcome
    await ask(() => person.post("/api/discord/auth/callback", { code, state }), {
      what: "callback",
      complaints,
      fine: [200, 202, 400, 403],
    });
    const after = await standing(member, complaints);
    // Discord is away, or the shop just died: nobody clicks the button ten times a second
    if (!after?.connected) await Bun.sleep(random.whole(2_000, 4_000));
    return after?.connected ? true : null;
  });
}

async function unlink(world: World, member: Member, complaints: Complaints) {
  const { person } = member;
  await untilDone(world, "disconnecting", async () => {
    await ask(() => person.post("/api/discord/deauth"), { what: "deauth", complaints, fine: [200, 401] });
    const known = await standing(member, complaints);
    return known && !known.connected ? true : null;
  });
  member.linked = false;
}

/** Null if it can't be told; a shop that died after it had taken the password took the session with its answer. */
async function standing(member: Member, complaints: Complaints) {
  const asking = { what: "me", complaints, fine: [200, 401] };
  const answer = await ask(() => member.person.get("/api/discord/me"), asking);
  if (answer?.status === 401) await signIn(member, complaints);
  return answer?.status === 200 ? (answer.body.data as { connected: boolean }) : null;
}

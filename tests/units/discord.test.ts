import { expect, test } from "bun:test";
import { messagesOf } from "@bot/notice-board";
import { complaintsOf } from "@bot/server/server-checks";
import type { DiscordConfig } from "@/core/settings/config";
import { roleReasonOf } from "@/domain/discord/role-status";
import { type LevelRole, levelRolesOf, levelsShown, roleChanges } from "@/domain/discord/roles";
import type { Link } from "@/domain/discord/links";
import { seededRandom } from "../crash/random";

const roles: LevelRole[] = [
  { id: "pro", name: "Pro", roleId: "1" },
  { id: "team", name: "Team", roleId: "2" },
  { id: "vip", name: "VIP", roleId: "2" },
];
const none = { levels: [], held: [], given: [] };
const said = (...facts: Parameters<typeof roleChanges>) =>
  roleChanges(...facts).map(({ action, roleId, levels }) =>
    [action, roleId, ...levels.map(({ name }) => name)].join(" "),
  );

test("each role is given to the members whose account has a level of it, and taken from all others", () => {
  expect(said(roles, none)).toEqual([]);
  expect(said(roles, { ...none, levels: ["pro", "team"] })).toEqual(["grant 1 Pro", "grant 2 Team"]);
  expect(said(roles, { ...none, levels: ["team"], held: ["1", "2", "9"] })).toEqual(["take 1 Pro"]);
  expect(said(roles, { ...none, held: ["1", "2"] })).toEqual(["take 1 Pro", "take 2 Team VIP"]);
});

test("a role that two levels share is given once, and stays as long as one of them gives it", () => {
  expect(said(roles, { ...none, levels: ["team", "vip"] })).toEqual(["grant 2 Team VIP"]);
  expect(said(roles, { ...none, levels: ["vip"], held: ["2"] })).toEqual([]);
});

test("of a role that no level gives any more, only what the shop gave is taken", () => {
  expect(said(roles, { ...none, held: ["8", "9"], given: ["9", "7"] })).toEqual(["take 9"]);
});

test("the first level gives the role of the settings unless it has its own; others give none without one", () => {
  const level = (id: string, roleId: string | null) => ({ id, name: id, roleId, isFirst: id === "pro" });
  const rolesOf = (...levels: ReturnType<typeof level>[]) =>
    levelRolesOf(levels, "1").map(({ id, roleId }) => `${id} ${roleId}`);
  expect(rolesOf(level("pro", null), level("team", "2"), level("vip", null))).toEqual(["pro 1", "team 2"]);
  expect(rolesOf(level("pro", "3"), level("team", "1"))).toEqual(["pro 3", "team 1"]);
  expect(rolesOf(level("lite", null), level("pro", null))).toEqual(["pro 1"]);
});

test("a member has the levels of the account whose role they hold, or all of a role that they shouldn't", () => {
  expect(levelsShown(roles, { levels: ["vip"], held: ["1", "2"] })).toEqual(["pro", "vip"]);
  expect(levelsShown(roles, { levels: [], held: ["2"] })).toEqual(["team", "vip"]);
  expect(levelsShown(roles, { levels: ["pro"], held: [] })).toEqual([]);
});

const seed = Number(process.env["MODEL_SEED"] ?? Date.now());
const steps = 10_000;

/** Who gave a member a role: the shop knows of its own, hands give any. */
type Holding = Map<string, "shop" | "hand">;
type Person = { linked: boolean; inside: boolean; levels: Set<string>; roles: Holding; given: Set<string> };

/** Changes the roles of a member as a reconciliation does. */
function reconcile(levels: LevelRole[], who: Person): void {
  const facts = {
    levels: who.linked ? [...who.levels] : [],
    held: [...who.roles.keys()],
    given: [...who.given],
  };
  for (const { action, roleId } of who.inside ? roleChanges(levels, facts) : [])
    if (action === "take") who.roles.delete(roleId);
    else {
      who.roles.set(roleId, "shop");
      who.given.add(roleId);
    }
  who.given = new Set([...who.given].filter((roleId) => who.roles.has(roleId)));
}

test(`in ${steps} random steps nobody has a role without a licence, or loses one that is none of the shop's`, () => {
  console.log(`roles: MODEL_SEED=${seed}`);
  const { whole, pick } = seededRandom(seed);
  const roleIds = ["r1", "r2", "r3", "r4"];
  const giving = new Map(["pro", "team", "vip", "school"].map((id, at) => [id, roleIds[at % 2]]));
  const people = Array.from({ length: 6 }, (): Person => {
    return { linked: false, inside: true, levels: new Set(), roles: new Map(), given: new Set() };
  });
  for (let step = 0; step < steps; step += 1) {
    const who = pick(people);
    const [level, roleId] = [pick([...giving.keys()]), pick(roleIds)];
    const steps = {
      redeem: () => who.levels.add(level),
      end: () => who.levels.delete(level),
      link: () => (who.linked = !who.linked),
      leave() {
        who.inside = !who.inside;
        who.roles.clear();
      },
      handGives: () => who.inside && !who.roles.has(roleId) && who.roles.set(roleId, "hand"),
      handTakes: () => who.roles.delete(roleId),
      change: () => giving.set(level, whole(1, 4) > 1 ? roleId : undefined),
    };
    const does = pick(Object.keys(steps) as (keyof typeof steps)[]);
    steps[does]();
    const levels = [...giving].flatMap(([id, role]) => (role ? [{ id, name: id, roleId: role }] : []));
    const before = people.map(({ roles: held }) => new Map(held));
    for (const one of people) reconcile(levels, one);
    const told = JSON.stringify({ step, does, level, roleId, giving: [...giving] });
    for (const [at, { linked, inside, levels: own, roles: held }] of people.entries())
      for (const id of roleIds) {
        const isLevels = [...giving.values()].includes(id);
        const isDue = linked && inside && [...own].some((one) => giving.get(one) === id);
        // of a role that no level gives, what a hand gave stays, and what the shop gave goes
        const expected = isLevels ? isDue : before[at]?.get(id) === "hand";
        expect([id, held.has(id)], told).toEqual([id, expected]);
      }
  }
});

const link: Link = {
  accountId: "a",
  discordUserId: "1",
  linkedAt: new Date(0),
  displayName: "Ada",
  tokensSealed: null,
  joinWanted: false,
  joinObstacle: null,
  member: true,
  holdsRole: true,
  heldLevels: ["premium"],
  checkedAt: new Date(0),
  provenRole: null,
};

test("of several reasons for not having the roles, the first to act on is shown", () => {
  const licensed = { isLicensed: true, wanted: ["premium"] };
  expect(roleReasonOf(null, { isLicensed: false, wanted: [] })).toBe("not_linked");
  expect(roleReasonOf(null, { isLicensed: true, wanted: [] })).toBe("no_role");
  expect(roleReasonOf(link, { isLicensed: false, wanted: [] })).toBe("no_license");
  expect(roleReasonOf(link, { isLicensed: true, wanted: [] })).toBe("no_role");
  expect(roleReasonOf({ ...link, checkedAt: null }, licensed)).toBe("pending");
  expect(roleReasonOf({ ...link, heldLevels: [] }, licensed)).toBe("pending");
  expect(roleReasonOf(link, { ...licensed, wanted: ["premium", "team"] })).toBe("pending");
  expect(roleReasonOf({ ...link, member: false }, licensed)).toBe("not_member");
  expect(roleReasonOf({ ...link, member: false, joinObstacle: "not_allowed" }, licensed)).toBe("not_member");
  expect(roleReasonOf({ ...link, member: false, joinObstacle: "banned" }, licensed)).toBe("banned");
  expect(roleReasonOf(link, licensed)).toBe("held");
});

const config = {
  guildId: "g",
  premiumRoleId: "premium",
  supportRoleId: "support",
  staffChannelId: "staff",
  newsChannelId: null,
  ownerRoleId: null,
} as DiscordConfig;
const role = (id: string, position: number, permissions = 0n) => ({
  id,
  name: id,
  position,
  permissions: String(permissions),
  managed: false,
});
const manageRoles = 1n << 28n;
const invite = 1n;
const channel = {
  permission_overwrites: [{ id: "bot", type: 0, allow: String((1n << 10n) | (1n << 11n)), deny: "0" }],
};

const now = new Date("2026-01-01T12:00:00Z");

/** What the doctor says of a server with these roles. */
function complaints(
  roles: ReturnType<typeof role>[],
  staffChannel: typeof channel | null = channel,
  communication_disabled_until: string | null = null,
  ownerRoleId: string | null = null,
): string[] {
  const me = { roles: ["bot"], user: { id: "me" }, communication_disabled_until };
  const seen = { roles, me, staffChannel };
  // the doctor reads only these fields of Discord's objects
  return complaintsOf(seen as unknown as Parameters<typeof complaintsOf>[0], {
    config: { ...config, ownerRoleId },
    roles: { levels: [{ id: "premium", name: "Premium", roleId: "premium" }], former: [] },
    now,
  }).map(({ code }) => code);
}

test("the checks name what is wrong with the server, and nothing when all is well", () => {
  const bot = role("bot", 5, manageRoles | invite);
  const [premium, support] = [role("premium", 1), role("support", 2)];
  expect(complaints([bot, premium, support])).toEqual([]);
  expect(complaints([bot, role("premium", 5), support])).toEqual(["role_too_high"]);
  expect(complaints([bot, { ...premium, managed: true }, support])).toEqual(["role_managed"]);
  expect(complaints([bot, support])).toEqual(["role_missing"]);
  expect(complaints([role("bot", 5), premium, support])).toEqual(["manage_roles", "create_invite"]);
  expect(complaints([role("bot", 5, 8n), premium])).toEqual(["support_role_missing"]);
  expect(complaints([bot, premium, support], null)).toEqual(["staff_channel"]);
  expect(complaints([bot, premium, support], { permission_overwrites: [] })).toEqual(["staff_channel"]);
  const all = [bot, premium, support];
  expect(complaints(all, channel, "2026-01-01T12:00:01+00:00")).toEqual(["timed_out"]);
  expect(complaints(all, channel, "2026-01-01T12:00:00+00:00")).toEqual([]);
  expect(complaints(all, channel, null, "support")).toEqual([]);
  expect(complaints(all, channel, null, "owners")).toEqual(["owner_role_missing"]);
});

const line = (text: string) => ({ line: text, about: [text] });

test("a message takes as many whole lines as fit, in order", () => {
  const lines = Array.from({ length: 60 }, (_, at) => line(`${at} ${"x".repeat(110)}`));
  const messages = messagesOf(lines);
  expect(messages.length).toBe(4);
  for (const { content } of messages) expect(content.length).toBeLessThanOrEqual(2000);
  const written = messages.flatMap(({ content }) => content.split("\n"));
  expect(written).toEqual(lines.map((one) => `• ${one.line}`));
  expect(messages.flatMap(({ about }) => about)).toEqual(lines.map((one) => one.line));
});

test("a notice too long for one message is split, is complete with its last part, and has its markup escaped", () => {
  const long = line(`**bold** <@1> ${"y".repeat(4500)}`);
  const messages = messagesOf([line("first"), long, line("after")]);
  for (const { content } of messages) expect(content.length).toBeLessThanOrEqual(2000);
  expect(messages.map(({ part, last }) => [part, last])).toEqual([
    [0, true],
    [0, false],
    [1, false],
    [2, true],
  ]);
  const contents = messages.map(({ content }) => content).join("");
  expect(contents).toBe(`• first• \\*\\*bold\\*\\* \\<@1\\> ${"y".repeat(4500)}\n• after`);
});

import { expect, test } from "bun:test";
import { compose } from "@bot/notice-board";
import { judge } from "@bot/server/doctor";
import type { DiscordConfig } from "@/core/config";
import { reasonFor } from "@/domain/community/mine";
import { remedy, roleFor } from "@/domain/community/role";
import type { Link } from "@/domain/community/standing";

const yesNo = [true, false];
const standings = yesNo.flatMap((linked) =>
  yesNo.flatMap((entitled) => yesNo.map((member) => ({ linked, entitled, member }))),
);

test("the role is for who is linked, entitled and a member, and for nobody else", () => {
  const having = standings.filter((standing) => roleFor(standing));
  expect(having).toEqual([{ linked: true, entitled: true, member: true }]);
});

test("only a difference is written", () => {
  for (const standing of standings) {
    const wanted = roleFor(standing);
    expect(remedy(standing, wanted)).toBeNull();
    expect(remedy(standing, !wanted)).toBe(wanted ? "grant" : "take");
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
  checkedAt: new Date(0),
};

test("somebody is told the first thing that keeps the role from them", () => {
  expect(reasonFor(null, false)).toBe("not_linked");
  expect(reasonFor(link, false)).toBe("no_license");
  expect(reasonFor({ ...link, checkedAt: null }, true)).toBe("pending");
  expect(reasonFor({ ...link, holdsRole: false }, true)).toBe("pending");
  expect(reasonFor({ ...link, member: false }, true)).toBe("not_member");
  expect(reasonFor({ ...link, member: false, joinObstacle: "not_allowed" }, true)).toBe("not_member");
  expect(reasonFor({ ...link, member: false, joinObstacle: "banned" }, true)).toBe("banned");
  expect(reasonFor(link, true)).toBe("held");
});

const config = {
  guildId: "g",
  premiumRoleId: "premium",
  supportRoleId: "support",
  staffChannelId: "staff",
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

/** What the doctor says of a server with these roles. */
function complaints(
  roles: ReturnType<typeof role>[],
  staffChannel: typeof channel | null = channel,
): string[] {
  const seen = { roles, me: { roles: ["bot"], user: { id: "me" } }, staffChannel };
  // the doctor reads no more of Discord's objects than stands here
  return judge(seen as unknown as Parameters<typeof judge>[0], config).map(({ code }) => code);
}

test("the doctor names what is wrong with the server, and is silent when nothing is", () => {
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
});

test("many notices are one message that Discord takes", () => {
  const sales = Array.from({ length: 100 }, (_, at) => ({
    what: "sale",
    line: `Sale ${at} ${"x".repeat(150)}`,
  }));
  const message = compose([...sales, { what: "refund", line: "Refund **bold** <@1>" }]);
  expect(message.length).toBeLessThanOrEqual(2000);
  const short = compose([
    ...sales.map((sale, at) => ({ ...sale, line: `Sale ${at}` })),
    { what: "refund", line: "Refund **bold** <@1>" },
  ]);
  expect(short).toContain("and 90 more: sale");
  expect(short).toContain("Refund \\*\\*bold\\*\\* \\<@1\\>");
});

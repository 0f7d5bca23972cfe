import { expect, test } from "bun:test";
import { nextMessage } from "@bot/notice-board";
import { judge } from "@bot/server/server-checks";
import type { DiscordConfig } from "@/core/config";
import type { NoticeKind } from "@/core/notice";
import { reasonFor } from "@/domain/community/role-status";
import { remedy, roleFor } from "@/domain/community/role";
import type { Link } from "@/domain/community/links";
import type { Notice } from "@/domain/notices/notices";

const yesNo = [true, false];
const standings = yesNo.flatMap((linked) =>
  yesNo.flatMap((entitled) => yesNo.map((member) => ({ linked, entitled, member }))),
);

test("exactly the linked, entitled members should have the role", () => {
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

test("of several reasons for not having the role, the first to act on is shown", () => {
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
  newsChannelId: null,
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
): string[] {
  const me = { roles: ["bot"], user: { id: "me" }, communication_disabled_until };
  const seen = { roles, me, staffChannel };
  // the doctor reads no more of Discord's objects than stands here
  return judge(seen as unknown as Parameters<typeof judge>[0], config, now).map(({ code }) => code);
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
});

/** Every message that these notices make. */
function messagesOf(notices: Notice[]): string[] {
  const messages: string[] = [];
  for (let left = notices; left.length > 0;) {
    const { texts, said } = nextMessage(left);
    expect(said.length).toBeGreaterThan(0);
    messages.push(...texts);
    left = left.filter((one) => !said.includes(one));
  }
  return messages;
}

const many = (count: number, kind: NoticeKind): Notice[] =>
  Array.from({ length: count }, (_, at) => ({
    kind,
    what: kind,
    line: `${kind} ${at} ${"x".repeat(110)}`,
    price: { currency: at % 2 === 0 ? "usd" : "eur", amount: 1_250 },
  }));

test("every refund and dispute has its own line, disputes first, and many sales share one", () => {
  const messages = messagesOf([...many(10, "sale"), ...many(10, "refund"), ...many(8, "dispute")]);
  expect(messages.length).toBeGreaterThan(1);
  for (const message of messages) expect(message.length).toBeLessThanOrEqual(2000);
  const lines = messages.join("\n").split("\n");
  expect(lines.map((line) => line.slice(2, 11).trim())).toEqual([
    ...Array.from({ length: 8 }, (_, at) => `dispute ${at}`),
    ...Array.from({ length: 10 }, (_, at) => `refund ${at} `.trim()),
    "10 sales:",
  ]);
  for (const line of lines.slice(0, 18)) expect(line).toEndWith("x".repeat(110));
  expect(lines.at(-1)).toBe("• 10 sales: USD 62.50, EUR 62.50");
});

test("a few sales have a line each", () => {
  expect(messagesOf(many(3, "sale")).join("\n").split("\n")).toHaveLength(3);
});

test("a thousand sales don't keep a dispute out of the first message", () => {
  const [first] = messagesOf([...many(1000, "sale"), ...many(1, "dispute")]);
  expect(first).toStartWith("• dispute 0");
  expect(first).toContain("1000 sales: ");
});

test("a notice too long for one message is split, and nothing in it is read as markup", () => {
  const messages = messagesOf([
    { kind: "trouble", what: "trouble", line: `**bold** <@1> ${"y".repeat(4500)}` },
  ]);
  for (const message of messages) expect(message.length).toBeLessThanOrEqual(2000);
  expect(messages.join("")).toBe(`• \\*\\*bold\\*\\* \\<@1\\> ${"y".repeat(4500)}`);
});

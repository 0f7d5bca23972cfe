import { expect, test } from "bun:test";
import { messagesOf } from "@bot/notice-board";
import { complaintsOf } from "@bot/server/server-checks";
import type { DiscordConfig } from "@/core/settings/config";
import { roleReasonOf } from "@/domain/discord/role-status";
import { remedy, roleFor } from "@/domain/discord/role";
import type { Link } from "@/domain/discord/links";

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
  provenRole: null,
};

test("of several reasons for not having the role, the first to act on is shown", () => {
  expect(roleReasonOf(null, false)).toBe("not_linked");
  expect(roleReasonOf(link, false)).toBe("no_license");
  expect(roleReasonOf({ ...link, checkedAt: null }, true)).toBe("pending");
  expect(roleReasonOf({ ...link, holdsRole: false }, true)).toBe("pending");
  expect(roleReasonOf({ ...link, member: false }, true)).toBe("not_member");
  expect(roleReasonOf({ ...link, member: false, joinObstacle: "not_allowed" }, true)).toBe("not_member");
  expect(roleReasonOf({ ...link, member: false, joinObstacle: "banned" }, true)).toBe("banned");
  expect(roleReasonOf(link, true)).toBe("held");
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
  return complaintsOf(
    seen as unknown as Parameters<typeof complaintsOf>[0],
    { ...config, ownerRoleId },
    now,
  ).map(({ code }) => code);
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

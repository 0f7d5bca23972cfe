import { customer } from "@/core/base/actor";
import type { Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { accountByName } from "@/domain/accounts/sessions/account";
import { beginLink, finishLink } from "@/domain/discord/link-attempt";
import { awaitRole } from "@/domain/discord/role-status";
import { linkOf } from "@/domain/discord/links";
import type { SignOn } from "@/domain/discord/sign-on";
import type { Member } from "./members";
import { runAction } from "./simulators";

/** Long enough for a bot that has just started. */
const timeoutMilliseconds = 5_000;

type Options = { discordUrl: URL; goOn: () => void };

/** The members of the Discord server, by their names there. */
const users = { ada: "ada", dora: "dora", lena: "lena", nora: "nora", olga: "olivia", sam: "sam" } as const;
type Connected = keyof typeof users;

/**
 * Connects those who are in the Discord server through its authorize page; one of them then leaves. After an
 * interruption, does the rest.
 */
export async function connectCast(ctx: Ctx, signOn: SignOn, { discordUrl, goOn }: Options): Promise<void> {
  for (const member of ["olga", "sam", "ada", "dora", "nora", "lena"] as const satisfies Member[]) {
    goOn();
    const account = await accountByName(ctx, member);
    if (!account) throw new Error(`${member} has no account`);
    if (await linkOf(ctx, account.id)) continue;
    if ((await isInside(discordUrl, users[member])) === null) {
      const global_name = member.replace(/^./, (first) => first.toUpperCase());
      await runAction(discordUrl, "members", { username: member, global_name, join: true });
    }
    await connect(ctx, signOn, { discordUrl, member, accountId: account.id });
  }
  goOn();
  if (await isInside(discordUrl, "lena")) await runAction(discordUrl, "leave", { user: "lena" });
}

async function connect(
  ctx: Ctx,
  signOn: SignOn,
  { discordUrl, member, accountId }: { discordUrl: URL; member: Connected; accountId: string },
) {
  // staff prove themselves with their authenticators
  const provenRole = member === "olga" ? ("owner" as const) : member === "sam" ? ("support" as const) : null;
  const who = {
    actor: customer(accountId),
    sessionId: "the demo",
    expectProof: () => {},
    alongside: [] as Write[],
    provenRole,
  };
  const { redirect } = await runAction(discordUrl, "authorize", {
    url: await beginLink(ctx, signOn, who),
    user: users[member],
  });
  const back = new URL(String(redirect)).searchParams;
  await finishLink(ctx, signOn, who, { code: back.get("code") ?? "", state: back.get("state") ?? "" });
  // staff have no licence and dora's is disputed, so they get no role
  await awaitRole(ctx, accountId, timeoutMilliseconds);
}

/** Whether the user is in the server; null if the customer has no Discord user. */
async function isInside(discordUrl: URL, username: string): Promise<boolean | null> {
  const answer = await fetch(new URL("/_control/members", discordUrl));
  const { members } = (await answer.json()) as { members: { username: string; inside: boolean }[] };
  return members.find((one) => one.username === username)?.inside ?? null;
}

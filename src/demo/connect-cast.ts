import type { Ctx } from "@/core/context";
import { accountByName } from "@/domain/accounts/account";
import { beginLink } from "@/domain/community/attempt";
import { finishLink } from "@/domain/community/link";
import { awaitRole } from "@/domain/community/mine";
import type { SignOn } from "@/domain/community/sign-on";
import type { Member } from "./cast";

/** Long enough for a bot that has just been started. */
const patienceMilliseconds = 5_000;

/** Those of the cast who are in the Discord server go through its authorize page; one of them leaves again. */
export async function connectCast(ctx: Ctx, signOn: SignOn, discordUrl: URL): Promise<void> {
  await atDiscord(discordUrl, "members", { username: "lena", global_name: "Lena", join: true });
  for (const member of ["ada", "dora", "lena"] as const) await connect(ctx, signOn, { discordUrl, member });
  await atDiscord(discordUrl, "leave", { user: "lena" });
}

async function connect(
  ctx: Ctx,
  signOn: SignOn,
  { discordUrl, member }: { discordUrl: URL; member: Member },
) {
  const account = await accountByName(ctx, member);
  if (!account) throw new Error(`${member} has no account`);
  const who = { accountId: account.id, sessionId: "the demo" };
  const { redirect } = await atDiscord(discordUrl, "authorize", {
    url: await beginLink(ctx, signOn, who),
    user: member,
  });
  const back = new URL(redirect ?? "").searchParams;
  await finishLink(ctx, signOn, who, { code: back.get("code") ?? "", state: back.get("state") ?? "" });
  await awaitRole(ctx, { id: account.id, entitled: true }, patienceMilliseconds);
}

/** Does something on Discord's side, through the stand-in's control. */
async function atDiscord(url: URL, action: string, body: object): Promise<{ redirect?: string }> {
  const answer = await fetch(new URL(`/_control/${action}`, url), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`Discord's stand-in refused: ${await answer.text()}`);
  return (await answer.json()) as { redirect?: string };
}

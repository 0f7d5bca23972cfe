import { createRoute, z } from "@hono/zod-openapi";
import { brand } from "@/brand/brand";
import {
  callbackTitles,
  type CallbackTitle,
  discordCallbackBody,
  type DiscordStatus,
  discordStatus,
  discordUrl,
} from "@/contract/wire/discord";
import type { RefusalCode } from "@/contract/vocabulary/refusals";
import { customer, type StaffRole } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { spend } from "@/core/limits/limits";
import { blockedSentence, Refusal } from "@/core/base/refusal";
import { type Requester, mustBeSignedIn } from "@/domain/accounts/sessions/account";
import { expectProof, spendProof } from "@/domain/accounts/credentials/proof";
import { notify } from "@/domain/accounts/sessions/notices";
import { beginLink, finishLink, type LinkOutcome } from "@/domain/discord/link-attempt";
import {
  awaitRole,
  noLicenceSentence,
  offSentence,
  type OwnRole,
  ownRoleOf,
} from "@/domain/discord/role-status";
import { unlink } from "@/domain/discord/change-link";
import { answers, bareAnswers, jsonBody, needsSession, ok, refused } from "../answers";
import { newRouter, requesterOf, signedInBy, signedInCall } from "../route-guards";
import type { Shop } from "../shop";

/** How long the callback waits for the role before answering that it is pending. */
const timeoutMilliseconds = 2_500;

const callbackAnswer = z.object({
  status: z.int(),
  status_message: z.enum(callbackTitles),
  data: z.string(),
  code: z.string().optional(),
});
type CallbackAnswer = z.infer<typeof callbackAnswer>;

const callbackResponse = (description: string) => ({
  description,
  content: { "application/json": { schema: callbackAnswer } },
});

/** /api/discord: the link between an account and a Discord user. */
export function discordRoutes(shop: Shop) {
  const { ctx, limits } = shop;
  const signedIn = signedInCall(shop);
  const holder = signedInBy(shop, shop.readHolder);
  return newRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/me",
        tags: ["Discord"],
        summary: "The connected Discord user, and why the role is or isn't there",
        security: needsSession,
        middleware: [holder] as const,
        responses: answers("As last known, without asking Discord", discordStatus),
      }),
      async (c) => {
        const own = await ownRoleOf(ctx, c.get("signedIn").account.id);
        return c.json(ok(onTheWire(own, shop.signOn !== null)), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/auth/callback",
        tags: ["Discord"],
        summary: "Finish authorization after returning from Discord, and connect the user",
        description:
          "`status_message` is the headline of the result, `data` its detail. Needs the same proof as its beginning (`reauthenticate`).",
        security: needsSession,
        middleware: [holder] as const,
        request: jsonBody(discordCallbackBody),
        responses: {
          200: callbackResponse("Connected, and the role is granted"),
          202: callbackResponse("The role is still pending, or Discord can't be reached: ask again"),
          400: callbackResponse("The state or code is not valid"),
          403: callbackResponse(
            "That Discord user belongs to another account, is blocked, or may not have the role",
          ),
          "4XX": refused,
          "5XX": refused,
        },
      }),
      async (c) => {
        const { account, entitled, staffRole } = c.get("signedIn");
        await spend(ctx, limits.discord, account.id);
        const { signOn } = shop;
        if (!signOn) throw new Refusal("discord_off");
        if (!entitled) return c.json(answerOf(403, "Denied", await noLicenceSentence(ctx)), 403);
        const requester = requesterOf(c, shop);
        const who = {
          ...linkerOf(ctx, requester, staffRole),
          alongside: [
            ...mustBeSignedIn(ctx, requester),
            ...spendProof(ctx, requester),
            ...notify(ctx, account, { what: "discord-connected", browser: requester.browser }),
          ],
        };
        const outcome = await finishLink(ctx, signOn, who, c.req.valid("json"));
        const wait = () => awaitRole(ctx, account.id, timeoutMilliseconds);
        const answer = outcome === "linked" ? linkedAnswer(await wait()) : refusals[outcome];
        // one return per status, so that TypeScript infers each
        if (answer.status === 200) return c.json(answer, 200);
        if (answer.status === 202) return c.json(answer, 202);
        return answer.status === 400 ? c.json(answer, 400) : c.json(answer, 403);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/deauth",
        tags: ["Discord"],
        summary: "Disconnect the Discord user",
        ...signedIn,
        responses: answers("Disconnected, even if there was no connection", z.null()),
      }),
      async (c) => {
        const { account } = c.get("signedIn");
        await spend(ctx, limits.discord, account.id);
        await unlink(ctx, customer(account.id));
        return c.json(ok(null), 200);
      },
    );
}

/** /api/functions/get-discord-oauth-url: Discord's authorization page, outside the envelope. */
export function discordUrlRoute(shop: Shop) {
  return newRouter().openapi(
    createRoute({
      method: "get",
      path: "/get-discord-oauth-url",
      tags: ["Discord"],
      summary: "Where to send the browser to connect a Discord user",
      description:
        "Needs the password, typed in this session after its sign-in and less than 15 minutes ago (`reauthenticate`); connecting uses that proof up.",
      security: needsSession,
      middleware: [signedInBy(shop, shop.readHolder)] as const,
      responses: bareAnswers("The address, outside the envelope", discordUrl),
    }),
    async (c) => {
      if (!shop.signOn) throw new Refusal("discord_off");
      const { entitled, staffRole } = c.get("signedIn");
      if (!entitled) throw new Refusal("role_needs_license");
      const who = linkerOf(shop.ctx, requesterOf(c, shop), staffRole);
      return c.json({ url: await beginLink(shop.ctx, shop.signOn, who) }, 200);
    },
  );
}

/** The proof holds a code where two-factor is on, and so proves a role. */
const linkerOf = (ctx: Ctx, requester: Requester, staffRole: StaffRole | null) => ({
  actor: requester.actor,
  sessionId: requester.session.id,
  expectProof: () => expectProof(ctx, requester),
  alongside: [],
  provenRole: requester.account.mfaEnabledAt ? staffRole : null,
});

const answerOf = <S extends 200 | 202 | 400 | 403>(
  status: S,
  title: CallbackTitle,
  data: string,
  code?: string,
) => ({
  status,
  status_message: title,
  data,
  ...(code === undefined ? {} : { code }),
});

const refusals = {
  elsewhere: answerOf(
    403,
    "Forbidden",
    "That Discord account is connected to another account of ours. Disconnect it there first, or ask support.",
    "discord_taken" satisfies RefusalCode,
  ),
  blocked: answerOf(403, "Forbidden", blockedSentence("discord"), "blocked" satisfies RefusalCode),
  refused: answerOf(
    400,
    "Bad Request",
    "Discord did not confirm this request, or it took too long. Please press Authorize again.",
    "discord_refused" satisfies RefusalCode,
  ),
  unreachable: answerOf(
    202,
    "Pending",
    "Discord can't be reached right now. Nothing is lost: refresh in a moment.",
  ),
} as const satisfies Record<Exclude<LinkOutcome, "linked">, CallbackAnswer>;

function linkedAnswer({ reason, sentence }: OwnRole) {
  if (reason === "held" || reason === "no_role") return answerOf(200, "Success", sentence);
  if (reason === "banned") return answerOf(403, "Denied", sentence);
  return answerOf(202, "Pending", sentence);
}

const onTheWire = ({ link, reason, sentence, gives }: OwnRole, on: boolean): DiscordStatus => ({
  connected: link !== null,
  name: link?.displayName ?? null,
  linked_at: link?.linkedAt.toISOString() ?? null,
  role: {
    held: reason === "held",
    reason: on ? reason : "off",
    sentence: on ? sentence : offSentence,
    gives: on ? gives : null,
    join_url:
      on && (reason === "not_member" || reason === "too_many_servers")
        ? (brand.links.community ?? null)
        : null,
  },
});

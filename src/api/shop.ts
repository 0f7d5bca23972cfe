import type { Context } from "hono";
import type { Config } from "@/core/settings/config";
import type { Ctx } from "@/core/database/context";
import type { LimitTable } from "@/contract/vocabulary/limits";
import type { Metrics } from "@/core/log/metrics";
import type { RestoredCopy } from "@/core/database/restored-copy";
import type { entitledAccountReader, ownAccountReader } from "@/domain/accounts/sessions/own-account";
import type { sessionReader } from "@/domain/accounts/sessions/sessions";
import type { SignOn } from "@/domain/discord/sign-on";
import type { Email } from "@/domain/mail/email";
import type { RefusingServer } from "@/domain/mail/refusing";
import type { MailState } from "@/domain/mail/watched";
import type { CheckoutGateway } from "@/domain/payments/port/stripe";
import type { tokenOwnerReader } from "@/domain/application/token-owner";
import type { serverKeyReader } from "@/domain/keys/server-keys";
import type { deskReader } from "@/domain/staff/desk-session";
import type { BuildStore } from "@/domain/releases/store";
import type { DeskBackups } from "@/domain/backups/at-desk";
import type { JudgeRole } from "@/domain/offers/change-level";
import type { Checkups, TryService } from "@/domain/system/system";
import type { WebhookWatch } from "@/domain/payments/reconcile/webhook-watch";
import type { createDownloadAllowance } from "./download-allowance";
import type { createMemoryLimits } from "./memory-limits";
import type { RequestLog } from "./request-log";

/** The bot is switched off, runs in another process, is not connected, or is connected. */
export const botStates = ["off", "elsewhere", "away", "up"] as const;

/** What every route gets. */
export type Shop = {
  ctx: Ctx;
  config: Pick<
    Config,
    | "publicUrl"
    | "offlineDays"
    | "trustedProxies"
    | "metricsToken"
    | "given"
    | "webhooksAllowPrivate"
    | "refundDailyCap"
    | "showsTotalUsers"
  >;
  publishableKey: string;
  /** The seller's name and address, line by line; empty if not configured. */
  seller: string[];
  checkout: CheckoutGateway;
  webhooks: Pick<WebhookWatch, "taken" | "refused">;
  /** Null where Discord is off. */
  signOn: SignOn | null;
  /** Set on a restored copy that has not taken over. */
  copy: RestoredCopy | null;
  botState: () => (typeof botStates)[number];
  mailState: () => MailState;
  mailRefusing: () => RefusingServer | null;
  metrics: Metrics;
  requests: RequestLog;
  /** Find who is signed in by the cookie: what every call needs, with the entitlement, with all that the owner sees. */
  readSession: ReturnType<typeof sessionReader>;
  readHolder: ReturnType<typeof entitledAccountReader>;
  readOwnAccount: ReturnType<typeof ownAccountReader>;
  /** Finds the member of staff of a session and the desk's cookie. */
  readDesk: ReturnType<typeof deskReader>;
  /** Finds the account of a desktop application's token. */
  tokenOwner: ReturnType<typeof tokenOwnerReader>;
  /** Finds the server key of another system. */
  serverKey: ReturnType<typeof serverKeyReader>;
  builds: BuildStore;
  /** Parts of builds that are on their way. */
  parts: BuildStore;
  /** Files sent in tickets. */
  files: BuildStore;
  /** Why release notes can't be posted in the news channel; null if they can. */
  newsChannelProblem: string | null;
  /** An email as it is sent. */
  renderEmail: (email: Email) => { subject: string; html: string; text: string };
  checkups: Checkups;
  tryService: TryService;
  judgeRole: JudgeRole;
  backups: DeskBackups;
  /** This process's id in the table of those that run. */
  processId: string;
  downloadAllowance: ReturnType<typeof createDownloadAllowance>;
  limits: LimitTable;
  memory: ReturnType<typeof createMemoryLimits>;
};

/**
 * What comes with each request. `peer` is the address at the other end of the socket; `sendsMuch` has to be called before
 * an answer that may be larger than the socket's buffers, as a slow reader then takes nothing for minutes.
 */
export type Bindings = { peer: string; sendsMuch: () => void };

/** A request with what comes with it, whatever its guards have set. */
export type RequestContext = Pick<Context<Env>, "env" | "req">;

/** What hono carries with each request. `refused` is its refusal code, if any. */
export type Env = { Bindings: Bindings; Variables: { address: string; refused?: string } };

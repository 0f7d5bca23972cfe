import { useQuery } from "@tanstack/react-query";
import { ChevronRight, CircleCheck } from "lucide-react";
import { Link } from "react-router";
import type { Attention, AttentionKind } from "@/contract/wire/desk/attention";
import { attentionQuery } from "../../../api/desk/attention";
import { Loaded } from "../../../parts/loaded";
import { cn } from "../../../lib/utils";
import { Card, CardTitle } from "../../../ui/card";
import { Skeleton } from "../../../ui/skeleton";
import { counted } from "../parts/format";
import { useMe } from "../parts/me";
import { When } from "../parts/when";
import { LostReceipts } from "./lost-receipts";
import { ProposedAddresses, ProposedRefunds } from "./proposals";

type Line = Attention[number];

/** Where counting stops; a copy, because the contract's constant would load zod. */
const maxAttentionCount = 1_000;

/** What waits for staff, each line one press from where it is settled; proposals are settled right here. */
export function AttentionCard() {
  const query = useQuery(attentionQuery);
  return (
    <Card aria-label="Attention" className="gap-2">
      <CardTitle>Attention</CardTitle>
      <Loaded query={query} skeleton={<Waiting />} empty={<Nothing />}>
        {(lines) => (
          <ul className="-mx-2 flex flex-col">
            {lines.map((line) => (
              <li key={line.kind}>
                <Row line={line} />
                {line.kind === "refund_proposals" && <ProposedRefunds />}
                {line.kind === "address_proposals" && <ProposedAddresses />}
                {line.receipts && <LostReceipts receipts={line.receipts} count={line.count} />}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  );
}

function Row({ line }: { line: Line }) {
  const { kind, count, since, due, words: reply, link } = line;
  const { one, more, isUrgent, needs, advice } = words[kind];
  const { may } = useMe();
  const look = "flex min-h-11 items-center gap-3 rounded-md px-2 py-1.5 text-sm -outline-offset-2";
  const content = (
    <>
      <span
        aria-hidden="true"
        className={cn("size-2 shrink-0 rounded-full", isUrgent ? "bg-destructive" : "bg-warning")}
      />
      <span className="min-w-0 flex-1 sm:flex sm:flex-wrap sm:items-baseline sm:gap-x-3">
        <span className="block font-medium">
          {counted(count, one, more, count >= maxAttentionCount ? "+" : "")}
        </span>
        <span className="block text-xs text-muted-foreground">
          {due !== null ? (
            <span>
              answer due <When at={due} />
            </span>
          ) : (
            since !== null && (
              <span>
                since <When at={since} />
              </span>
            )
          )}
        </span>
        {reply !== undefined &&
          (kind === "refusing_mail" ? (
            <q className="block min-w-0 text-xs break-words text-muted-foreground">{reply}</q>
          ) : (
            <span className="block min-w-0 text-xs break-words text-muted-foreground">{reply}</span>
          ))}
        {advice !== undefined && (
          <span className="block min-w-0 basis-full text-xs text-muted-foreground">{advice}</span>
        )}
      </span>
    </>
  );
  // what is settled right here leads nowhere
  if (link === "/desk" || (needs !== undefined && !may.includes(needs)))
    return <div className={look}>{content}</div>;
  return (
    <Link to={link} className={cn(look, "hover:bg-accent")}>
      {content}
      <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />
    </Link>
  );
}

type Words = {
  one: string;
  more: string;
  isUrgent?: true;
  /** The permission without which nobody can open where it leads. */
  needs?: string;
  /** What to do about it, where the page that it leads to doesn't say. */
  advice?: string;
};

const words: Record<AttentionKind, Words> = {
  disputes: { one: "dispute waiting for an answer", more: "disputes waiting for an answer", isUrgent: true },
  refund_proposals: { one: "proposed refund", more: "proposed refunds" },
  refund_failures: { one: "refund that Stripe refused", more: "refunds that Stripe refused", isUrgent: true },
  address_proposals: { one: "proposed address of an order", more: "proposed addresses of orders" },
  fraud_warnings: { one: "fraud warning", more: "fraud warnings", isUrgent: true },
  mismatches: { one: "payment that differs from its order", more: "payments that differ from their orders" },
  stuck_jobs: { one: "stuck job", more: "stuck jobs", isUrgent: true, needs: "system.read" },
  past_due_subscriptions: { one: "subscription past due", more: "subscriptions past due" },
  waiting_tickets: { one: "ticket waiting for an answer", more: "tickets waiting for an answer" },
  failing_webhooks: { one: "failing webhook", more: "failing webhooks", needs: "webhook.read" },
  refusing_mail: {
    one: "mail server refusing our emails",
    more: "mail servers refusing our emails",
    isUrgent: true,
    needs: "system.read",
    advice:
      "Emails wait and are tried again. Check MAIL_FROM, the login in SMTP_URL and your provider's limits, then press “Try it” in System.",
  },
  discord_away: {
    one: "lost connection to Discord",
    more: "lost connections to Discord",
    isUrgent: true,
    needs: "system.read",
    advice:
      "Sales continue; roles and tickets wait. Press “Try it” in System to see what is wrong. If nothing is, look at discordstatus.com.",
  },
  refused_events: {
    one: "signing secret that doesn't fit Stripe's webhooks",
    more: "signing secrets that don't fit Stripe's webhooks",
    isUrgent: true,
    needs: "system.read",
    advice:
      "The shop asks Stripe every minute, so sales continue. Copy the endpoint's signing secret from Stripe's dashboard to STRIPE_WEBHOOK_SECRET, and restart.",
  },
  missed_events: {
    one: "webhook from Stripe that didn't arrive",
    more: "webhooks from Stripe that didn't arrive",
    isUrgent: true,
    needs: "system.read",
    advice:
      "The shop asks Stripe every minute, so sales continue. In Stripe's dashboard, check that the endpoint is enabled and has this shop's address.",
  },
  unlike_processes: {
    one: "difference between the shop's processes",
    more: "differences between the shop's processes",
    needs: "system.read",
    advice: "Give every machine the same settings.env and the same brand, and restart.",
  },
  nothing_on_sale: {
    one: "shop with nothing on sale",
    more: "shops with nothing on sale",
    isUrgent: true,
    advice: "Add an offer, or enter the price of one in the shop's currency.",
  },
  levels_from_orders: {
    one: "level made from an order",
    more: "levels made from orders",
    advice:
      "Someone bought a level that this shop doesn't know, as after a restore. Give it its features and its role.",
  },
  moving_roles: {
    one: "member whose Discord role is being moved",
    more: "members whose Discord roles are being moved",
    advice: "A level's role changed. The bot moves everyone as fast as Discord allows.",
  },
  legal_templates: {
    one: "set of legal texts that nobody has reviewed",
    more: "sets of legal texts that nobody has reviewed",
    needs: "system.read",
    advice:
      "The shop takes real money, and its legal texts are still templates. Have them reviewed, delete the first line of each, and restart.",
  },
  full_disk: {
    one: "disk nearly full",
    more: "disks nearly full",
    isUrgent: true,
    needs: "system.read",
    advice: "Free some space, or keep builds and backups elsewhere. A shop with a full disk can't sell.",
  },
  overdue_backup: {
    one: "overdue backup",
    more: "overdue backups",
    isUrgent: true,
    needs: "system.read",
    advice: "Make one in System. If it fails, it says why.",
  },
  lost_receipts: {
    one: "order whose receipt never arrived",
    more: "orders whose receipts never arrived",
    isUrgent: true,
  },
  rejected_mail: { one: "other refused email", more: "other refused emails" },
  restored: {
    one: "restore from a backup: check what is missing, and whether this is a copy",
    more: "restores from backups",
    needs: "system.read",
  },
  doctor: {
    one: "health check finding",
    more: "health check findings",
    needs: "system.read",
  },
};

function Nothing() {
  return (
    <p className="flex min-h-11 items-center gap-3 text-sm text-muted-foreground">
      <CircleCheck aria-hidden="true" className="size-4 text-success" />
      All caught up.
    </p>
  );
}

/** As high as the one line of a calm morning. */
function Waiting() {
  return (
    <>
      <output className="sr-only">Loading…</output>
      <Skeleton className="h-11" />
    </>
  );
}

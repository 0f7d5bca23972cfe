import { getTableColumns } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { auditLog } from "@/core/database/schema";
import type { Bill } from "@/contract/wire/payments";
import { billOf } from "@/domain/bills/bill";
import { accounts } from "@/domain/schema/accounts";
import { announcements } from "@/domain/schema/announcements";
import { blocks } from "@/domain/schema/blocks";
import { linkRoles, links } from "@/domain/schema/discord";
import { deviceRemovals, devices } from "@/domain/schema/devices";
import { licenceJobItems, licenceJobs } from "@/domain/schema/jobs";
import { levels } from "@/domain/schema/levels";
import { licenceExtensions, licences } from "@/domain/schema/licences";
import { balanceMovements } from "@/domain/schema/books";
import { disputes, stripeRefunds } from "@/domain/schema/money-back";
import { customerNotes } from "@/domain/schema/notes";
import { offers } from "@/domain/schema/offers";
import { legalTexts, type Payment, paymentEvidence, payments } from "@/domain/schema/payments";
import { corrections } from "@/domain/schema/corrections";
import { refunds } from "@/domain/schema/refunds";
import { builds, news, releases } from "@/domain/schema/releases";
import { staff } from "@/domain/schema/staff";
import { subscriptionRuns, subscriptions } from "@/domain/schema/subscriptions";
import { savedReplies, ticketFiles, ticketGuests, ticketMessages, tickets } from "@/domain/schema/tickets";
import type { CsvCell } from "@/core/base/csv-line";

export type ExportedTable = {
  /** The name of its file. */
  name: string;
  table: SQLiteTable;
  /** Columns that are secret or mean nothing to a person. */
  without: string[];
  /** Columns that follow from the others. */
  more?: (row: Record<string, unknown>) => Record<string, CsvCell>;
};

export const exportedTables: ExportedTable[] = [
  {
    name: "licences",
    table: licences,
    without: [
      "key_hash",
      "key_sealed",
      "key_tail",
      "type",
      "days",
      "sold_payment_id",
      "ordered_at",
      "ending_told",
      "listed_status",
      "active_from",
      "active_until",
      "changed",
      "updated",
    ],
  },
  { name: "subscriptions", table: subscriptions, without: ["version", "looked_at", "reminded_of"] },
  { name: "subscription_runs", table: subscriptionRuns, without: [] },
  { name: "licence_extensions", table: licenceExtensions, without: [] },
  {
    name: "accounts",
    table: accounts,
    without: [
      "username_key",
      "email_key",
      "email_domain",
      "password_hash",
      "api_key_hash",
      "api_key_sealed",
      "redemptions",
      "ends_rule",
      "mfa_secret_sealed",
      "mfa_last_step",
      "changed",
      "updated",
    ],
  },
  {
    name: "payments",
    table: payments,
    // the bill follows in columns of its own
    without: [
      "browser_hash",
      "version",
      "seal",
      "off_amount",
      "tax_amount",
      "tax_included",
      "credit_amount",
      "outside_amount",
      "key_editions",
      "refused_mail",
      "unusual_email_key",
      "email_key",
      "email_domain",
      "unusual_gift_key",
      "gift_key",
      "changed",
      "updated",
    ],
    more: (row) => billCells(billOf(row as Payment)),
  },
  { name: "levels", table: levels, without: ["version"] },
  { name: "offers", table: offers, without: ["version"] },
  { name: "refunds", table: refunds, without: ["request"] },
  { name: "corrections", table: corrections, without: [] },
  { name: "stripe_refunds", table: stripeRefunds, without: [] },
  { name: "disputes", table: disputes, without: [] },
  { name: "balance_movements", table: balanceMovements, without: [] },
  { name: "legal_texts", table: legalTexts, without: [] },
  { name: "payment_evidence", table: paymentEvidence, without: ["buyer_sealed"] },
  { name: "customer_notes", table: customerNotes, without: [] },
  { name: "devices", table: devices, without: ["computer_hash"] },
  { name: "device_removals", table: deviceRemovals, without: [] },
  { name: "links", table: links, without: ["tokens_sealed", "join_wanted"] },
  { name: "link_roles", table: linkRoles, without: [] },
  {
    name: "tickets",
    table: tickets,
    without: ["full_at", "in_thread", "former_member_id", "mail_due_at"],
  },
  { name: "ticket_messages", table: ticketMessages, without: ["posting_at", "posted_at"] },
  { name: "ticket_guests", table: ticketGuests, without: [] },
  { name: "ticket_files", table: ticketFiles, without: ["url"] },
  { name: "releases", table: releases, without: [] },
  { name: "builds", table: builds, without: [] },
  { name: "changelog", table: news, without: [] },
  { name: "blocks", table: blocks, without: ["key"] },
  { name: "saved_replies", table: savedReplies, without: [] },
  { name: "staff", table: staff, without: [] },
  { name: "licence_jobs", table: licenceJobs, without: ["actor"] },
  { name: "licence_job_items", table: licenceJobItems, without: ["content"] },
  { name: "announcements", table: announcements, without: ["reached"] },
  { name: "audit_log", table: auditLog, without: [] },
];

/** Tables of temporary internal state, which are not exported. */
export const notExported: Record<string, string> = {
  sessions: "who is signed in",
  desk_sessions: "who is at the desk",
  staff_requests: "what staff asked for in Discord and have yet to confirm",
  staff_invitations: "invitations that nobody has taken up yet",
  mfa_setups: "authenticators not confirmed yet",
  mfa_recovery_codes: "hashes of recovery codes",
  recoveries: "codes to reset a password",
  device_requests: "applications that wait to be signed in",
  device_tokens: "hashes of the tokens of computers",
  former_emails: "confirmed addresses that accounts were changed from, for 72 hours",
  email_confirmations: "email addresses awaiting confirmation",
  link_attempts: "unfinished Discord authorizations",
  unsubscribed: "hashes of addresses; a column of accounts and payments says which are unsubscribed",
  ticket_posts: "which of the bot's posts repeat a message from the site",
  outbox: "what is waiting to be sent",
  owner_mail: "which mail each owner wants, and how far it is",
  owner_news: "what the next mail to owners tells",
  webhook_endpoints: "secrets of receivers; `shop webhooks list` shows the rest",
  stripe_endpoints: "secrets of Stripe's endpoints; `shop stripe endpoint` shows the rest",
  server_keys: "hashes of the keys of other systems; `shop keys list` shows the rest",
  webhook_events: "what was sent to other systems in the last 30 days",
  webhook_deliveries: "how that went",
  release_uploads: "releases that are being sent",
  limit_counters: "counters of rate limits",
  processes: "which processes of the shop run",
  leases: "which process runs which job",
  commit_marks: "which of the last commits were stored",
  installation: "facts about this installation",
  row_counts: "how many rows a table has",
  figure_days: "of which days sums are kept",
  figure_sums: "sums of what other tables tell; `shop stats` shows them",
  deleted_counts: "how many accounts and checkouts were made that are deleted since",
  change_clock: "the time of the last change",
  guard: "always empty",
};

/** A row, keyed by its column names in the database. */
export function cellsOf({ table, without, more }: ExportedTable, row: Record<string, unknown>) {
  const columns = Object.entries(getTableColumns(table)).filter(([, { name }]) => !without.includes(name));
  const cells = Object.fromEntries(columns.map(([property, { name }]) => [name, cellOf(row[property])]));
  return { ...cells, ...more?.(row) };
}

const billCells = ({ asked, off, tax, tax_included, credit, paid, refunded }: Bill) => ({
  asked,
  off,
  tax,
  tax_included,
  credit,
  paid,
  refunded,
});

function cellOf(value: unknown): CsvCell {
  if (value === null || value === undefined) return null;
  if (value instanceof Date || typeof value === "number" || typeof value === "boolean") return value;
  return typeof value === "string" ? value : JSON.stringify(value);
}

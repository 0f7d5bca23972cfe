import { z } from "zod";
import { auditEvents, type AuditAction } from "../audit-events";
import { day } from "../../vocabulary/time";
import { sealedPage } from "./pages";
import {
  auditRow,
  correctionRow,
  customerRow,
  licenceRow,
  paymentRow,
  refundRow,
  subscriptionRow,
  ticketRow,
} from "./rows";
import {
  deskCorrectionStates,
  deskLicenceStatuses,
  deskPaymentStatuses,
  deskRefundStates,
  subscriptionStatuses,
  ticketStates,
  staffRoles,
} from "../../vocabulary/statuses";

const ourId = z
  .string()
  .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, "must be an id")
  .optional();
const actorsId = z
  .string()
  .regex(/^[\w:-]{1,64}$/, "must be an actor's id")
  .optional();
const offer = z
  .string()
  .regex(/^[\w.-]{1,64}$/, "must be an offer's id")
  .optional()
  .describe("An offer's id");
const moment = (text: string) =>
  z
    .union([z.iso.date(), z.iso.datetime({ offset: true })], {
      error: "must be a day such as 2026-03-01 or a time such as 2026-03-01T10:00:00Z",
    })
    .optional()
    .describe(text);
const range = {
  from: moment("At this time or later; a date stands for its midnight UTC"),
  to: moment("Before this time; a date includes that whole day, UTC"),
};

const actions = Object.keys(auditEvents) as AuditAction[];
const subjectKinds = [...new Set(Object.values(auditEvents).map(({ subject }) => subject))];

/** The filters of each list. Unknown parameters and values are refused: a mistyped filter must not show everybody. */
const deskFilters = {
  customers: { staff: z.enum(staffRoles).optional().describe("Staff with this role") },
  payments: {
    status: z.enum(deskPaymentStatuses).optional(),
    offer,
    customer: ourId.describe("The account that was signed in when paying"),
    ...range,
  },
  licences: {
    status: z.enum(deskLicenceStatuses).optional(),
    offer,
    customer: ourId.describe("The account that redeemed it"),
    payment: ourId.describe("Our id of the payment that bought it"),
  },
  subscriptions: {
    status: z.enum(subscriptionStatuses).optional(),
    offer,
    customer: ourId.describe("The account that bought it"),
  },
  tickets: {
    status: z.enum(ticketStates).optional(),
    waiting_for: z.enum(["staff", "customer"]).optional(),
    claimed_by: actorsId.describe("The actor's id of who claimed them, here or in Discord, as in `me`"),
  },
  refunds: { state: z.enum(deskRefundStates).optional() },
  corrections: { state: z.enum(deskCorrectionStates).optional() },
  audit: {
    actor: actorsId.describe("An actor's id, as in the rows"),
    action: z.enum(actions as [AuditAction, ...AuditAction[]]).optional(),
    subject: z
      .string()
      .max(200)
      .refine((named) => subjectIn(named) !== null, "must be kind:id as in the rows")
      .optional()
      .describe("`kind:id`, as in the rows"),
    ...range,
  },
} as const;

export const deskRows = {
  customers: customerRow,
  payments: paymentRow,
  licences: licenceRow,
  subscriptions: subscriptionRow,
  tickets: ticketRow,
  refunds: refundRow,
  corrections: correctionRow,
  audit: auditRow,
} as const;

export type DeskList = keyof typeof deskRows;
export const deskLists = Object.keys(deskRows) as DeskList[];
/** The query of a list, without the page. */
export type DeskFilters<L extends DeskList> = z.output<z.ZodObject<(typeof deskFilters)[L], z.core.$strict>>;
export type DeskRow<L extends DeskList> = z.infer<(typeof deskRows)[L]>;
/** The query of `GET /api/desk/LIST`. */
export const listQuery = <L extends DeskList>(list: L) =>
  z.strictObject({ ...sealedPage, ...deskFilters[list] });

/** The query of the list's export and count: its filters alone. */
export const filterQuery = <L extends DeskList>(list: L) => z.strictObject(deskFilters[list]);

/** How many rows an export would have. */
export const listCount = z.object({
  count: z.int(),
  more: z.boolean().describe("Whether there are more than `count`, which stops at 1,000,000"),
});

/** The range from `from` until just before `to`. */
export const rangeOf = ({ from, to }: { from?: string | undefined; to?: string | undefined }) => ({
  since: from === undefined ? null : new Date(from),
  until: to === undefined ? null : new Date(Date.parse(to) + (/T/.test(to) ? 0 : day)),
});

/** `kind:id` of an audit entry's subject; null for a kind that the log doesn't have. */
export function subjectIn(named: string): { kind: string; id: string } | null {
  const [, kind = "", id = ""] = /^([a-z ]+):(.+)$/s.exec(named) ?? [];
  return subjectKinds.includes(kind as never) ? { kind, id } : null;
}

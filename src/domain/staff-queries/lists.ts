import type { DeskFilters, DeskList, DeskRow } from "@/contract/wire/desk/lists";
import type { Actor } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import type { Place } from "@/core/database/pages";
import { authorize } from "../permissions";
import { auditList, auditRows, entriesWith } from "./audit";
import {
  correctionList,
  correctionRows,
  correctionsWith,
  refundList,
  refundRows,
  refundsWith,
} from "./proposals";
import { customerList, customerRows, customersWith } from "./customers";
import { licenceList, licenceRows, licencesWith } from "./licences";
import { type ListColumns, type Page, pageOfPlaces, type RowFilter } from "./newest";
import { paymentList, paymentRows, paymentsWith } from "./payments";
import { subscriptionList, subscriptionRows, subscriptionsWith } from "./subscriptions";
import { ticketList, ticketRows, ticketsWith } from "./tickets";

/** A list: its order, which of its rows meet the filters, and how rows are read by their ids. */
type List<L extends DeskList> = {
  listed: ListColumns;
  which: (ctx: Ctx, filters: DeskFilters<L>) => RowFilter | Promise<RowFilter>;
  rows: (ctx: Ctx, ids: string[]) => Promise<DeskRow<L>[]>;
};

export const lists: { [L in DeskList]: List<L> } = {
  customers: { listed: customerList, which: customersWith, rows: customerRows },
  payments: { listed: paymentList, which: paymentsWith, rows: paymentRows },
  licences: { listed: licenceList, which: licencesWith, rows: licenceRows },
  subscriptions: { listed: subscriptionList, which: subscriptionsWith, rows: subscriptionRows },
  tickets: { listed: ticketList, which: ticketsWith, rows: ticketRows },
  refunds: { listed: refundList, which: refundsWith, rows: refundRows },
  corrections: { listed: correctionList, which: correctionsWith, rows: correctionRows },
  audit: { listed: auditList, which: entriesWith, rows: auditRows },
};

/** A page of a list, and the place after which the next page begins; null on the last page. */
export type ListPage<L extends DeskList> = { rows: DeskRow<L>[]; next: Place | null };

/** A page of a list for staff, newest first. */
export async function listForDesk<L extends DeskList>(
  ctx: Ctx,
  actor: Actor,
  { list, filters, page }: { list: L; filters: DeskFilters<L>; page: Page },
): Promise<ListPage<L>> {
  authorize(actor, "desk.read");
  return readList(ctx, { list, filters, page });
}

export async function readList<L extends DeskList>(
  ctx: Ctx,
  { list, filters, page }: { list: L; filters: DeskFilters<L>; page: Page },
): Promise<ListPage<L>> {
  const { listed, which, rows: read } = lists[list];
  // one more, to learn whether another page follows
  const asked = { ...page, most: page.most + 1 };
  const places = await pageOfPlaces(ctx, listed, await which(ctx, filters), asked);
  const shown = places.slice(0, page.most);
  const rows = await read(
    ctx,
    shown.map(({ id }) => id),
  );
  return { rows, next: places.length > shown.length ? (shown.at(-1) ?? null) : null };
}

import { queryOptions } from "@tanstack/react-query";
import type { OfferRow } from "@/contract/wire/desk/offers";
import type { ReleaseRow } from "@/contract/wire/desk/releases";
import type { StaffList } from "@/contract/wire/desk/staff";
import type { System } from "@/contract/wire/desk/system";
import { minute } from "@/contract/vocabulary/time";
import { readDesk } from "./call";
import { deskListQuery } from "./lists";

/** Whether anything was ever paid. */
export const firstPaymentQuery = deskListQuery("payments", { status: "succeeded" });

/** Which of an owner's first steps are done, as the shop itself tells. */
export const firstStepsQuery = queryOptions({
  queryKey: ["desk", "first-steps"],
  async queryFn() {
    const [system, releases, offers, staff] = await Promise.all([
      readDesk<System>("system"),
      readDesk<{ rows: ReleaseRow[] }>("releases"),
      readDesk<{ rows: OfferRow[] }>("offers"),
      readDesk<StaffList>("staff"),
    ]);
    return {
      stripe: system.stripe.mode !== "simulator",
      release: releases.rows.length > 0,
      // the brand's own offer is there from the start
      offer: offers.rows.some(({ first }) => !first),
      staff: staff.members.length + staff.invitations.length > 1,
    };
  },
  staleTime: minute,
  retry: false,
});

import { queryOptions } from "@tanstack/react-query";
import { listOffers, listReleases } from "@/contract/operations/products";
import { listStaff } from "@/contract/operations/settings";
import type { System } from "@/contract/wire/desk/system";
import { minute } from "@/contract/vocabulary/time";
import { readDesk } from "./call";
import { deskListQuery } from "./lists";
import { callOperation } from "./operations";

/** Whether anything was ever paid. */
export const firstPaymentQuery = deskListQuery("payments", { status: "succeeded" });

/** Which of an owner's first steps are done, according to the shop. */
export const firstStepsQuery = queryOptions({
  queryKey: ["desk", "first-steps"],
  async queryFn() {
    const [system, releases, offers, staff] = await Promise.all([
      readDesk<System>("system"),
      callOperation(listReleases, {}),
      callOperation(listOffers, {}),
      callOperation(listStaff, {}),
    ]);
    return {
      stripe: system.stripe.mode !== "simulator",
      release: releases.rows.length > 0,
      // one is there from the start
      offer: offers.rows.length > 1,
      staff: staff.members.length + staff.invitations.length > 1,
    };
  },
  staleTime: minute,
  retry: false,
});

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { money } from "@/contract/vocabulary/money";
import type { Payment } from "@/contract/wire/payments";
import { isFirstLoad } from "../../../api/first-load";
import { licencesQuery, unusedKeysQuery } from "../../../api/licences";
import { paymentsQuery } from "../../../api/payments";
import { subscriptionsQuery } from "../../../api/subscriptions";
import { fileSizesQuery } from "../../../api/releases";
import { useNow } from "../../../hooks/use-now";
import { disputedLicence, type AccountStatus, accountStatus } from "../../../parts/licence/account-status";

/**
 * The account's status; `status` is null if its licences can't be fetched.
 * @param downloads whether the account may download, so that the files are waited for too
 */
export function useAccountStatus(downloads: boolean): { pending: boolean; status: AccountStatus | null } {
  const now = useNow();
  const licences = useInfiniteQuery(licencesQuery);
  const unused = useQuery(unusedKeysQuery);
  const held = disputedLicence(licences.data ?? []);
  const payments = useInfiniteQuery({ ...paymentsQuery, enabled: held !== undefined });
  const sizes = useQuery(fileSizesQuery);
  const subscribed = (licences.data ?? []).some(({ subscription }) => subscription !== null);
  const subscriptions = useInfiniteQuery({ ...subscriptionsQuery, enabled: subscribed });
  const needed = [
    licences,
    unused,
    ...(held ? [payments] : []),
    ...(subscribed ? [subscriptions] : []),
    ...(downloads ? [sizes] : []),
  ];
  const pending = needed.some(isFirstLoad);
  if (pending || !licences.data) return { pending, status: null };
  const status = accountStatus({
    licences: licences.data,
    hasUnusedKey: (unused.data ?? []).length > 0,
    disputed: paidText(payments.data?.find(({ payment_id }) => payment_id === held?.payment_id)),
    subscriptions: subscriptions.data ?? [],
    now,
  });
  return { pending, status };
}

const paidText = (payment: Payment | undefined) =>
  payment ? money(payment.bill.paid, payment.bill.currency) : null;

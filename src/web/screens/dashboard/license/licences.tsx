import { usePrefetchInfiniteQuery } from "@tanstack/react-query";
import { ChevronRight, Gift } from "lucide-react";
import { Link } from "react-router";
import { brand } from "@/brand/brand";
import type { Me } from "@/contract/wire/accounts";
import { licenceHistoriesQuery } from "../../../api/licences";
import { useSession } from "../../../api/session";
import { type AccountStatus, addingTo } from "../../../parts/licence/account-status";
import { isDisputed } from "../../../parts/licence/inactive-words";
import type { StatusAction } from "../../../parts/licence/status-action";
import { UnusedKey } from "../../../parts/licence/unused-key";
import { type Standing, useAccountStatus } from "../../../parts/licence/use-account-status";
import { Skeleton } from "../../../ui/skeleton";
import { BuyCard } from "./buy-card";
import { LicenceHistories } from "./licence-histories";
import { LicenceList, LicenceListSkeleton } from "./licence-list";
import { otherPlans } from "./other-plans";
import { PlanCard } from "./plan-card";
import { RedeemBox } from "./redeem-box";

/** The account's plans, what is sold to it, its licences, a box to redeem a key, and their histories. */
export function Licences() {
  const session = useSession();
  return session.state === "signed-in" ? <Cards user={session.user} /> : null;
}

function Cards({ user }: { user: Me }) {
  const { pending, standing } = useAccountStatus(user, { plans: true });
  usePrefetchInfiniteQuery(licenceHistoriesQuery);
  // the cards come together, because one that came later would push the others down
  if (pending)
    return (
      <>
        <Skeleton className="h-40 rounded-xl" />
        <LicenceListSkeleton />
      </>
    );
  const { primary = "redeem" } = standing?.status ?? {};
  const buys = primary !== null && buying.includes(primary);
  return (
    <>
      {standing && <Plans standing={standing} user={user} />}
      {standing && buys && <Sale standing={standing} primary />}
      <LicenceList />
      {standing && !buys && <Sale standing={standing} primary={false} />}
      <RedeemBox primary={primary === "redeem"} />
      {standing && hasEverything(standing) && <GiftRow />}
      <LicenceHistories />
    </>
  );
}

/** The card that sells is on this page, and its button is the prominent one. */
const buying: StatusAction[] = ["buy", "again", "renew", "upgrade"];

function Plans({ standing: { status, known }, user }: { standing: Standing; user: Me }) {
  const others = otherPlans(known, status);
  // where mails and other pages lead
  const billed = [status, ...others].find(({ billing }) => billing.length > 0);
  const idOf = (one: AccountStatus) => (one === billed ? "billing" : undefined);
  return (
    <>
      {/* the page itself sells and redeems */}
      {status.state !== "none" && (
        <PlanCard
          status={status}
          known={known}
          user={user}
          label="License status"
          id={idOf(status)}
          without={[...buying, "redeem"]}
        >
          <UnusedKey keys={known.unused} first={status.primary === "add"} />
        </PlanCard>
      )}
      {others.map((other) => (
        <PlanCard
          key={other.subscription ?? other.licence?.key}
          status={other}
          known={known}
          user={user}
          label="Another license"
          id={idOf(other)}
        />
      ))}
    </>
  );
}

/** What adds to the account; nothing while a payment is disputed, since it is given back if the shop wins. */
function Sale({ standing: { known }, primary }: { standing: Standing; primary: boolean }) {
  const { licences } = known;
  const offers = isDisputed(licences) ? [] : addingTo(known);
  if (offers.length === 0) return null;
  const subscribes = known.subscriptions.some(({ status }) => status !== "ended" && status !== "paused");
  return <BuyCard offers={offers} licences={licences} subscribes={subscribes} primary={primary} />;
}

const hasEverything = ({ known }: Standing) =>
  !isDisputed(known.licences) &&
  addingTo(known).length === 0 &&
  known.offers.some(({ recurring }) => recurring === null);

/** Selling to a customer who has everything: a present for somebody else. */
const GiftRow = () => (
  <Link
    to="/?gift"
    className="flex min-h-11 items-center gap-3 rounded-xl border px-5 py-2.5 text-sm hover:bg-accent sm:px-6"
  >
    <Gift aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />
    <span className="min-w-0 flex-1">{`Send ${brand.shortName} as a gift`}</span>
    <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />
  </Link>
);

import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useLocation, useNavigate, useSearchParams } from "react-router";
import { downloadLockedNotice } from "@/contract/vocabulary/builds";
import { texts } from "@/contract/vocabulary/texts";
import { isRateLimited } from "../../../api/client";
import { dashboardQuery } from "../../../api/dashboard";
import { changelogQuery } from "../../../api/releases";
import { useSession } from "../../../api/session";
import { useProblemToast } from "../../../parts/use-problem-toast";
import { UnusedKeyCard } from "../../../parts/licence/unused-key-card";
import { notify } from "../../../page/notices";
import { PageHeading } from "../../../parts/page-heading";
import { fileIn, rememberedFile } from "../../../parts/wanted-file";
import { Skeleton } from "../../../ui/skeleton";
import { Changelog } from "../../../parts/changelog";
import { EarlyStatusCard } from "./early-status-card";
import { FirstStepsCard } from "./first-steps-card";
import { ShopCards } from "./shop-cards";
import { StatusCard } from "./status-card";
import { useAccountStatus } from "./use-account-status";
import { WelcomeCard } from "./welcome-card";

/** The dashboard's home: the status of the account and the shop, the user and the changelog. */
export function Home() {
  const session = useSession();
  const counted = useQuery(dashboardQuery);
  const changelog = useQuery(changelogQuery);
  useRedirectNotice();
  useProblemToast(counted.error, undefined, "site");
  useProblemToast(changelog.error, undefined, "site");
  const { pending, status } = useAccountStatus(session.state === "signed-in" && session.user.active_license);
  if (session.state !== "signed-in") return null;
  const { user } = session;
  const heading = <PageHeading title="Dashboard">Your account and the shop at a glance.</PageHeading>;
  // the cards come together, because one that came later would push the others down
  if (pending)
    return (
      <>
        {heading}
        <HomeSkeleton />
      </>
    );
  return (
    <>
      {heading}
      <WelcomeCard username={user.username} />
      <UnusedKeyCard />
      {status && <StatusCard status={status} user={user} />}
      {user.active_license && <FirstStepsCard user={user} />}
      <ShopCards
        userId={user.id}
        userCount={counted.data?.user_count}
        counted={!counted.isPending}
        problem={worstOf([counted.error, changelog.error])}
      />
      <Changelog entries={changelog} />
    </>
  );
}

function HomeSkeleton() {
  return (
    <>
      <EarlyStatusCard />
      <Skeleton className="h-32 rounded-xl" />
      <Skeleton className="h-64 rounded-xl" />
    </>
  );
}

/** Shows once, but not again on reload, why the server redirected the visitor here. */
function useRedirectNotice() {
  const { pathname, search } = useLocation();
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const notice = query.get("notice");
  useEffect(() => {
    if (notice === null) return;
    if (notice === downloadLockedNotice) notify("info", texts.downloadLocked);
    const file = fileIn(search);
    if (file) rememberedFile.remember(file);
    void navigate(pathname, { replace: true });
  }, [notice, pathname, search, navigate]);
}

/** The problem that decides the shop's status: a failure outweighs a rate limit. */
function worstOf(problems: readonly (Error | null)[]): Error | null {
  const all = problems.filter((problem) => problem !== null);
  return all.find((problem) => !isRateLimited(problem)) ?? all[0] ?? null;
}

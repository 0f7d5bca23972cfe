import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useLocation, useNavigate, useSearchParams } from "react-router";
import type { Me } from "@/contract/wire/accounts";
import { downloadLockedNotice } from "@/contract/vocabulary/builds";
import { texts } from "@/contract/vocabulary/texts";
import { isWithout } from "../../../page/without";
import { isRateLimited } from "../../../api/client";
import { dashboardQuery } from "../../../api/dashboard";
import { changelogQuery } from "../../../api/releases";
import { useSession } from "../../../api/session";
import { useProblemToast } from "../../../parts/use-problem-toast";
import { useAccountStatus } from "../../../parts/licence/use-account-status";
import { notify } from "../../../page/notices";
import { PageHeading } from "../../../parts/page-heading";
import { fileIn, rememberedFile } from "../../../parts/wanted-file";
import { Skeleton } from "../../../ui/skeleton";
import { Changelog } from "../../../parts/changelog";
import { EarlyStatusCard } from "./early-status-card";
import { ShopFigures } from "./shop-figures";
import { StatusCard } from "./status-card";

/** The dashboard's home: where the account stands and what to do now, the shop's figures, and the news. */
export function Home() {
  const session = useSession();
  useRedirectNotice();
  return session.state === "signed-in" ? <Cards user={session.user} /> : null;
}

function Cards({ user }: { user: Me }) {
  const counted = useQuery(dashboardQuery);
  const changelog = useQuery(changelogQuery);
  useProblemToast(counted.error, undefined, "site");
  useProblemToast(changelog.error, undefined, "site");
  const { pending, standing } = useAccountStatus(user);
  return (
    <>
      <PageHeading title="Dashboard" />
      {/* the cards come together, because one that came later would push the others down */}
      {pending ? (
        <HomeSkeleton />
      ) : (
        <>
          {standing && <StatusCard standing={standing} user={user} />}
          <ShopFigures
            userId={user.id}
            userCount={isWithout("total-users") ? null : counted.data?.user_count}
            counted={!counted.isPending}
            problem={worstOf([counted.error, changelog.error])}
          />
          <Changelog entries={changelog} />
        </>
      )}
    </>
  );
}

function HomeSkeleton() {
  return (
    <>
      <EarlyStatusCard />
      <Skeleton className="h-14 rounded-xl" />
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

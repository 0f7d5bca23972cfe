import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useLocation, useNavigate, useSearchParams } from "react-router";
import { downloadLockedNotice } from "@/contract/builds";
import { texts } from "@/contract/texts";
import { isRateLimited } from "../../../api/client";
import { dashboardQuery } from "../../../api/dashboard";
import { changelogQuery } from "../../../api/releases";
import { useSession } from "../../../api/session";
import { useProblemToast } from "../../../hooks/use-problem-toast";
import { LicenceNotices } from "../../../parts/licence/licence-notices";
import { notify } from "../../../parts/notices";
import { PageHeading } from "../../../parts/page-heading";
import { fileIn, wanted } from "../../../parts/wanted-file";
import { Changelog } from "./changelog";
import { ShopCards } from "./shop-cards";
import { WelcomeCard } from "./welcome-card";

/** The dashboard's home: the shop's status, the user and the changelog. */
export function Home() {
  const session = useSession();
  const counted = useQuery(dashboardQuery);
  const changelog = useQuery(changelogQuery);
  useRedirectNotice();
  useProblemToast(counted.error, undefined, "site");
  useProblemToast(changelog.error, undefined, "site");
  if (session.state !== "signed-in") return null;
  return (
    <>
      <PageHeading title="Dashboard">Your account and the shop at a glance.</PageHeading>
      <WelcomeCard username={session.user.username} />
      <LicenceNotices active={session.user.active_license} on="home" />
      <ShopCards
        userId={session.user.id}
        userCount={counted.data?.user_count}
        counted={!counted.isPending}
        problem={worstOf([counted.error, changelog.error])}
      />
      <Changelog entries={changelog} />
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
    if (file) wanted.remember(file);
    void navigate(pathname, { replace: true });
  }, [notice, pathname, search, navigate]);
}

/** The problem that decides the shop's status: a failure outweighs a rate limit. */
function worstOf(problems: readonly (Error | null)[]): Error | null {
  const all = problems.filter((problem) => problem !== null);
  return all.find((problem) => !isRateLimited(problem)) ?? all[0] ?? null;
}

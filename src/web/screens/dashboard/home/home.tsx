import { useQuery } from "@tanstack/react-query";
import { changelogQuery } from "../../../api/releases";
import { dashboardQuery } from "../../../api/dashboard";
import { useSession } from "../../../api/session";
import { PageHeading } from "../../../parts/page-heading";
import { useRedirectNotice } from "./use-redirect-notice";
import { Changelog } from "./changelog";
import { NoLicenceCard } from "./no-licence-card";
import { ShopCards } from "./shop-cards";
import { useProblemToast, worstOf } from "./shop-problem";
import { WelcomeCard } from "./welcome-card";

/** The dashboard's home: the shop's status, the user and the changelog. */
export function Home() {
  const session = useSession();
  const counted = useQuery(dashboardQuery);
  const changelog = useQuery(changelogQuery);
  useRedirectNotice();
  useProblemToast(counted.error);
  useProblemToast(changelog.error);
  if (session.state !== "signed-in") return null;
  return (
    <>
      <PageHeading title="Dashboard">Your account and the shop at a glance.</PageHeading>
      <WelcomeCard username={session.user.username} />
      {!session.user.active_license && <NoLicenceCard />}
      <ShopCards
        userId={session.user.id}
        userCount={counted.data?.user_count}
        counted={!counted.isPending}
        problem={worstOf([counted.error, changelog.error])}
      />
      <Changelog entries={changelog.data} problem={changelog.error} retry={() => void changelog.refetch()} />
    </>
  );
}

import { useSession } from "../../../api/session";
import { PageHeading } from "../../../parts/page-heading";
import { ShopCards } from "./shop-cards";
import { WelcomeCard } from "./welcome-card";

/** The dashboard's first page: how the shop is, and who you are to it. */
export function Home() {
  const session = useSession();
  if (session.state !== "signed-in") return null;
  return (
    <>
      <PageHeading title="Dashboard">Your account and the shop at a glance.</PageHeading>
      <WelcomeCard username={session.user.username} />
      <ShopCards userId={session.user.id} />
    </>
  );
}

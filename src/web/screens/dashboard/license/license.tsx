import { useSession } from "../../../api/session";
import { WaitingCodeCard } from "../../../parts/devices/waiting-code-card";
import { PageHeading } from "../../../parts/page-heading";
import { Licences } from "./licences";

/** The page of the account's plans: what there is, what to buy, a box to redeem another key, and their histories. */
export function License() {
  const session = useSession();
  return (
    <>
      <PageHeading title="License" />
      {session.state === "signed-in" && session.user.active_license && <WaitingCodeCard />}
      <Licences />
    </>
  );
}

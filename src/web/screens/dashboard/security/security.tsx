import { useSession } from "../../../api/session";
import { PageHeading } from "../../../parts/page-heading";
import { Security as SecurityCards } from "../account/security";
import { Token } from "../account/token";

/** Where the account is signed in, the application's token, two-factor and the password. */
export function Security() {
  const session = useSession();
  if (session.state !== "signed-in") return null;
  return (
    <>
      <PageHeading title="Security">
        Your sessions, token, two-factor authentication and password.
      </PageHeading>
      <SecurityCards user={session.user} first={<Token token={session.user.api_key} />} />
    </>
  );
}

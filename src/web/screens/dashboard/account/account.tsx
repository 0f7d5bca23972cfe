import { ArrowRight, Cpu, KeyRound, ReceiptText, ShieldCheck, UserRound } from "lucide-react";
import { Link } from "react-router";
import type { Me } from "@/contract/wire/accounts";
import { useSession } from "../../../api/session";
import { ConfirmAddress } from "../../../parts/account/confirm-address";
import { EmailForm } from "../../../parts/account/email-form";
import { PasswordForm } from "../../../parts/account/password-form";
import { Token } from "../../../parts/account/token";
import { TwoFactor } from "../../../parts/account/two-factor/two-factor";
import { DevicePanel } from "../../../parts/devices/device-panel";
import { HashTabs } from "../../../parts/hash-tabs";
import { PageHeading } from "../../../parts/page-heading";
import { TitledCard } from "../../../parts/titled-card";
import { Button } from "../../../ui/button";
import { Card } from "../../../ui/card";
import { Licences } from "../license/licences";
import { PaymentList } from "../payments/payment-list";

/** The account in the specification's five tabs. */
export function Account() {
  const session = useSession();
  if (session.state !== "signed-in") return null;
  const { user } = session;
  return (
    <>
      <PageHeading title="Account" />
      <HashTabs
        label="Account"
        tabs={[
          { id: "details", name: "Details", icon: UserRound, content: <Details user={user} /> },
          { id: "security", name: "Security", icon: ShieldCheck, content: <Security user={user} /> },
          { id: "license", name: "License", icon: KeyRound, content: <Licences /> },
          { id: "payments", name: "Payments", icon: ReceiptText, content: <PaymentList /> },
          {
            id: "hwid",
            name: "HWID",
            icon: Cpu,
            content: <DevicePanel user={user} title="Hardware ID" again="Re-Check" />,
          },
        ]}
      />
    </>
  );
}

function Details({ user }: { user: Me }) {
  return (
    <>
      <Token token={user.api_key} />
      <TitledCard title="User">
        <EmailForm user={user} />
        <ConfirmAddress user={user} />
      </TitledCard>
    </>
  );
}

function Security({ user }: { user: Me }) {
  return (
    <>
      <Card aria-label="Two-factor authentication">
        <TwoFactor user={user} heading="h2" />
      </Card>
      <TitledCard title="Password">
        <PasswordForm user={user} />
      </TitledCard>
      <Button asChild variant="link" className="self-start px-0">
        <Link to="/dashboard/settings#security">
          Sessions and security log
          <ArrowRight aria-hidden="true" />
        </Link>
      </Button>
    </>
  );
}

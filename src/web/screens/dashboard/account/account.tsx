import { Cpu, KeyRound, type LucideIcon, ReceiptText, ShieldCheck, UserRound } from "lucide-react";
import { addTransitionType, type ReactNode, startTransition } from "react";
import { useLocation, useNavigate } from "react-router";
import type { Me } from "@/contract/wire/accounts";
import { useSession } from "../../../api/session";
import { DevicePanel } from "../../../parts/devices/device-panel";
import { ConfirmAddress } from "../../../parts/account/confirm-address";
import { EmailForm } from "../../../parts/account/email-form";
import { PageHeading } from "../../../parts/page-heading";
import { Slide } from "../../../parts/slide";
import { TitledCard } from "../../../parts/titled-card";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../../../ui/tabs";
import { Licences } from "../license/licences";
import { PaymentList } from "../payments/payment-list";
import { Security } from "./security";
import { Token } from "./token";

const order = ["details", "security", "license", "payments", "hwid"] as const;
type Tab = (typeof order)[number];

const tabs: Record<Tab, { name: string; icon: LucideIcon; show: (user: Me) => ReactNode }> = {
  details: { name: "Details", icon: UserRound, show: (user) => <Details user={user} /> },
  security: { name: "Security", icon: ShieldCheck, show: (user) => <Security user={user} /> },
  license: {
    name: "License",
    icon: KeyRound,
    show: () => <Licences />,
  },
  payments: { name: "Payments", icon: ReceiptText, show: () => <PaymentList /> },
  hwid: {
    name: "HWID",
    icon: Cpu,
    show: (user) => <DevicePanel user={user} title="Hardware ID" again="Re-Check" />,
  },
};

/** Everything about the account, in five tabs. */
export function Account() {
  const session = useSession();
  const [tab, go] = useTab();
  if (session.state !== "signed-in") return null;
  return (
    <>
      <PageHeading title="Account">Your details, security, licenses and payments.</PageHeading>
      <Tabs value={tab} onValueChange={go}>
        <TabsList aria-label="Account">
          {Object.entries(tabs).map(([value, { name, icon: Icon }]) => (
            <TabsTrigger key={value} value={value}>
              <Icon aria-hidden="true" className="hidden md:block" />
              <span>{name}</span>
            </TabsTrigger>
          ))}
        </TabsList>
        <Slide step={tab}>
          <TabsContent value={tab} className="flex flex-col gap-6">
            {tabs[tab].show(session.user)}
          </TabsContent>
        </Slide>
      </Tabs>
    </>
  );
}

/** The tab named in the URL's hash, and how to slide to another. */
function useTab() {
  const { hash, search } = useLocation();
  const navigate = useNavigate();
  const tab = tabOf(hash);
  const go = (value: string) => {
    const to = tabOf(`#${value}`);
    startTransition(() => {
      addTransitionType(order.indexOf(to) < order.indexOf(tab) ? "back" : "forward");
      void navigate({ search, hash: to }, { replace: true, preventScrollReset: true });
    });
  };
  return [tab, go] as const;
}

const tabOf = (hash: string): Tab => order.find((tab) => `#${tab}` === hash.toLowerCase()) ?? "details";

/** The auth token, username and email. */
function Details({ user }: { user: Me }) {
  return (
    <>
      <Token token={user.api_key} />
      <TitledCard
        title="User"
        description={
          user.sends_mail
            ? "A new email takes effect once you confirm it by the mail that we send there."
            : "A new email takes effect at once."
        }
      >
        <EmailForm user={user} />
        <ConfirmAddress user={user} />
      </TitledCard>
    </>
  );
}

import { Cpu, KeyRound, type LucideIcon, ReceiptText, ShieldCheck, UserRound } from "lucide-react";
import type { ReactNode } from "react";
import type { Me } from "@/contract/accounts";
import { useSession } from "../../../api/session";
import { DevicePanel } from "../../../parts/account/device-panel";
import { PageHeading } from "../../../parts/page-heading";
import { Slide } from "../../../parts/slide";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../../../ui/tabs";
import { BuyCard } from "../license/buy-card";
import { LicenceList } from "../license/licence-list";
import { RedeemBox } from "../license/redeem-box";
import { PaymentList } from "../payments/payment-list";
import { Details } from "./details";
import { Security } from "./security";
import { type Tab, useTab } from "./use-tab";

const tabs: Record<Tab, { name: string; icon: LucideIcon; show: (user: Me) => ReactNode }> = {
  details: { name: "Details", icon: UserRound, show: (user) => <Details user={user} /> },
  security: { name: "Security", icon: ShieldCheck, show: (user) => <Security user={user} /> },
  license: {
    name: "License",
    icon: KeyRound,
    show: () => (
      <>
        <RedeemBox />
        <LicenceList />
        <BuyCard />
      </>
    ),
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
              {name}
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

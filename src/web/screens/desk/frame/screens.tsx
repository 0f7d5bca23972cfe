import { Navigate, Route, Routes } from "react-router";
import { late } from "../../../parts/late";
import { UnknownDeskPage } from "../parts/unknown-desk-page";

const Today = late(async () => (await import("../today/today")).Today);
const Customer = late(async () => (await import("../customers/customer")).Customer);
const Customers = late(async () => (await import("../customers/customers")).Customers);
const Payment = late(async () => (await import("../payments/payment")).Payment);
const Payments = late(async () => (await import("../payments/payments")).Payments);
const Licence = late(async () => (await import("../licences/licence")).Licence);
const Licences = late(async () => (await import("../licences/licences")).Licences);
const Refunds = late(async () => (await import("../refunds/refunds")).Refunds);
const Corrections = late(async () => (await import("../corrections/corrections")).Corrections);
const Subscription = late(async () => (await import("../subscriptions/subscription")).Subscription);
const Subscriptions = late(async () => (await import("../subscriptions/subscriptions")).Subscriptions);
const Ticket = late(async () => (await import("../tickets/ticket")).Ticket);
const SupportFigures = late(async () => (await import("../tickets/support-figures")).SupportFigures);
const Tickets = late(async () => (await import("../tickets/tickets")).Tickets);
const Products = late(async () => (await import("../products/products")).Products);
const Job = late(async () => (await import("../bulk/job")).Job);
const Settings = late(async () => (await import("../settings/settings")).Settings);
const ConfirmRequest = late(async () => (await import("../requests/confirm-request")).ConfirmRequest);
const Audit = late(async () => (await import("../audit/audit")).Audit);

/** The screen of each path below `/desk`; each loads when it is first shown. */
export function DeskScreens() {
  return (
    <Routes>
      <Route index element={<Today />} />
      <Route path="customers/:id" element={<Customer />} />
      <Route path="customers" element={<Customers />} />
      <Route path="payments/:id" element={<Payment />} />
      <Route path="payments" element={<Payments />} />
      <Route path="licences/:id" element={<Licence />} />
      <Route path="licences" element={<Licences />} />
      <Route path="subscriptions/:id" element={<Subscription />} />
      <Route path="subscriptions" element={<Subscriptions />} />
      <Route path="refunds" element={<Refunds />} />
      <Route path="corrections" element={<Corrections />} />
      <Route path="tickets/figures" element={<SupportFigures />} />
      <Route path="tickets/:id" element={<Ticket />} />
      <Route path="tickets" element={<Tickets />} />
      <Route path="products/*" element={<Products />} />
      <Route path="jobs/:id" element={<Job />} />
      <Route path="audit" element={<Audit />} />
      <Route path="confirm" element={<ConfirmRequest />} />
      <Route path="settings/*" element={<Settings />} />
      {/* where what asks for attention leads */}
      <Route path="system" element={<Navigate to="/desk/settings/system" replace />} />
      <Route path="webhooks" element={<Navigate to="/desk/settings/webhooks" replace />} />
      <Route path="*" element={<UnknownDeskPage />} />
    </Routes>
  );
}

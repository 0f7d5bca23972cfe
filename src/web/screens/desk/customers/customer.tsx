import { deviceState } from "@/contract/vocabulary/devices";
import { deviceWords } from "@/contract/vocabulary/state-words";
import type { CustomerDetails } from "@/contract/wire/desk/details";
import { Badge } from "../../../ui/badge";
import { DetailPage } from "../detail/detail-page";
import { detailScreen } from "../detail/detail-screen";
import { type Fact, fact, Facts, idFact, useLevelFact } from "../detail/facts";
import { Related } from "../detail/related";
import { withSpaces } from "../parts/format";
import { licenceColumns, paymentColumns, subscriptionColumns, ticketColumns } from "../table/related-columns";
import { priceOf } from "../parts/price";
import { levelChoices, useLevels } from "../parts/levels";
import { useOffers } from "../parts/offers";
import { OperationBar } from "../operation/operation-bar";
import { totalOf } from "../parts/total";
import { When } from "../parts/when";
import { customerOperations } from "./operations";
import { Notes } from "./notes";

/** A customer with everything that belongs to them. */
export const Customer = detailScreen("customers", {
  kind: "Customer",
  nameOf: ({ username }) => username,
  page: (customer) => <Page customer={customer} />,
});

function Page({ customer }: { customer: CustomerDetails }) {
  const offers = useOffers();
  const levels = levelChoices(useLevels());
  const { id, username, link, devices } = customer;
  return (
    <DetailPage
      list={{ to: "/desk/customers", name: "Customers" }}
      title={username}
      badge={
        <>
          {customer.active_license && <Badge tone="good">Active license</Badge>}
          {customer.staff && <Badge>{withSpaces(customer.staff)}</Badge>}
        </>
      }
      operations={<OperationBar operations={customerOperations(customer, offers, levels)} />}
      timeline={customer.timeline}
    >
      <Facts title="Account" facts={factsOf(customer, useLevelFact(customer))} />
      {link && (
        <Facts
          title="Discord"
          facts={[
            fact("User", link.name ?? link.discord_id),
            idFact("Id", link.discord_id),
            fact("On the server", yesNo(link.member)),
            fact("Has the role", link.roles ?? yesNo(link.holds_role)),
            fact("Linked", <When at={link.linked_at} />),
          ]}
        />
      )}
      <Related
        title="Licenses"
        columns={licenceColumns}
        rows={customer.licences}
        to={(licence) => `/desk/licences/${licence.id}`}
        nameOf={({ key }) => key}
        all={`/desk/licences?customer=${id}`}
      />
      <Related
        title="Payments"
        columns={paymentColumns}
        rows={customer.payments}
        to={(payment) => `/desk/payments/${payment.id}`}
        nameOf={totalOf}
        all={`/desk/payments?customer=${id}`}
      />
      <Related
        title="Devices"
        columns={deviceColumns}
        rows={devices}
        to={() => null}
        nameOf={({ label }) => label}
      />
      {customer.subscriptions.length > 0 && (
        <Related
          title="Subscriptions"
          columns={subscriptionColumns}
          rows={customer.subscriptions}
          to={({ id }) => `/desk/subscriptions/${id}`}
          nameOf={priceOf}
          all={`/desk/subscriptions?customer=${customer.id}`}
        />
      )}
      <Related
        title="Tickets"
        columns={ticketColumns}
        rows={customer.tickets}
        to={(ticket) => `/desk/tickets/${ticket.id}`}
        nameOf={({ number }) => `#${number}`}
      />
      <Notes customer={id} notes={customer.notes} />
    </DetailPage>
  );
}

const factsOf = (customer: CustomerDetails, level: Fact | null): (Fact | null)[] => [
  fact("Email", emailOf(customer), customer.email),
  level,
  fact("Registered", <When at={customer.created_at} />),
  fact("Two-factor", customer.two_factor ? "On" : "Off"),
  fact("Time zone", customer.timezone),
  idFact("Id", customer.id),
];

/** Anybody can type another's address. */
const emailOf = ({ email, email_confirmed }: CustomerDetails) =>
  email === null || email_confirmed ? email : `${email}, not confirmed`;

const deviceColumns = [
  { id: "label", name: "Computer", cell: ({ label }: Device) => label, leads: true as const },
  { id: "os", name: "System", cell: ({ os }: Device) => os },
  { id: "version", name: "Version", cell: ({ version }: Device) => version ?? "–", width: "6rem" },
  {
    id: "seen",
    name: "Last seen",
    cell: ({ last_seen_at }: Device) => <When at={last_seen_at} />,
    width: "8rem",
  },
  {
    id: "state",
    name: "State",
    cell: (device: Device) => deviceWords[deviceState(device, new Date())].word,
    width: "8rem",
  },
  {
    id: "removable",
    name: "Removable by owner",
    cell: ({ removable_at }: Device) => <When at={removable_at} none="Now" />,
    width: "10rem",
  },
];

type Device = CustomerDetails["devices"][number];

const yesNo = (known: boolean | null) => (known === null ? "Unknown" : known ? "Yes" : "No");

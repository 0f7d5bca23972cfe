import type { LicenceDetails } from "@/contract/wire/desk/details";
import { licenceWords } from "@/contract/vocabulary/state-words";
import { DetailPage } from "../detail/detail-page";
import { detailScreen } from "../detail/detail-screen";
import { type Fact, fact, Facts, idFact, useLevelFact } from "../detail/facts";
import { Related } from "../detail/related";
import { DeskLink } from "../parts/desk-link";
import { OfferName } from "../parts/offers";
import { counted } from "../parts/format";
import { levelChoices, useLevels } from "../parts/levels";
import { useMe } from "../parts/me";
import { OperationBar } from "../operation/operation-bar";
import { durationOf } from "../parts/price";
import { totalOf } from "../parts/total";
import { paymentColumns } from "../table/related-columns";
import { Status } from "../parts/status";
import { When } from "../parts/when";
import { licenceOperations } from "./operations";

/** A licence with whom it belongs to and what bought it. */
export const Licence = detailScreen("licences", {
  kind: "License",
  nameOf: ({ key }) => key,
  page: (licence) => <Page licence={licence} />,
});

function Page({ licence }: { licence: LicenceDetails }) {
  const me = useMe();
  const levels = levelChoices(useLevels());
  const { bought_with: payment, extensions } = licence;
  return (
    <DetailPage
      list={{ to: "/desk/licences", name: "Licenses" }}
      title={licence.key}
      badge={<Status of={licence.status} words={licenceWords} />}
      operations={<OperationBar operations={licenceOperations(me, licence, levels)} />}
      timeline={licence.timeline}
    >
      <Facts title="License" facts={factsOf(licence, useLevelFact(licence))} />
      {extensions.length > 0 && (
        <Facts
          title="Added days"
          facts={extensions.map(({ days, added_at }): Fact =>
            fact(counted(days, "day"), <When at={added_at} />),
          )}
        />
      )}
      <Related
        title="Payment"
        columns={paymentColumns}
        rows={payment ? [payment] : []}
        to={({ id }) => `/desk/payments/${id}`}
        nameOf={totalOf}
      />
    </DetailPage>
  );
}

const factsOf = (licence: LicenceDetails, level: Fact | null): (Fact | null)[] => [
  licence.customer
    ? fact(
        "Customer",
        <DeskLink to={`/desk/customers/${licence.customer.id}`} name={licence.customer.username} />,
      )
    : fact("Customer", "Nobody"),
  level,
  fact("Offer", licence.offer === null ? "Not sold" : <OfferName id={licence.offer} />),
  licence.buyer === null ? null : fact("Buyer", licence.buyer, licence.buyer),
  fact("Duration", durationOf(licence)),
  fact("Computers", String(licence.devices)),
  fact("Created", <When at={licence.created_at} />),
  fact("Redeemed", <When at={licence.redeemed_at} none="Not yet" />),
  fact("Ends", <When at={licence.expires_at} none="Never" />),
  licence.suspended_at !== null ? fact("Suspended", <When at={licence.suspended_at} />) : null,
  licence.revoked_at !== null ? fact("Revoked", <When at={licence.revoked_at} />) : null,
  idFact("Id", licence.id),
];

import type { LegalDocument } from "./document";

export const refunds: LegalDocument = {
  title: "Refunds Policy",
  updated: "November 30, 2026",
  summary:
    "Purchases are final. The one exception is a fatal error that prevents the application from working and that support could not resolve.",
  sections: [
    {
      heading: "No refunds as a rule",
      paragraphs: [
        "Wisp Premium is a digital product: your license key is delivered the moment your payment is confirmed. For that reason there are no refunds for a change of mind, for an unused key, or for features that work as described on this site.",
        "Please try the free edition first to see whether the application suits you and your computer.",
      ],
    },
    {
      heading: "When you do get your money back",
      paragraphs: [
        "You get a refund if a fatal error prevents the application from working, you reported it to support on our community server, and it remained unresolved after we investigated.",
      ],
      points: [
        "Open a ticket on the community server and say what happens, on which system and version.",
        "Stay available for questions: logs and a description usually lead to the cause.",
        "If the error can't be resolved, the purchase is refunded in full to the card that paid.",
      ],
    },
    {
      heading: "What a refund does to the license",
      paragraphs: [
        "A full refund ends the license you bought. Downloads and the premium role end with it. Refunds appear on your statement within five to ten business days, depending on your bank.",
      ],
    },
    {
      heading: "Chargebacks",
      paragraphs: [
        "Please talk to support before you talk to your bank. A chargeback automatically revokes the license key. If the bank decides in our favor, the license comes back.",
      ],
    },
  ],
};

import type { LegalDocument } from "./document";

export const terms: LegalDocument = {
  title: "Terms of Service",
  updated: "November 30, 2026",
  summary:
    "One license, one person. Use the application responsibly and at your own risk; we may end access when these terms are broken.",
  sections: [
    {
      heading: "1. Agreement",
      paragraphs: [
        "These terms are between you and Wisp, the maker of the application and of this site. By creating an account, buying a license or using the application you accept them. If you do not, please do not use it.",
        "You need to be old enough to make this agreement where you live, and at least thirteen.",
      ],
    },
    {
      heading: "2. Your account",
      paragraphs: [
        "An account needs a license key, a username, an email address and a password. Keep your password, your recovery codes and your auth token to yourself: what is done with them counts as done by you.",
        "Tell us on the community server as soon as you believe that someone else has access. We recommend turning on two-factor authentication.",
      ],
    },
    {
      heading: "3. Your license",
      paragraphs: [
        "A license lets you, and only you, use the premium edition for as long as the license lasts. A lifetime license lasts as long as the product is offered.",
      ],
      points: [
        "A license is tied to the account that redeemed it.",
        "It may not be shared, resold or transferred.",
        "It works on one computer at a time. You may move it to another one by resetting the hardware ID, once every 30 days.",
        "A chargeback automatically revokes the license key.",
      ],
    },
    {
      heading: "4. Fair use",
      paragraphs: ["You agree not to use the application, or this site, to"],
      points: [
        "harass, threaten or deceive other people, or to disturb communities that are not yours;",
        "break the law, or help others to do so;",
        "take the application apart to get around its license, or to offer it as your own;",
        "attack or overload our servers or those of others.",
      ],
    },
    {
      heading: "5. Other platforms",
      paragraphs: [
        "The application works with a chat platform that we are not part of and that has terms of its own. Automating a user account may go against those terms, and the platform may restrict or close an account because of it. You decide whether to take that risk, and you carry it.",
      ],
    },
    {
      heading: "6. Payments",
      paragraphs: [
        "Prices are shown in US dollars. You pay what is shown when you buy; only a subscription renews, at the price and interval shown, until you cancel it. Payments are handled by our card payment provider; we never see your card's number. The Refunds Policy explains what happens when something goes wrong.",
      ],
    },
    {
      heading: "7. Ending access",
      paragraphs: [
        "We may suspend or revoke access when these terms are broken. You may stop at any time and delete your account in its settings, or ask support to.",
      ],
    },
    {
      heading: "8. No warranty, limited liability",
      paragraphs: [
        "The application is provided as it is. We work to keep it running, but can't promise that it always will, nor that every platform it talks to will stay as it is.",
        "As far as the law allows, we are not liable for indirect damage, for lost data or for the loss of an account on another platform, and never for more than you paid.",
      ],
    },
    {
      heading: "9. Changes",
      paragraphs: [
        "We may change these terms. The date at the top says when they last changed. Which edition was in force when you bought a license is noted with your purchase.",
      ],
    },
  ],
};

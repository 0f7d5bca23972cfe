/**
 * Questions and answers of the landing page, which search engines get as well. Plain text; `{price}` is the price of
 * the brand's own offer. Keep them true to the terms, the refunds policy and the application.
 */
export const questions = {
  title: "Questions",
  lead: "Short answers before you buy.",
  answers: [
    [
      "What happens to my license key?",
      "You see it as soon as your payment is confirmed, and we email it to you. Register an account with it, or add it to the one you have. It then belongs to that account. If you lose it first, 'Find your order' emails it to you again.",
    ],
    [
      "Can I get a refund?",
      "Only if a fatal error keeps the application from working and our support can't resolve it. There is no refund for a change of mind, so please try the free edition first.",
    ],
    [
      "What if I get a new computer?",
      "The license works on one computer at a time. Reset the hardware ID in your dashboard, then start the application on the new computer. You can do that once every 30 days.",
    ],
    [
      "Does it work offline?",
      "Your chats need a connection, but the application doesn't need to reach us all the time. After each license check it runs for 7 days, and for up to 14 more if it can't reach us.",
    ],
    [
      "Do I need to join your Discord server?",
      "No. Buying, downloading and your dashboard work without it. Join and link your account if you want the premium role or help from the community; support also answers in your dashboard and by email.",
    ],
    [
      "Do I get an invoice?",
      "You get a receipt by email with the amount, the date and the transaction ID, and your dashboard lists every payment. If your order has an invoice, the receipt links to it.",
    ],
    [
      "Are updates included?",
      "Yes, for as long as your license runs. Automatic updates are not supported on Mac: there you download the new version from your dashboard.",
    ],
    [
      "Is it safe?",
      "You pay on our payment provider's page, so we never see your card's number. Your messages and your chat token stay on your computer. Automating a chat account may go against that platform's terms, and it may restrict or close the account: you take that risk.",
    ],
  ],
} as const;

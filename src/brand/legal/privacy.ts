import type { LegalDocument } from "./document";

export const privacy: LegalDocument = {
  title: "Privacy Policy",
  updated: "November 30, 2026",
  summary:
    "We keep what your account, your purchase and support need, and nothing that could follow you around. No advertising, no analytics, no trackers.",
  sections: [
    {
      heading: "What we collect",
      paragraphs: ["To run your account we store"],
      points: [
        "your email address, to deliver receipts, codes and security notices, and for three days the one that you changed it from, so that you can take the account back;",
        "your username, which you choose and sign in with, and your time zone;",
        "your password, only as a hash that can't be reversed, and if you turn on two-factor authentication, its secret, encrypted;",
        "your hardware ID, only as a hash, so that a license works on one computer, with that computer's name and system and the version of the application;",
        "your chat-platform account ID and the name shown there, if you link it, to give you the premium role, and the tokens that Discord gives us to do so, encrypted;",
        "each of your sessions with its network address, its browser and the time it was last used, so that you can see where you are signed in;",
        "your licenses, and a log of what happened to your account, such as sign-ins, downloads and changes of password, with the kind of device that was used.",
      ],
    },
    {
      heading: "Payments",
      paragraphs: [
        "You enter your card's details on the page of our card payment provider, which processes them under its own privacy policy. We learn the amount, the status, the kind of payment method, the email address, country and tax ID that you gave there, and your card's brand and last four digits, never its number. With each payment we also keep the payment provider's fee and the payout that it belongs to. For each purchase we record which edition of the terms was in force, and the network address and browser it was begun with, encrypted.",
      ],
    },
    {
      heading: "Support tickets",
      paragraphs: [
        "When you open a ticket on the community server, we keep a copy of what is written in it, including what is later edited or deleted, of the files that are sent, and of the names and Discord IDs of those who write. Our support team reads it, and so can you, if your account is linked. Answers are also emailed to an address that you have confirmed.",
      ],
    },
    {
      heading: "Cookies and storage",
      paragraphs: [
        "Signing in sets two cookies: one holds your session's random number, the other lets us tell a browser that you have used before from a stranger who is guessing your password. During a purchase or a password recovery, another one ties the answer to your browser for a short time. Your browser also remembers a few things, such as the last purchase it began and whether the side navigation is collapsed. That is all: there is nothing to consent to, because nobody is tracked.",
      ],
    },
    {
      heading: "What the application sends",
      paragraphs: [
        "The application asks our server whether its license is valid and whether there is an update. It sends your auth token, your hardware ID, of which we keep only a hash, your computer's name and system, and its version. Your messages, contacts and chat-platform token stay on your computer.",
      ],
    },
    {
      heading: "Who else sees it",
      paragraphs: [
        "We do not sell or rent personal data. Our payment provider, our email provider and Discord process what they need for their task. If a payment is disputed, your bank receives what we know about the purchase and about how its license was used. Authorities receive what the law obliges us to hand over.",
      ],
    },
    {
      heading: "How long",
      points: [
        "Account data is kept while the account exists, a session until it ends. When you delete your account, or ask us to, it is deleted; the log stays without your name.",
        "What tax law requires us to keep about payments, such as the country, tax ID, fee and payout, is kept, without your name, address and card, for as long as it requires.",
        "The network address and browser of a purchase are kept for 540 days, for as long as a bank may ask about it, or until a dispute is decided, and then removed; 30 days if nobody paid.",
        "A ticket is erased with its files 180 days after it was closed, and with your account.",
        "To stop password guessing and floods of requests, requests are counted by network address for up to a day.",
        "Backups hold all of this, encrypted, until they are replaced by newer ones.",
      ],
      paragraphs: [],
    },
    {
      heading: "Your rights",
      paragraphs: [
        "You may download what we store about you and delete your account in its settings. You may also ask us at any time what we store, to correct it, for a copy, or to erase it. Open a ticket on the community server or write to support@wisp.example.",
      ],
    },
  ],
};

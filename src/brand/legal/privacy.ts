import type { LegalDocument } from "./document";

export const privacy: LegalDocument = {
  title: "Privacy Policy",
  updated: "January 12, 2025",
  summary:
    "We keep the five things that an account needs and nothing that could follow you around. No advertising, no analytics, no trackers.",
  sections: [
    {
      heading: "What we collect",
      paragraphs: ["To run your account we store"],
      points: [
        "your email address, to deliver receipts, codes and security notices;",
        "your username, which you choose and sign in with;",
        "your password, only as a hash that can't be turned back;",
        "your hardware ID, only as a hash, so that a license works on one computer;",
        "your chat-platform account ID, if you link it, to give you the premium role.",
      ],
    },
    {
      heading: "Payments",
      paragraphs: [
        "You enter your card's details on the page of our card payment provider, which processes them under its own privacy policy. We learn the amount, the status and the email address that you gave there, never your card's number.",
      ],
    },
    {
      heading: "Cookies and storage",
      paragraphs: [
        "Signing in sets one cookie, which holds nothing but a random number. During a purchase and a password recovery another one ties the answer to your browser for a short time. Your browser also remembers by itself whether you were signed in, so that the right button is shown. That is all: there is nothing to consent to, because nobody is tracked.",
      ],
    },
    {
      heading: "What the application sends",
      paragraphs: [
        "The application asks our server whether its license is valid and whether there is an update. It sends your auth token, the hash of your hardware ID and its version. Your messages, contacts and chat-platform token stay on your computer.",
      ],
    },
    {
      heading: "Who else sees it",
      paragraphs: [
        "We do not sell or rent personal data. Our payment provider and our mail provider process what they need for their task, and authorities receive what the law obliges us to hand over.",
      ],
    },
    {
      heading: "How long",
      paragraphs: [
        "Account data is kept while the account exists. When you ask us to erase it, it is deleted; what tax law makes us keep about payments is kept without your name and address for as long as it says. The network address and browser of a purchase are kept sealed for 540 days, as long as a bank may still ask about it, and then removed.",
      ],
    },
    {
      heading: "Your rights",
      paragraphs: [
        "You may ask at any time what we store about you, have it corrected, receive a copy or have it erased. Open a ticket on the community server or write to support@wisp.example.",
      ],
    },
  ],
};

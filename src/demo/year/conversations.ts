import type { TopicName } from "@/domain/tickets/reading/topics";

export type Conversation = { topic: TopicName; question: string; answer: string };

/** What customers asked in the past year, and what staff answered. */
export const conversations = [
  {
    topic: "device",
    question: "I have a new laptop and it says that the license is bound to another computer. What can I do?",
    answer: "Press Reset under Hardware ID in your dashboard's settings, then start it on the new one.",
  },
  {
    topic: "device",
    question: "After reinstalling Windows it counts as another device. Can you free the old one?",
    answer: "Done: the old device is removed. Please start the application again.",
  },
  {
    topic: "licence",
    question: "My key says it was redeemed already, but I never used it.",
    answer:
      "It is on the account that you made in spring. Sign in with that name and you will find it there.",
  },
  {
    topic: "licence",
    question: "How many days do I have left, and what happens to my settings afterwards?",
    answer: "Your License page has the day. The settings stay on your computer, whatever happens.",
  },
  {
    topic: "payment",
    question: "I paid an hour ago and found no key in my inbox.",
    answer: "It went to your spam folder, I think. I have sent it again, and your License page has it too.",
  },
  {
    topic: "payment",
    question: "I typed the wrong address at the checkout. Can the key go to this one instead?",
    answer: "I have corrected the address of the order, and the key is on its way.",
  },
  {
    topic: "payment",
    question: "Can I have an invoice with the name of my company on it?",
    answer: "The receipt's link leads to Stripe's page, where you can add the name yourself.",
  },
  {
    topic: "other",
    question: "Is there a dark theme for the window of the music player?",
    answer: "It follows the theme of the application since the last release. Look under Appearance.",
  },
  {
    topic: "other",
    question: "The Linux build does not start on my distribution. It misses a library.",
    answer: "Please take the AppImage, which brings it. The next release says so itself.",
  },
] as const satisfies Conversation[];

/** Tickets that nobody has answered yet. */
export const unanswered = [
  { topic: "payment", question: "I was charged twice for one key. Please look." },
  { topic: "device", question: "Both of my computers say that they are not the right one." },
  { topic: "licence", question: "A friend gave me a key. Can I move it to my other account?" },
  { topic: "other", question: "Will there be a version for ARM?" },
] as const satisfies Omit<Conversation, "answer">[];

export const closings = ["answered", "solved", "the customer found it themselves"] as const;
export const comments = [
  "Quick and friendly.",
  "It worked at once.",
  "I had to ask twice.",
  "Thank you!",
  "Took a day.",
] as const;

/** The support topics, their suggested answers and canned replies. */
export const support = {
  panel: {
    title: "Support",
    text: "Choose a topic. A private thread opens for you and our support team; nobody else can read it.",
  },
  /** Each topic's button, the form's question, and the answers to suggest first. At most five topics. */
  topics: {
    licence: {
      name: "License",
      emoji: "🔑",
      ask: "What happened with your license?",
      common: [
        [
          "My key was already redeemed",
          "A key belongs to the first account that used it. Look under License in your dashboard; if it isn't there, sign in with the account you registered first.",
        ],
        [
          "I lost my key",
          "It's in the email you got after your purchase, and under License in your dashboard once it is redeemed.",
        ],
      ],
    },
    payment: {
      name: "Payment",
      emoji: "💳",
      ask: "What happened with your payment?",
      common: [
        [
          "I paid and got no key",
          "Open the payment's page again and press refresh; the key appears as soon as the payment is through. Check your spam folder too.",
        ],
      ],
    },
    device: {
      name: "Device",
      emoji: "💻",
      ask: "Which computer, and what does it say?",
      common: [
        [
          "I have a new computer",
          "Press Reset under Hardware ID in your dashboard's settings, once every 30 days. Then start the application on the new one.",
        ],
      ],
    },
    other: {
      name: "Something else",
      emoji: "💬",
      ask: "How can we help?",
      common: [],
    },
  },
  /** Support hours in that time zone; Monday = 1 to Sunday = 7. */
  hours: { timezone: "Europe/Berlin", from: 9, to: 21, days: [1, 2, 3, 4, 5, 6, 7] },
  /** Canned answers; the bot fills in {member}, {ticket} and {product}. */
  tags: {
    "reset-device":
      "{member}, press Reset under Hardware ID in your dashboard's settings, then start {product} again.",
    "send-log": "{member}, please send the file log.txt from the application's folder, so that we can look.",
    refund: "{member}, see our Refunds Policy, which is linked at the bottom of our site.",
  },
} as const;

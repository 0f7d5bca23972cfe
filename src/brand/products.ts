/** The three cards of 'Get', in order. `action` is what the card's button does. */
export const products = [
  {
    name: "Free Selfbot",
    price: "$0",
    term: "Free",
    summary: "A first taste that you may keep.",
    facts: ["Windows", "120 commands", "Limited customization"],
    action: { kind: "download", label: "Download Free Selfbot", href: "/api/download/free" },
  },
  {
    name: "Premium",
    price: "$5",
    term: "Lifetime",
    summary: "Everything, on every computer system.",
    facts: [
      "Windows, Mac, Linux",
      "250+ commands",
      "Integrated UI",
      "Backups",
      "Raid manager",
      "Token and session guard",
      "Realistic AFK messaging",
      "Selfbot sharing",
      "Music player",
      "Custom events and commands",
    ],
    action: { kind: "purchase", label: "Purchase Premium" },
  },
  {
    name: "Rich Presence",
    price: "$0",
    term: "Free",
    summary: "A small tool that shows your status your way.",
    facts: ["Windows", "Needs an application ID", "Auto start", "Minimize to tray"],
    action: { kind: "download", label: "Download Rich Presence", href: "/api/download/rpc" },
  },
] as const;

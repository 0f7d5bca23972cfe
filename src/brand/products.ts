/** The cards of 'Get', in order: three, or fewer. `action` is what the card's button does; the card that sells shows what is sold. */
export const products = [
  {
    name: "Free Selfbot",
    price: "Free",
    summary: "Try it free, for as long as you like.",
    facts: ["Windows", "120 commands", "Limited customization"],
    action: { kind: "download", label: "Download Free Selfbot", href: "/api/download/free" },
  },
  {
    name: "Premium",
    summary: "Everything, on every desktop system.",
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
    price: "Free",
    summary: "A small tool that shows your status your way.",
    facts: ["Windows", "Needs an application ID", "Auto start", "Minimize to tray"],
    action: { kind: "download", label: "Download Rich Presence", href: "/api/download/rpc" },
  },
] as const;

/** The two panels of 'Features'. */
export const features = {
  control: {
    title: "Total Control",
    text: "Every command, trigger and reply can be turned on or off, renamed, limited to a server or given a shortcut. Nothing runs unless you turn it on.",
    points: [
      "Your own prefix, per server if you like",
      "Backups of servers, friends and settings",
      "Share individual commands with people you trust",
    ],
    /** A conversation that shows the product at work. */
    sample: {
      channel: "quiet-corner",
      typed: ".purge 25",
      author: "aster",
      answer: "25 of your messages removed",
      took: "1.8 s",
    },
  },
  competitive: {
    title: "Competitive Features",
    text: "What others sell separately comes in one edition, beside a free one that's useful on its own.",
    columns: ["Free", "Premium"],
    rows: [
      ["Commands", "120", "250+"],
      ["Platforms", "Windows", "Windows, Mac, Linux"],
      ["Customization", "Limited", "Full"],
      ["Integrated UI", false, true],
      ["Backups and raid manager", false, true],
      ["Token and session guard", false, true],
      ["Music player", false, true],
      ["Custom events and commands", false, true],
    ],
  },
} as const;

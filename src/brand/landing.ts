/** The public pages' texts, from top to bottom. Sections are named as in the navigation bar. */
export const landing = {
  description:
    "Run commands from your own chat account, from one calm desktop window. Start free with 120 commands; Premium is $5, once, for 250+.",
  hero: {
    lead: "Type a command in any conversation and your own account answers. Wisp keeps it fast, keeps it quiet, and keeps it in one window you will enjoy having open.",
    action: "Get Started",
    commands: "Browse all commands",
    facts: ["$5 once, no subscription", "Windows, Mac and Linux", "250+ commands"],
  },
  features: {
    title: "Features",
    lead: "Everything runs on your computer and answers to you alone.",
  },
  why: {
    title: "Why Us",
    lead: "Six things people stay for.",
  },
  gallery: { title: "Gallery", lead: "The application itself.", video: "Watch the video showcase" },
  get: {
    title: "Get Wisp",
    lead: "Start free. Pay once if you want the rest.",
    send: "Send yourself the link",
    onComputer: "Already on a computer? Show downloads and purchase",
  },
  catalogue: {
    lead: "What your account can do after a prefix and a name. Commands marked (Premium) come with the paid edition, the others with the free one as well.",
    credit: "Catalogue written and kept by the Wisp team.",
  },
} as const;

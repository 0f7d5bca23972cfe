/**
 * The public pages' texts, from top to bottom. Sections are named as in the navigation bar. `{price}` is a
 * price in the shop's currency: that of the brand's own offer or, in `from`, the lowest of several.
 */
export const landing = {
  description:
    "Run commands from your own chat account, from one calm desktop window. Start free with 120 commands; Premium is {price} for 250+.",
  hero: {
    lead: "Type a command in any conversation and your own account answers. Wisp keeps it fast, keeps it quiet, and keeps it in one window you will enjoy having open.",
    action: "Get Started",
    commands: "Browse all commands",
    price: "{price} once, no subscription",
    from: "From {price}",
    facts: ["Windows, Mac and Linux", "250+ commands"],
  },
  features: {
    title: "Features",
    lead: "Everything runs on your computer and answers to you alone.",
  },
  why: {
    title: "Why Us",
    lead: "Six reasons people stay.",
  },
  gallery: { title: "Gallery", lead: "The application itself.", video: "Watch the video showcase" },
  get: {
    title: "Get Wisp",
    lead: "Start free. Get the rest when you want it.",
    send: "Send yourself the link",
    onComputer: "Already on a computer? Show downloads",
  },
} as const;

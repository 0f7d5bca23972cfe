/** What the public pages say, from top to bottom. The names of its parts are those of the navigation bar. */
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
    control: {
      title: "Total Control",
      text: "Every command, trigger and reply can be switched, renamed, limited to a server or given a shortcut. Nothing runs that you did not turn on.",
      points: [
        "A prefix of your own, per server if you like",
        "Backups of servers, friends and settings",
        "Share single commands with people you trust",
      ],
      /** A conversation, as it looks with the product at work. */
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
      text: "What others sell by the month comes in one lifetime license, beside a free edition that stays useful by itself.",
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
  },
  why: {
    title: "Why Us",
    lead: "Six things people stay for.",
    cards: {
      gui: {
        title: "Engaging GUI",
        text: "A real window instead of a console: search, switch and watch everything as it happens.",
      },
      dashboard: {
        title: "Dashboard",
        text: "Your license, payments, downloads and linked account, on the web, wherever you are.",
      },
      customization: {
        title: "Customization",
        text: "Colors, density, reply style and prefix. It looks like yours after five minutes.",
      },
      security: {
        title: "Security",
        text: "Watches your token and sessions, locks to your computer, and signs in with two factors.",
      },
      notifications: {
        title: "Notifications",
        text: "Keywords, mentions and sign-ins reach you once, quietly, and only if you asked.",
      },
      commands: {
        title: "Custom Commands",
        text: "Write a reply with placeholders, or a whole event. Save, and it answers right away.",
      },
    },
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

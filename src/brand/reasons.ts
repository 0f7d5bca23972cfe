/** The cards of 'Why Us', six at most; each key selects its drawing. `notice` and `code` are what is drawn. */
export const reasons = {
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
    text: "Colors, density, reply style and prefix. It feels like yours after five minutes.",
  },
  security: {
    title: "Security",
    text: "Watches your token and sessions, locks to your computer, and signs in with two factors.",
  },
  notifications: {
    title: "Notifications",
    text: "Keywords, mentions and sign-ins reach you once, quietly, and only if you asked.",
    notice: { title: "New sign-in", text: "This computer, just now" },
  },
  commands: {
    title: "Custom Commands",
    text: "Write a reply with placeholders, or a whole event. Save, and it answers right away.",
    code: 'when member.joins\n  wait 3s\n  say "Hello {member}!"\nend',
  },
} as const;

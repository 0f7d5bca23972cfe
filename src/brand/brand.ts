/** The name, price and links of the product on sale. Replace this folder to sell another product. */
export const brand = {
  /** The product's full and short names. */
  product: "Wisp Selfbot",
  shortName: "Wisp",
  tagline: "Premium Selfbot, Affordable Pricetag",
  /** First group of every licence key; letters and digits only. */
  keyPrefix: "WISP",
  /** What a licence grants: the level stored in the licence, and its name for people. */
  premium: { type: "premium", name: "Wisp Premium" },
  /**
   * The offer on sale. `amount` is in minor units of the shop's CURRENCY; `days` count from redemption, null means
   * lifetime.
   */
  offer: { id: "premium", name: "Wisp Premium", amount: 500, days: null },
  links: {
    community: "https://discord.gg/wisp",
    documentation: "https://docs.wisp.example",
    video: "https://videos.wisp.example/showcase",
  },
  supportEmail: "support@wisp.example",
  /** The copyright years in the footers of the landing page and the commands page. */
  copyright: { landing: 2025, commands: 2024 },
} as const;

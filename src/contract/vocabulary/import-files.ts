/** What files of another shop can hold. */
export const importedThings = ["keys", "customers"] as const;
export type ImportedThing = (typeof importedThings)[number];

/** The columns that are imported of each, in any order; only the `required` ones must be there. */
export const importFields = {
  keys: { all: ["key", "level", "days", "devices"], required: ["key", "days"] },
  customers: {
    all: ["username", "email", "key", "level", "days", "expires", "devices", "discord_id", "timezone"],
    required: ["email"],
  },
} as const satisfies Record<ImportedThing, { all: readonly string[]; required: readonly string[] }>;

/** What became of a line of a file. */
export const importOutcomes = ["new", "changed", "merged", "left_out", "refused"] as const;
export type ImportOutcome = (typeof importOutcomes)[number];

/** What the desk takes; the command line has no bounds. */
export const maxImportBytes = 2 * 1024 * 1024;
export const maxImportLines = 10_000;

const otherwise = "Split it, or import it with “shop import” on the shop's computer.";
export const tooLargeToImport = `That file is larger than 2 MB. ${otherwise}`;
export const tooLongToImport = `That file has more than 10,000 lines. ${otherwise}`;

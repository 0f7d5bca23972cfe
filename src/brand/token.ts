/** How an account's token gets into the application: the step, and what the application does for it. */
export const token = {
  step: "Paste your token into Wisp",
  how: "Wisp asks for it the first time it starts.",
} as const;

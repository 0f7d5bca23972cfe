/** The sentences of `texts.ts` about calls as such. Apart from it, because every page loads them and no other. */
export const callTexts = {
  networkFailure: "An error occurred while attempting to reach the server",
  unknownError: "An unkown error has occured",
} as const;

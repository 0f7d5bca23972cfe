/**
 * The sentences of `texts.ts` about calls in general. In a file of their own, because every page loads these and few
 * load the others.
 */
export const callTexts = {
  networkFailure: "An error occurred while attempting to reach the server",
  unknownError: "An unkown error has occured",
} as const;

/**
 * The sentences that the specification quotes, to the letter, misspellings included, so that
 * correcting one is a one-line change. Anything a person reads that is quoted there stands here.
 */
export const texts = {
  networkFailure: "An error occurred while attempting to reach the server",
  credentialsInvalid: "Invalid username or password",
  mfaCodeInvalid: "The provided mobile authentication code is invalid",
  logoutFailed: "There was an error logging you out, server unreachable",
  unknownError: "An unkown error has occured",

  checkoutFailed: "Failed to create checkout session.",
  stripeKeyMissing: "Failed to fetch Stripe key.",
  purchaseFailed: "An error occurred during the purchase process.",

  statusUnavailable: "Could Not Fetch Status",
  invalidDate: "Unkown",
  receiptSent: "Successfully Sent",
  receiptMissing: "Not Delivered",

  licencesFailed: "Failed to fetch licenses, an error occured",
  paymentsFailed: "Failed to fetch payments, an error occurred",
  redeemUnanswered: "An error occured, failed to get a response",
  redeemed: (date: string) => `Successfully redeemed key, expires ${date}`,
  noLicences: "No active licenses found",
  noPayments: "No previous payment transactions found",
  paymentSucceeded: "Transaction completed successfully.",

  downloadLocked: "You must have an active license to visit the download page",
  notFound: "Page does not exist",
  mobileNotice: "Revisit on a computer to download or purchase!",
} as const;

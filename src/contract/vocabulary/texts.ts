import { callTexts } from "./call-texts";

/**
 * Every sentence that the specification quotes, verbatim including misspellings, so that correcting one is a one-line
 * change.
 */
export const texts = {
  ...callTexts,
  credentialsInvalid: "Invalid username or password",
  mfaCodeInvalid: "The provided mobile authentication code is invalid",
  logoutFailed: "There was an error logging you out, server unreachable",

  checkoutFailed: "Failed to create checkout session.",
  stripeKeyMissing: "Failed to fetch Stripe key.",
  purchaseFailed: "An error occurred during the purchase process.",

  statusUnavailable: "Could Not Fetch Status",
  invalidDate: "Unkown",
  receiptSent: "Successfully Sent",
  receiptMissing: "Not Delivered",

  recoverySent: "Sent email containing verification code (check spam folder)",
  recoverySendFailed: "Failed to send password reset email",
  recoveryVerified: "Email verified, now choose a new password",
  recoveryCodeInvalid: "An invalid verification code was provided",
  recoveryDone: "Password successfully reset, you may now login",
  recoveryFailed: "Failed to reset password",

  tokenMissing: "Not Set",
  tokenReset: "Reset auth token successfully",
  tokenResetFailed: "There was an error resetting auth token",
  tokenCopied: "Copied auth token to clipboard",
  tokenCopyFailed: "There was an error copying auth token to clipboard",
  emailAsked: (email: string) => `Open the link we emailed to ${email}, or enter its digits here`,
  emailUpdated: (email: string) => `Updated user email to ${email}`,
  passwordUpdated: "Reset account password successfully",
  mfaQrFailed: "There was an error fetching mfa qr code",
  mfaEnabled: "Enabled mobile authenticaiton",
  mfaRemoved: "Removed mobile authenticaiton",
  mfaInvalid: "Invalid security code",
  mfaVerifyError: "There was an error verifying security code",
  mfaVerifyFailed: "Failed to verify security code",
  hwidSet: "Attatched",
  hwidUnset: "Unattatched",
  hwidReset: "Hardware ID reset successfully",
  hwidNotSet: "Hardware ID is not already set",
  hwidResetFailed: "There was an error resetting your hardware id",

  authorizationFailed: "There was an error fetching the authorization",
  deauthorizationFailed: "There was an error de-authorizing your discord account",
  accessDenied: "Access Denied",
  accessCanceled: "Authentication request was canceled.",
  callbackIncomplete: "Missing Required Data",

  licencesFailed: "Failed to fetch licenses, an error occured",
  paymentsFailed: "Failed to fetch payments, an error occurred",
  redeemUnanswered: "An error occured, failed to get a response",
  redeemed: (date: string) => `Successfully redeemed key, expires ${date}`,
  noLicences: "No active licenses found",
  noPayments: "No previous payment transactions found",
  paymentSucceeded: "Transaction completed successfully.",

  roleLocked: "You must have an active license to be granted to premium role.",
  fileSizesFailed: "Unable to fetch file sizes.",
  macUpdates: "Auto updates are unsupported on Mac",
  downloadLocked: "You must have an active license to visit the download page",
  notFound: "Page does not exist",
  mobileNotice: "Revisit on a computer to download or purchase!",
} as const;

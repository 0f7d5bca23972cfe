/**
 * The security events that an account's owner can see, worded for them. The keys are the audit log's actions;
 * actions not listed here are for the operator only.
 */
export const securityEvents = {
  "account.registered": "Account created",
  "account.imported": "Account imported from another shop",
  "account.signed_in": "Signed in",
  "account.guesses_refused":
    "Sign-ins from new devices were blocked for a while after too many wrong passwords",
  "session.ended": "A session was signed out",
  "session.others_ended": "All other sessions were signed out",
  "session.all_ended_by_staff": "All sessions were signed out by support",
  "mfa.enabled": "Two-factor sign-in turned on",
  "mfa.removed": "Two-factor sign-in turned off",
  "mfa.reset_by_staff": "Two-factor sign-in turned off by support",
  "mfa.code_refused": "A wrong two-factor code was entered after the right password",
  "mfa.locked": "Two-factor sign-in was locked for a while after too many wrong codes",
  "mfa.recovery_code_used": "A recovery code was used",
  "password.changed": "Password changed",
  "recovery.sent": "A code to reset the password was sent by email",
  "recovery.done": "Password reset with a code from your email",
  "email.requested_by_staff": "A link to change the email was sent by support",
  "email.changed": "Email changed",
  "email.change_asked": "A link to confirm another email was sent",
  "email.confirmed": "Email confirmed",
  "token.reset": "Auth token reset",
  "device.bound": "Hardware ID set by the application",
  "device.moved": "Hardware ID changed to another computer's",
  "device.deactivated": "Application deactivated on its computer",
  "device.reset": "Hardware ID reset",
  "device.reset_by_staff": "Hardware ID reset by support",
  "device.sign_in_approved": "A sign-in on a computer was approved",
  "device.sign_in_declined": "A sign-in on a computer was declined",
  "device.signed_in": "The application was signed in on a computer",
  "device.offline_file_made": "An offline license file was created",
  "licence.redeemed": "License key redeemed",
  "licence.added": "A license was added after payment",
  "licence.suspended": "A license was suspended by support",
  "licence.reinstated": "A suspended license was reinstated by support",
  "licence.revoked": "A license was revoked by support",
  "discord.linked": "Discord account connected",
  "discord.relinked": "Another Discord account connected",
  "discord.unlinked": "Discord account disconnected",
} as const;

export type SecurityEventCode = keyof typeof securityEvents;

/**
 * The email that notifies a confirmed address of an event at once. An address that is confirmed later gets a list of the
 * earlier events.
 */
export const securityNotices = {
  "password.changed": "password-changed",
  "recovery.done": "recovered",
  "email.change_asked": "email-change-asked",
  "email.changed": "email-changed",
  "mfa.enabled": "mfa-enabled",
  "mfa.removed": "mfa-removed",
  "mfa.recovery_code_used": "recovery-codes-used",
  "token.reset": "token-reset",
  "device.bound": "device-added",
  "device.moved": "device-added",
  "device.signed_in": "device-added",
  "device.reset": "device-reset",
  "discord.linked": "discord-connected",
  "discord.relinked": "discord-connected",
} as const satisfies Partial<Record<SecurityEventCode, string>>;

export const isSecurityEvent = (code: string): code is SecurityEventCode =>
  Object.hasOwn(securityEvents, code);

import type { NodemailerError } from "nodemailer";

/**
 * Whether the server refused this letter for good: a 5xx (RFC 5321 §4.2.1) about its recipient
 * or its content. A 5xx to the greeting, the login or the sender is about us, and ends when the
 * operator has set it right; so is 503, out of sequence, and 530, log in first. Those are worth
 * another attempt, as is everything that is no reply at all.
 */
export function refusesTheLetter(error: unknown): error is NodemailerError {
  if (!(error instanceof Error) || !("responseCode" in error) || !("command" in error)) return false;
  const { responseCode, command } = error;
  if (command !== "RCPT TO" && command !== "DATA") return false;
  return Number(responseCode) >= 500 && responseCode !== 503 && responseCode !== 530;
}

import type { NodemailerError } from "nodemailer";

/**
 * Whether the server refused this letter for good: a 5xx (RFC 5321 §4.2.1) about its recipient or content. A
 * 5xx to the greeting, the login or the sender is about our setup and ends when the operator fixes it; so do
 * 503 (bad sequence) and 530 (login required). Those are retried, as is any failure without a reply.
 */
export function refusesTheLetter(error: unknown): error is NodemailerError {
  if (!(error instanceof Error) || !("responseCode" in error) || !("command" in error)) return false;
  const { responseCode, command } = error;
  if (command !== "RCPT TO" && command !== "DATA") return false;
  return Number(responseCode) >= 500 && responseCode !== 503 && responseCode !== 530;
}

import type { NodemailerError } from "nodemailer";

/**
 * Whether the server refused this email permanently: a 5xx (RFC 5321 §4.2.1) about its recipient or content. The
 * outbox retries other failures: a 5xx to the greeting, the login or the sender is about our setup, until the operator
 * fixes it, as are 503 (bad sequence) and 530 (login required).
 */
export const refusesTheEmail = (error: unknown): error is NodemailerError => {
  const code = replyAboutTheEmail(error);
  return code >= 500 && code !== 503 && code !== 530;
};

/** Whether the server asks to try this email later: a 4xx about its recipient or content, but not 421 (closing). */
export const defersTheEmail = (error: unknown): error is NodemailerError => {
  const code = replyAboutTheEmail(error);
  return code >= 400 && code < 500 && code !== 421;
};

/** Whether the attempt ended without an answer from the server. */
export const isUnanswered = (error: unknown): boolean =>
  !(error instanceof Error && "responseCode" in error && error.responseCode);

/** The code of a reply to RCPT TO or DATA; 0 for any other failure. */
function replyAboutTheEmail(error: unknown): number {
  if (!(error instanceof Error) || !("responseCode" in error) || !("command" in error)) return 0;
  const { responseCode, command } = error;
  return command === "RCPT TO" || command === "DATA" ? Number(responseCode) : 0;
}

import type { ValidationCode } from "@/contract/vocabulary/kinds";
import { blockedSentence, Refusal } from "@/core/base/refusal";
import type { ValidationResult } from "@/domain/application/activate";
import { refusalBody } from "./refusal-body";

type RefusedCode = Exclude<ValidationCode, "VALID" | "RATE_LIMITED">;

/** The HTTP status and sentence of each result except VALID. */
const words = {
  NO_LICENSE: { status: 403, sentence: "This account has no license." },
  EXPIRED: { status: 403, sentence: "The license of this account has expired." },
  DISPUTED: { status: 403, sentence: "The payment for this account's license is disputed." },
  REVOKED: { status: 403, sentence: "The license of this account has been revoked." },
  NOT_ACTIVATED: { status: 403, sentence: "The application is not activated on this device." },
  HWID_MISMATCH: { status: 403, sentence: "This account is bound to another device." },
  UPDATE_REQUIRED: { status: 403, sentence: "This version is too old. Please update the application." },
} as const satisfies Record<RefusedCode, { status: 403; sentence: string }>;

/** The answer for a result other than VALID. */
export function validationBody(result: Exclude<ValidationResult, { code: "VALID" }>) {
  const { status, sentence } = words[result.code];
  const { code } = result;
  if (code === "UPDATE_REQUIRED") {
    return { status, code, data: sentence, minimum_version: result.minimumVersion };
  }
  if (code === "HWID_MISMATCH") {
    return { status, code, data: sentence, available_at: result.availableAt?.toISOString() ?? null };
  }
  return { status, code, data: "blocked" in result ? blockedSentence("device") : sentence };
}

/**
 * The result for a refusal of the application's calls: an unknown token means no licence. Null for refusals that are
 * not results, which get the usual answer.
 */
export function validationOfRefusal(error: Error) {
  if (!(error instanceof Refusal)) return null;
  const { status, data } = refusalBody(error.code, error.detail);
  if (error.code === "rate_limited") return { status, code: "RATE_LIMITED" as const, data };
  if (error.code !== "unauthenticated") return null;
  return { status, code: "NO_LICENSE" as const, data: "This token belongs to no account." };
}

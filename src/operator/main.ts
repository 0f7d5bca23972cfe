import "@/brand/read-first";
import { CommanderError } from "commander";
import { BackupFailed } from "@/core/backup/backup";
import { ConfigError } from "@/core/settings/config";
import { diskFault } from "@/core/database/disk-fault";
import { refusalIn } from "@/core/base/refusal";
import { CheckoutKeyRefused, CheckoutRefused, CheckoutUnreachable } from "@/domain/payments/port/stripe";
import { stripeFault } from "./terminal/stripe-errors";
import { OutputFailed } from "./terminal/output";
import { exitCodes, shopProgram } from "./program";
import { sentenceOf } from "./terminal/refusals";

if (import.meta.main) await runCommand(process.argv.slice(2));

/** Runs one command, prints its output, and sets this process's exit code. */
export async function runCommand(args: string[]): Promise<void> {
  try {
    await shopProgram().parseAsync(args, { from: "user" });
  } catch (error) {
    end(error, args);
  }
}

function end(error: unknown, args: string[]): void {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : exitCodes.mistyped;
    return;
  }
  const { code, sentence } = output(error);
  console.error(args.includes("--json") ? JSON.stringify({ error: { code, sentence } }) : sentence);
  process.exitCode = exitCodes.refused;
}

/** A refusal is printed as a sentence; anything else is a bug in this program and is printed whole. */
function output(error: unknown): { code: string; sentence: string } {
  // the database's refusal may have caused it
  if (error instanceof ConfigError) return { code: "configuration", sentence: error.message };
  const refusal = refusalIn(error);
  if (refusal) return { code: refusal.code, sentence: sentenceOf(refusal) };
  if (error instanceof OutputFailed) return { code: "output_failed", sentence: error.message };
  if (error instanceof BackupFailed) return { code: "backup_failed", sentence: error.message };
  if (error instanceof CheckoutRefused) return { code: "checkout_refused", sentence: error.message };
  if (error instanceof CheckoutUnreachable) {
    const next = error instanceof CheckoutKeyRefused ? "Set the right one" : "Try again later";
    return { code: "checkout_unreachable", sentence: `${stripeFault(error)}. ${next}.` };
  }
  const fault = diskFault(error);
  if (fault !== null) return { code: "unavailable", sentence: fault };
  throw error;
}

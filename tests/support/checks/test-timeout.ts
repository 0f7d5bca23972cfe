import { minute } from "@/contract/vocabulary/time";

/** Ends a test that hangs. A machine that does ten things at once can need eight times what a test takes alone. */
export const testTimeout = 15 * minute;

import { join } from "node:path";

/** The repository's root: where `public/` and `src/` stand. */
export const root = join(import.meta.dir, "../..");

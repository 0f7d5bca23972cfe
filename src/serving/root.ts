import { join } from "node:path";

/** The repository's root, with `public/` and `src/`. */
export const root = join(import.meta.dir, "../..");

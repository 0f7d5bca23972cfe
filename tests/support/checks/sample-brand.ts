import { join } from "node:path";

// Loaded before any module that reads the brand: tests know the sample, whatever this machine's shop sells.
process.env["BRAND"] = join(import.meta.dir, "../../../src/brand/sample");

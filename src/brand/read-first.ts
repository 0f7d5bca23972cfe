import { brandFault } from "./the-brand";

// Imported before everything that uses the brand: a mistake in it stops a start with its sentence alone.
const fault = brandFault();
if (fault !== null) {
  console.error(fault.message);
  process.exit(1);
}

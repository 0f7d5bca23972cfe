import { theBrand } from "@/brand/the-brand";
import { brandModules } from "./brand-modules";

// For Bun's development server, like the other one.
export default brandModules(theBrand());

import { tailwind } from "./tailwind";

// Bun's development server takes a plugin from bunfig.toml, as a module's default export.
export default tailwind;

import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "turso",
  schema: ["./src/core/database/schema.ts", "./src/domain/schema/*.ts"],
  out: "./drizzle",
});

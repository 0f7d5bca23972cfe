import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "turso",
  schema: ["./src/core/schema.ts", "./src/domain/schema/*.ts"],
  out: "./drizzle",
});

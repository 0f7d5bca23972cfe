/** Dark on light, because mail programs invert light on dark unpredictably. The accent colour is the site's. */
export const palette = {
  page: "#f3f2f8",
  card: "#ffffff",
  ink: "#1b1a22",
  quiet: "#5b586b",
  line: "#dedbea",
  tint: "#f4f2fd",
  accent: "#7f74e2",
  onAccent: "#0a0a0a",
  link: "#4a3fb5",
} as const;

export const sans = "system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";
export const mono = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace";

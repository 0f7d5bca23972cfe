// A style sheet imported as text: `import styles from "…" with { type: "text" }`.
declare module "*.css" {
  const text: string;
  export default text;
}

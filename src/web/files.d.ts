// A stylesheet that a script brings along, as text: `import styles from "…" with { type: "text" }`.
declare module "*.css" {
  const text: string;
  export default text;
}

// What the bundler makes of an imported picture: the address it is served under.
declare module "*.avif" {
  const url: string;
  export default url;
}
declare module "*.webp" {
  const url: string;
  export default url;
}
declare module "*.jpg" {
  const url: string;
  export default url;
}

import { join } from "node:path";
import shell from "../web/index.html";
import { redirects } from "../web/pages";
import { root } from "./root";

/**
 * Routes for `Bun.serve({ routes, development: { hmr: true, console: true } })`: Bun bundles `index.html` itself and
 * reloads modules in place. They have no content policy, because Bun's pages carry inline scripts.
 */
export function developmentRoutes() {
  return { ...publicFiles(), ...redirectRoutes(), "/*": shell };
}

function publicFiles() {
  const names = [...new Bun.Glob("**/*").scanSync({ cwd: join(root, "public"), onlyFiles: true })];
  return Object.fromEntries(
    names.map((name) => [`/${name}`, () => new Response(Bun.file(join(root, "public", name)))]),
  );
}

function redirectRoutes() {
  return Object.fromEntries(
    Object.entries(redirects).map(([path, target]) => [path, () => Response.redirect(target, 302)]),
  );
}

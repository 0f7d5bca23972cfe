import { join } from "node:path";
import { drawIcons, iconNames } from "@/brand/drawn/icons";
import { theLook } from "@/brand/look";
import shell from "../web/index.html";
import { redirects } from "../web/pages";
import { root } from "./root";

/**
 * Routes for `Bun.serve({ routes, development: { hmr: true, console: true } })`: Bun bundles `index.html` itself and
 * reloads modules in place. They have no content policy, because Bun's pages carry inline scripts.
 */
export function developmentRoutes() {
  return { ...publicFiles(), ...icons(), ...redirectRoutes(), "/*": shell };
}

function publicFiles() {
  const names = [...new Bun.Glob("**/*").scanSync({ cwd: join(root, "public"), onlyFiles: true })];
  return Object.fromEntries(
    names.map((name) => [`/${name}`, () => new Response(Bun.file(join(root, "public", name)))]),
  );
}

function icons() {
  let drawn: ReturnType<typeof drawIcons> | undefined;
  const answer = async (name: string) => {
    const file = (await (drawn ??= drawIcons(theLook))).files.get(name);
    const body = typeof file === "object" ? new Uint8Array(file) : file;
    return new Response(body, { status: file ? 200 : 404, headers: { "content-type": Bun.file(name).type } });
  };
  return Object.fromEntries(iconNames.map((name) => [`/${name}`, () => answer(name)]));
}

function redirectRoutes() {
  return Object.fromEntries(
    Object.entries(redirects).map(([path, target]) => [path, () => Response.redirect(target, 302)]),
  );
}

import type { BunPlugin } from "bun";

/**
 * The content policy refuses `<style>` elements inserted by scripts. Sonner inserts one for its toasts, and Radix's
 * scroll lock (react-style-singleton) one while a dialog is open. Our toaster adds sonner's styles itself; a patched
 * scroll lock adopts a style sheet object, which the policy allows.
 */
export const withoutStyleTags: BunPlugin = {
  name: "without-style-tags",
  setup(build) {
    build.onLoad({ filter: /[\\/]sonner[\\/]dist[\\/]index\.m?js$/ }, async ({ path }) => ({
      contents: patchSonner(await Bun.file(path).text()),
      loader: "js",
    }));
    build.onLoad({ filter: /[\\/]react-style-singleton[\\/].*[\\/]singleton\.js$/ }, async ({ path }) => ({
      contents: patchScrollLock(await Bun.file(path).text()),
      loader: "js",
    }));
  },
};

/** @throws if a new version inserts its styles another way */
export function patchSonner(source: string): string {
  return replaceOnce("sonner", source, /^__insertCSS\(".*"\);?$/m, "");
}

/** @throws if a new version inserts its styles another way */
export function patchScrollLock(source: string): string {
  const name = "react-style-singleton";
  const inserting = replaceOnce(
    name,
    source,
    /^import \{ getNonce \} from 'get-nonce';\nfunction makeStyleTag\(\)[^]*(?=^export var stylesheetSingleton)/m,
    adoptingSheet,
  );
  return replaceOnce(
    name,
    inserting,
    "stylesheet.parentNode && stylesheet.parentNode.removeChild(stylesheet);",
    "document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== stylesheet);",
  );
}

const adoptingSheet = `
function makeStyleTag() { return new CSSStyleSheet(); }
function injectStyles(sheet, css) { sheet.replaceSync(css); }
function insertStyleTag(sheet) { document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]; }
`;

function replaceOnce(name: string, source: string, what: RegExp | string, replacement: string) {
  const patched = source.replace(what, () => replacement);
  if (patched === source)
    throw new Error(`${name} no longer inserts its styles as expected: look at its build again`);
  return patched;
}

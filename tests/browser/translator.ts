/** A translator as browsers have one: it puts its own elements in the place of every text, those that come later too. */
import type { Page } from "playwright-core";

type Options = {
  /** Begins while the page is still as sent, before React knows it. */
  early?: boolean;
  /** Takes from the page what mends this, so that only the screens' own shape does. */
  unguarded?: boolean;
};

/** Translates each page that is opened from now on. */
export async function translatePages(page: Page, { early = false, unguarded = false }: Options = {}) {
  if (unguarded) await page.addInitScript(keepMethods);
  await page.addInitScript(translateFrom, early);
}

/** Runs in the page: whoever replaces these methods is not heard. */
function keepMethods() {
  for (const name of ["insertBefore", "removeChild"] as const) {
    const own = Node.prototype[name];
    Object.defineProperty(Node.prototype, name, { get: () => own, set: () => {} });
  }
}

/** Runs in the page. */
function translateFrom(early: boolean) {
  const element = (name: string) => document.createElement(name);
  const mayTranslate = (text: Node) =>
    text.textContent?.trim() !== "" &&
    text.parentElement?.closest("script, style, textarea, font, svg") === null;
  const translate = (root: Node) => {
    const texts: Node[] = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    if (root instanceof Text) texts.push(root);
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts.filter(mayTranslate)) {
      const [outer, inner] = [element("font"), element("font")];
      inner.textContent = text.textContent;
      outer.append(inner);
      text.parentNode?.replaceChild(outer, text);
    }
  };
  const begin = () => {
    document.documentElement.dataset["translated"] = "";
    translate(document.body);
    new MutationObserver((changes) => {
      for (const { addedNodes, target, type } of changes)
        for (const node of type === "characterData" ? [target] : addedNodes)
          if (node.isConnected) translate(node);
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
  };
  const isAlive = () => {
    const parts = [...document.querySelectorAll("#root > *, #root main *:not(svg *)")];
    return (
      parts.length > 0 && parts.every((part) => Object.keys(part).some((key) => key.startsWith("__react")))
    );
  };
  const wait = () => {
    if (early ? document.body !== null : isAlive()) begin();
    else requestAnimationFrame(wait);
  };
  addEventListener("DOMContentLoaded", wait);
}

let whole: Promise<unknown> | undefined;

/**
 * Resolves when the whole stylesheet holds. The public pages come with the part of it that they need
 * (`styles/visitors.css`) and name the rest in a link that does nothing until somebody goes further.
 */
export function wholeStyles(): Promise<unknown> {
  return (whole ??= bring());
}

function bring() {
  const link =
    typeof document === "undefined"
      ? null
      : document.querySelector<HTMLLinkElement>('link[rel="further-styles"]');
  if (!link) return Promise.resolve();
  return new Promise((resolve) => {
    // A screen with plain looks is better than none.
    link.addEventListener("load", resolve);
    link.addEventListener("error", resolve);
    link.rel = "stylesheet";
  });
}

/**
 * The first script of every page. A page that the server drew is painted before the rest is even asked for:
 * on a slow line scripts would only keep its picture waiting. An empty page has nothing to wait for.
 */
const drawn = document.getElementById("root")?.hasChildNodes() ?? false;
if (drawn && !document.hidden) await painted();
// The pages that name their scripts do so in links that do nothing until now.
for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="later"]'))
  link.rel = "modulepreload";
await import("./start");

/** Resolves when the first picture is there and a frame was painted; never waits longer than two seconds. */
async function painted() {
  const urgent = document.querySelector<HTMLImageElement>('img[fetchpriority="high"]');
  const seen = Promise.allSettled([urgent?.decode()]).then(frame);
  await Promise.race([seen, new Promise((resolve) => setTimeout(resolve, 2_000))]);
}

/** A task that begins in a frame and ends after it was painted. */
function frame() {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

/**
 * The first script of a page that the server drew: it lets the page be painted before the scripts that bring
 * it alive are even asked for. On a slow line they would only keep its picture waiting. Their links, the
 * first of which is to be run, do nothing until then.
 */
const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel="later"]')];
if (!document.hidden) await painted();
for (const link of links) link.rel = "modulepreload";
const start = document.createElement("script");
start.type = "module";
start.src = links[0]?.href ?? "";
document.head.append(start);
document.querySelector('link[rel="later-manifest"]')?.setAttribute("rel", "manifest");

/** Resolves when the first paint was shown, the urgent picture with it; never waits longer than two seconds. */
async function painted() {
  const urgent = document.querySelector<HTMLImageElement>('img[fetchpriority="high"]');
  const shown = Promise.allSettled([urgent?.decode(), firstPaint()]).then(frame);
  await Promise.race([shown, new Promise((resolve) => setTimeout(resolve, 2_000))]);
}

/** The browser tells of the paint once it is on the screen. */
async function firstPaint() {
  if (!PerformanceObserver.supportedEntryTypes.includes("paint")) return;
  await new Promise((resolve) => {
    new PerformanceObserver(resolve).observe({ type: "paint", buffered: true });
  });
}

/** The end of a frame that begins now. */
function frame() {
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
  });
}

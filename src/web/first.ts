/**
 * The first script of a page that the server drew: it lets the page be painted, with the styles that it carries
 * itself, before the whole stylesheet and the scripts that bring it alive are even asked for. On a slow line they
 * would only keep its picture waiting. Their links, the first of which is to be run, do nothing until then.
 */
const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel="later"]')];
if (!document.hidden) await painted();
const styled = wholeStyles();
for (const link of links) link.rel = "modulepreload";
document.querySelector('link[rel="later-manifest"]')?.setAttribute("rel", "manifest");
const start = document.createElement("script");
start.type = "module";
start.src = links[0]?.href ?? "";
// What scripts add to the page needs looks that the page alone doesn't carry.
await styled;
document.head.append(start);

/** Resolves when the stylesheet holds, or can't be had: plain looks are better than none. */
function wholeStyles() {
  const link = document.querySelector<HTMLLinkElement>('link[rel="later-styles"]');
  return new Promise((resolve) => {
    for (const outcome of ["load", "error"]) link?.addEventListener(outcome, resolve);
    if (link) link.rel = "stylesheet";
    else resolve(undefined);
  });
}

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

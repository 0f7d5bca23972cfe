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

/** Resolves when the urgent picture is there and a frame was painted; never waits longer than two seconds. */
async function painted() {
  const urgent = document.querySelector<HTMLImageElement>('img[fetchpriority="high"]');
  const seen = Promise.allSettled([urgent?.decode()]).then(frame);
  await Promise.race([seen, new Promise((resolve) => setTimeout(resolve, 2_000))]);
}

/** A task that begins in a frame and ends after it was painted. */
function frame() {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

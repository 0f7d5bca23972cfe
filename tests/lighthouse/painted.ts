import type { Browser } from "playwright-core";

/** Lighthouse's mobile preset. */
const phone = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
};
const cpuSlowdown = 4;
/** Its slow 4G: milliseconds there and back, and bytes a second. */
const slowLine = { offline: false, latency: 150, downloadThroughput: 209_664, uploadThroughput: 96_000 };

/** Seconds from navigation to the largest paint of a first visit on a phone: the median of this many visits. */
export async function largestPaint(browser: Browser, url: string, visits = 5): Promise<number> {
  const seconds: number[] = [];
  for (let visit = 0; visit < visits; visit += 1) seconds.push(await visitOnce(browser, url));
  return seconds.toSorted((a, b) => a - b)[Math.floor(visits / 2)] ?? Number.NaN;
}

/** With a cache, cookies and connections of its own. */
async function visitOnce(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext(phone);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: cpuSlowdown });
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", slowLine);
  await page.goto(url, { waitUntil: "networkidle" });
  const milliseconds = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? Number.NaN)).observe(
          {
            type: "largest-contentful-paint",
            buffered: true,
          },
        );
      }),
  );
  await context.close();
  return milliseconds / 1000;
}

import { expect, test } from "bun:test";
import { emailSamples } from "@/demo/email-samples";
import { render } from "@/gateways/mail/render";
import { findingsNow, openBrowser } from "../../browser/browser";

const browser = await openBrowser();

/** One of each kind: what differs between the others is only text. */
const designs = Object.entries(emailSamples).filter(
  ([name, { kind }], at, all) =>
    at === all.findIndex(([, other]) => other.kind === kind) || /several|everything|many/.test(name),
);

/** A mail program has the landmarks; an email is an article in it. */
const ofWholePages = /\b(landmark-one-main|region):/;

test.each(["light", "dark"] as const)(
  "every email can be read in %s colors, on a phone and on a computer",
  async (colorScheme) => {
    const page = await browser.newPage({ colorScheme });
    const found: string[] = [];
    for (const [name, email] of designs) {
      await page.setContent(render(email).html);
      for (const width of [700, 360]) {
        await page.setViewportSize({ width, height: 900 });
        const seen = await page.evaluate(() => {
          const box = (selector: string) => document.querySelector(selector)?.getBoundingClientRect();
          return {
            over: document.documentElement.scrollWidth - innerWidth,
            card: Math.round(box(".card")?.width ?? 0),
            button: box(".button a")?.height ?? 48,
            ground: getComputedStyle(document.body).backgroundColor,
          };
        });
        const ground = colorScheme === "light" ? "rgb(243, 242, 248)" : "rgb(11, 10, 18)";
        const card = Math.min(600, width - 24);
        const what = `${name} at ${width}`;
        if (seen.over > 0) found.push(`${what}: ${seen.over} px too wide`);
        if (seen.card !== card) found.push(`${what}: ${seen.card} px instead of ${card}`);
        if (seen.button < 48) found.push(`${what}: a button of ${seen.button} px`);
        if (seen.ground !== ground) found.push(`${what}: the ground is ${seen.ground}`);
      }
      const findings = (await findingsNow(page)).filter((finding) => !ofWholePages.test(finding));
      found.push(...findings.map((finding) => `${name}: ${finding}`));
    }
    expect(found).toEqual([]);
    await page.close();
  },
);

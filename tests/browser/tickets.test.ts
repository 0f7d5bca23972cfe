import { expect, test } from "bun:test";
import { inBrowser } from "../support/shop/shop-in-browser";
import { connect, customer } from "../support/people/discord";
import { eventually } from "../support/shop/stage";
import { openDesk, openInDiscord } from "../support/people/tickets";
import { axeFindings } from "./browser";
import { visit } from "./visit";

/** Text that would take effect if it were treated as markup. */
const corpus = [
  "<script>window.harmed = 1</script>",
  '<img src=x onerror="window.harmed = 1">',
  '"><svg/onload=window.harmed=1>',
  "<iframe srcdoc='<script>parent.harmed=1</script>'></iframe>",
  "[click](javascript:window.harmed=1) **bold**",
  "{{constructor.constructor('window.harmed=1')()}} ${window.harmed=1}",
];
/** A picture of one pixel. */
const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

test("a transcript shows pictures from our own host, and everything typed as plain text", async () => {
  await using stage = await openDesk(inBrowser());
  const { person } = await customer(stage, "ada");
  await connect(stage, person, "ada");
  const { thread, id } = await openInDiscord(stage, "ada");
  for (const content of corpus) await stage.atDiscord("messages", { user: "ada", channel: thread, content });
  const files = [{ filename: "shot.png", content_type: "image/png", base64: pixel }];
  await stage.atDiscord("messages", { user: "sam", channel: thread, content: "Like this", files });
  await eventually(
    async () => JSON.stringify((await person.get(`/api/tickets/${id}`)).body),
    (text) => text.includes('"state":"kept"'),
  );

  const { page, close } = await visit(stage.url, { person });
  const hosts = new Set<string>();
  page.on("request", (request) => hosts.add(new URL(request.url()).host));
  await page.goto(new URL("/dashboard/tickets", stage.url).href);
  await page.getByRole("link", { name: /^#1 / }).click();
  for (const content of corpus) await page.getByText(content, { exact: true }).waitFor();
  const picture = page.getByAltText("shot.png");
  await picture.scrollIntoViewIfNeeded();
  await eventually(
    () => picture.evaluate((image) => (image instanceof HTMLImageElement ? image.naturalWidth : 0)),
    (width) => width === 1,
  );
  expect(await page.evaluate(() => "harmed" in window)).toBe(false);
  expect(await axeFindings(page)).toEqual([]);
  expect([...hosts]).toEqual([stage.url.host]);
  await close();
});

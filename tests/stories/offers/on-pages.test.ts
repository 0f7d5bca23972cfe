import { expect, test } from "bun:test";
import type { Offer } from "@/contract/wire/offers";
import { addOffer } from "@/domain/offers/change";
import { operated } from "../../support/operator/run-operator";
import { addLevels } from "../../support/shop/levels";
import { sellMonth } from "../../support/shop/sell-month";
import { openShop } from "../../support/shop/shop-in-browser";
import { eventually, type Stage } from "../../support/shop/stage";
import { by } from "../subscriptions/subscriber";

const why = ["--reason", "a story"];
const landing = ["/", "/tos", "/terms-of-service", "/privacy-policy", "/refund-policy"];

test("the served pages show the current offers, and change without a restart", async () => {
  await using stage = await openShop();
  const before = await textOf(stage, "/");
  expect(offersIn(before).map(({ id }) => id)).toEqual(["premium"]);
  expect(before).not.toContain('type="radio"');

  const name = `Month "A&B" <b>$&`;
  await sellMonth(stage, { name, amount: 250 });
  const year = ["--name", "Year", "--amount", "2000", "--days", "365"];
  await operated(stage, "offers", "add", "year", ...year, ...why);
  // they may have been drawn between the two
  const html = await afterChange(stage, before, (now) => offersIn(now).length === 3);
  const asked: { data: Offer[] } = await (await fetch(new URL("/api/offers", stage.url))).json();
  expect(offersIn(html)).toEqual(asked.data);
  expect(rowsIn(html)).toEqual([
    ["premium", "Wisp Premium", "Lifetime", "$5"],
    ["month", name, "30 days", "$2.50"],
    ["year", "Year", "365 days", "$20"],
  ]);
  expect(html.match(/%[a-z]+(?:-[a-z\d]+)+%/)).toBeNull();
  expect(before).toContain(">$5 once, no subscription<");
  expect(html).toContain(">From $2.50<");
  expect(html).not.toMatch(/no subscription|paid once|[Pp]ay once/);
  for (const path of landing) expect([path, rowsIn(await textOf(stage, path)).length]).toEqual([path, 3]);
  // Other pages carry the offers for the screens that follow.
  expect(offersIn(await textOf(stage, "/login"))).toEqual(asked.data);

  await operated(stage, "offers", "change", "month", "--amount", "300", ...why);
  const changed = await afterChange(stage, html);
  expect(rowsIn(changed)[1]).toEqual(["month", name, "30 days", "$3"]);
  for (const id of ["month", "year"]) await operated(stage, "offers", "retire", id, ...why);
  expect(await afterChange(stage, changed, (now) => offersIn(now).length === 1)).toBe(before);
});

test("a starting shop serves its current offers from the first page on, each page with its own policy", async () => {
  await using stage = await openShop();
  await sellMonth(stage, { name: "Month", amount: 250 });
  await stage.restart();
  const answer = await fetch(stage.url);
  const html = await answer.text();
  expect(rowsIn(html)).toHaveLength(2);
  const policy = answer.headers.get("content-security-policy");
  for (const name of ["style", "script"] as const) {
    const [element = "", inlined = ""] = new RegExp(`<${name}>([^]*?)</${name}>`).exec(html) ?? [];
    expect(element).not.toBe("");
    const hash = new Bun.CryptoHasher("sha256").update(inlined).digest("base64");
    expect(policy).toContain(`${name}-src 'self' 'sha256-${hash}'`);
  }
  expect(html.replace(/<script>/, "")).not.toMatch(/<script(?![^>]* (?:src|type)=)|\sstyle=/);
});

const textOf = async (stage: Stage, path: string) => (await fetch(new URL(path, stage.url))).text();

/** The landing page, once it differs from an earlier one and is as it should be. */
async function afterChange(
  stage: Stage,
  earlier: string,
  isRight: (html: string) => boolean = () => true,
): Promise<string> {
  stage.advance(2_000);
  return eventually(
    () => textOf(stage, "/"),
    (html) => html !== earlier && isRight(html),
  );
}

function offersIn(html: string): Offer[] {
  const [, json = ""] = /data-offers="([^"]*)"/.exec(html) ?? [];
  return JSON.parse(unescaped(json));
}

/** Each offer's value and text. */
function rowsIn(html: string): string[][] {
  return [...html.matchAll(/<label[^>]*><input type="radio"[^>]*value="([^"]*)"[^]*?<\/label>/g)].map(
    ([row, value = ""]) => [
      unescaped(value),
      ...[...row.matchAll(/>([^<]+)</g)].map(([, text = ""]) => unescaped(text)),
    ],
  );
}

const unescaped = (text: string) =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&amp;", "&");

test("a page shows the changed price of the shop's first offer wherever it names the price", async () => {
  await using stage = await openShop();
  const before = await textOf(stage, "/");
  expect(before).toContain("$5");
  await operated(stage, "offers", "change", "premium", "--amount", "700", ...why);
  const html = await afterChange(stage, before, (now) => offersIn(now)[0]?.amount === 700);
  expect(html).not.toMatch(/\$5(?![\d.])/);
  expect(html).toContain("$7");
  expect(html).toContain('"price":"7.00"');
  expect(html.match(/%[a-z]+(?:-[a-z\d]+)+%/)).toBeNull();
});

test("a page shows the changed name and term of the first offer, and those of another when it is retired", async () => {
  await using stage = await openShop();
  const before = await textOf(stage, "/");
  const change = ["--name", "Gold <b>", "--days", "30", "--devices", "2"];
  await operated(stage, "offers", "change", "premium", ...change, ...why);
  const html = await afterChange(stage, before);
  expect(html).toContain("30 days, 2 computers");
  expect(html).toContain("One payment of $5.00 for 30 days. It doesn&#x27;t renew.");
  expect(await textOf(stage, "/login")).not.toMatch(/, lifetime|data-needs="lifetime"/);

  const sub = ["--name", "Monthly", "--amount", "300", "--every", "month", "--trial", "7"];
  await operated(stage, "offers", "add", "sub", ...sub, ...why);
  const two = await afterChange(stage, html, (now) => offersIn(now).length === 2);
  expect(rowsIn(two)).toEqual([
    ["premium", "Gold <b>", "30 days, 2 computers", "$5"],
    ["sub", "Monthly", "7 days free", "$3 / month"],
  ]);
  await operated(stage, "offers", "retire", "premium", ...why);
  const one = await afterChange(stage, two, (now) => offersIn(now).length === 1);
  expect(offersIn(one)).toMatchObject([{ id: "sub" }]);
  for (const words of ["Free for 7 days, then $3.00 a month. Cancel any time.", "Start free trial"])
    expect(one).toContain(words);
  expect(one).not.toMatch(/no subscription|One payment/);
  for (const page of [html, two, one])
    expect(page.match(/%[a-z]+(?:-[a-z\d]+)+%|98765432|%first/)).toBeNull();
});

test("a page leaves out hidden offers and those of a retired level, and names the first offer's level, also to search engines", async () => {
  await using stage = await openShop();
  const before = await textOf(stage, "/");
  expect(before).toContain('"@type":"Product","name":"Wisp Premium"');
  await addLevels(stage, { id: "team", name: 'Team "A" <b>' });
  const team = { id: "team", name: "For teams", amount: 900, days: null, level: "team" };
  await addOffer(stage.ctx, team, by);
  await addOffer(stage.ctx, { ...team, id: "secret", name: "For friends", hidden: true }, by);
  const two = await afterChange(stage, before, (now) => offersIn(now).length === 2);
  expect(rowsIn(two).map(([id]) => id)).toEqual(["premium", "team"]);
  expect(two).not.toMatch(/secret|For friends/);

  await operated(stage, "offers", "change", "premium", "--hidden", ...why);
  const higher = await afterChange(stage, two, (now) => offersIn(now).length === 1);
  expect(higher).toContain(String.raw`"@type":"Product","name":"Team \"A\" \u003cb>"`);
  expect(higher).toContain("Buy Team &quot;A&quot; &lt;b&gt;");
  expect(await textOf(stage, "/login")).toContain("Team &quot;A&quot; &lt;b&gt;, lifetime");
  for (const page of [two, higher]) expect(page.match(/%[a-z]+(?:-[a-z\d]+)+%|%first/)).toBeNull();

  await operated(stage, "offers", "change", "premium", "--no-hidden", ...why);
  await operated(stage, "levels", "retire", "team", ...why);
  expect(
    await afterChange(stage, higher, (now) => String(offersIn(now).map(({ id }) => id)) === "premium"),
  ).toBe(before);
});

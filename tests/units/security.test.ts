import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { day } from "@/contract/vocabulary/time";
import { settingNames } from "@/core/settings/settings";
import { limitTable } from "@/contract/vocabulary/limits";
import { sessionIdleMilliseconds } from "@/domain/accounts/sessions/sessions";

const root = join(import.meta.dir, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const page = read("docs/security.md");
const table = read("docs/security-requirements.md");

/** The highest number at level 1 or 2 in each section of the standard, which lists all below it. */
const sections = `
  1.1:2 1.2:9 1.3:11 1.4:3 1.5:2  2.1:3 2.2:3 2.3:4 2.4:1  3.2:2 3.3:4 3.4:6 3.5:5 3.7:2  4.1:3 4.2:1 4.3:2 4.4:4
  5.1:1 5.2:3 5.3:2 5.4:3  6.1:3 6.2:12 6.3:4 6.4:4 6.5:5 6.6:3 6.8:4  7.1:3 7.2:4 7.3:2 7.4:5 7.5:2 7.6:2
  8.1:2 8.2:3 8.3:1 8.4:1  9.1:3 9.2:4  10.1:2 10.2:2 10.3:4 10.4:11 10.5:5 10.6:2 10.7:3
  11.1:2 11.2:3 11.3:3 11.4:4 11.5:1 11.6:1  12.1:3 12.2:2 12.3:4  13.1:1 13.2:5 13.3:2 13.4:5  14.1:2 14.2:4 14.3:3
  15.1:3 15.2:3 15.3:7  16.1:1 16.2:5 16.3:4 16.4:3 16.5:3  17.1:1 17.2:4 17.3:2`;
const numbers = Array.from(sections.matchAll(/(\d+\.\d+):(\d+)/g), ([, section, last]) =>
  Array.from({ length: Number(last) }, (_, at) => `${section}.${at + 1}`),
).flat();

const states = ["met", "not applicable", "deviating"];

/** The cells of each row of the page's tables. */
const rowsOf = (text: string) =>
  Array.from(text.matchAll(/^\|(.*)\|$/gm), ([, row = ""]) => row.split("|").map((cell) => cell.trim()));
const partOf = (text: string, heading: string) => text.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
const isNumber = (text = "") => /^\d+\.\d+\.\d+( to \d+\.\d+\.\d+)?$/.test(text);

/** A row's requirements: one, or as in `1.2.6 to 1.2.8` several. */
function numbersOf([cell = ""]: string[]): string[] {
  const [first = "", last = first] = cell.split(" to ");
  const section = first.slice(0, first.lastIndexOf(".") + 1);
  const [from, until] = [first, last].map((number) => Number(number.slice(number.lastIndexOf(".") + 1)));
  if (from === undefined || until === undefined || until < from || !last.startsWith(section)) return [cell];
  return Array.from({ length: until - from + 1 }, (_, at) => `${section}${from + at}`);
}

/** The table's untrue statements. */
function objectionsTo(text: string): string[] {
  const requirements = rowsOf(text).filter(([number]) => isNumber(number));
  const listed = requirements.flatMap(numbersOf);
  const headings = Array.from(page.matchAll(/^## (.+)$/gm), ([, heading = ""]) => heading);
  const counted = rowsOf(text.split("\n## ")[0] ?? "");
  const expectCount = (name: string, count: number) =>
    counted.some(([state, figure]) => state === name && figure === String(count))
      ? []
      : [`${count} are ${name}, which the page does not say`];
  return [
    ...numbers.filter((number) => !listed.includes(number)).map((number) => `${number} is missing`),
    ...listed
      .filter((number, at) => listed.indexOf(number) !== at)
      .map((number) => `${number} is listed twice`),
    ...listed
      .filter((number) => !numbers.includes(number))
      .map((number) => `${number} is not of these levels`),
    ...requirements.flatMap(([number, what, state = "", how = "", ...more]) => {
      const tests = Array.from(
        how.matchAll(/`((?:stories|units|screens|browser)(?:\/[\w-]+)+|architecture|dependencies)`/g),
      );
      const named = headings.filter((heading) => how.includes(`§ ${heading}`));
      return [
        ...(what && how && more.length === 0 ? [] : [`${number} is incomplete`]),
        ...(states.includes(state) ? [] : [`${number} is "${state}"`]),
        ...(state !== "met" || tests.length + named.length > 0 ? [] : [`${number} is met, but where?`]),
        ...(how.split("§").length - 1 === named.length ? [] : [`${number} names a section that is not here`]),
        ...tests.filter(([, path]) => !isTest(path)).map(([, path]) => `${number} names no test: ${path}`),
      ];
    }),
    ...states.flatMap((state) =>
      expectCount(state, requirements.filter((row) => row[2] === state).flatMap(numbersOf).length),
    ),
    ...expectCount("together", listed.length),
  ];
}

const isTest = (path = "") =>
  [".test.ts", ".test.tsx"].some((end) => existsSync(join(root, "tests", path + end)));

describe("the page on security", () => {
  test("each requirement of levels 1 and 2 is listed once, with its state and what shows it", () => {
    expect(numbers).toHaveLength(253);
    expect(objectionsTo(table)).toEqual([]);
  });

  test("limits and a session's idle time match the code", () => {
    const listed = rowsOf(partOf(page, "Limits")).filter(([name]) => name?.startsWith("`"));
    const spans: Record<number, string> = {
      60: "a minute",
      600: "10 minutes",
      900: "15 minutes",
      3600: "an hour",
      86_400: "a day",
    };
    expect(listed.map(([name, most, span]) => [name, most, span])).toEqual(
      Object.values(limitTable({})).map(({ name, most, seconds }) => [
        `\`${name}\``,
        String(most),
        spans[seconds],
      ]),
    );
    expect(partOf(page, "Sessions")).toContain(`not used for ${sessionIdleMilliseconds / day} days`);
  });

  test("every key, table, log field and outgoing connection is listed", () => {
    const expectTold = (heading: string, names: string[]) => {
      expect(names.length).toBeGreaterThan(3);
      const missing = names.filter((name) => !partOf(page, heading).includes(`\`${name}\``));
      expect([heading, missing]).toEqual([heading, []]);
    };
    const rows = rowsOf(partOf(page, "Data")).map(([names]) => names);
    expect(rows.filter((names, at) => rows.indexOf(names) !== at && !/^-+$/.test(names ?? ""))).toEqual([]);
    const [, purposes = ""] = /export type Purpose =([^;]*);/.exec(read("src/core/secrets/secrets.ts")) ?? [];
    expectTold(
      "Keys",
      Array.from(purposes.matchAll(/"([\w-]+)"/g), ([, name = ""]) => name),
    );
    const migrations = [...new Bun.Glob("drizzle/*.sql").scanSync({ cwd: root })].map(read).join("\n");
    const dropped = Array.from(migrations.matchAll(/DROP TABLE `(\w+)`/g), ([, name = ""]) => name);
    const made = Array.from(migrations.matchAll(/CREATE TABLE `(\w+)`/g), ([, name = ""]) => name);
    expectTold(
      "Data",
      made.filter((name) => !dropped.includes(name)),
    );
    const [, kinds = ""] = /const kinds = \{([^]*?)\} as const/.exec(read("src/core/log/log.ts")) ?? [];
    expectTold(
      "Logs",
      Array.from(kinds.matchAll(/^ {2}(\w+):/gm), ([, name = ""]) => name),
    );
    expectTold(
      "Outgoing connections",
      settingNames.filter((name) => /_URL(_S3)?$|_TO$/.test(name)),
    );
  });
});

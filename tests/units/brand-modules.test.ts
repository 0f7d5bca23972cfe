import { expect, test } from "bun:test";
import { join } from "node:path";
import { type Brand, readBrand } from "@/brand/read";
import { sampleFolder } from "@/brand/the-brand";
import { brandModules } from "@/serving/brand-modules";
import { root } from "@/serving/root";

const sample = readBrand(sampleFolder);

async function exportsOf(module: string, brand: Brand): Promise<Record<string, unknown>> {
  const { outputs } = await Bun.build({
    entrypoints: [join(root, `src/brand/${module}.ts`)],
    plugins: [brandModules(brand, "server")],
    target: "bun",
  });
  const code = Buffer.from((await outputs[0]?.text()) ?? "").toString("base64");
  return import(`data:text/javascript;base64,${code}`);
}

test.each(["\u00000", 'x"\u00000', '"\u00000"+process.exit(9)+"\u00001', "</script>`${1}\u2028"])(
  "the text %j of a brand is nothing but text in its module",
  async (tagline) => {
    expect(await exportsOf("brand", { ...sample, tagline })).toMatchObject({ brand: { tagline } });
  },
);

test("a group of commands may have any name", async () => {
  const groups = Object.fromEntries([["__proto__", { a: "b" }]]);
  const { commands } = await exportsOf("commands", { ...sample, commands: { groups } });
  expect(Object.entries(commands as object)).toEqual([["__proto__", { a: "b" }]]);
});

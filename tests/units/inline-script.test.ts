import { expect, test } from "bun:test";
import { runInNewContext } from "node:vm";
import { inPage } from "@/serving/bundle";

test("a script in a page can't be ended or hidden by its texts, and keeps them", () => {
  const text = "</script><!--<SCRIPT>a<b";
  const script = inPage(JSON.stringify(text));
  expect(script).not.toMatch(/<(?:\/|!--|script)/i);
  expect(runInNewContext(script)).toBe(text);
});

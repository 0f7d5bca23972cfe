import { afterEach, expect, test } from "bun:test";
import { askEarly, fetchOrTake } from "@/web/page/early";

const real = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = real;
  delete window.earlyAnswers;
});

/** A shop that counts what it is asked, and answers with a status and how often it was asked. */
function shop(statuses: number[] = []) {
  const asked: string[] = [];
  globalThis.fetch = Object.assign(
    async (input: unknown) => {
      asked.push(String(input));
      return Response.json({ asked: asked.length }, { status: statuses[asked.length - 1] ?? 200 });
    },
    { preconnect: () => {} },
  );
  return asked;
}

const read = async (answer: Promise<Response>) => {
  const one = await answer;
  return [one.status, await one.json()];
};

test("the app takes what its page has asked for, once, and both can read it", async () => {
  const asked = shop();
  const early = askEarly("/api/licenses/me");
  const taken = fetchOrTake("/api/licenses/me", { method: "GET" });
  expect(await read(early)).toEqual([200, { asked: 1 }]);
  expect(await read(taken)).toEqual([200, { asked: 1 }]);
  expect(await read(fetchOrTake("/api/licenses/me"))).toEqual([200, { asked: 2 }]);
  expect(asked).toHaveLength(2);
});

test("a request that was refused is sent again", async () => {
  shop([401]);
  expect(await read(askEarly("/api/licenses/me"))).toEqual([401, { asked: 1 }]);
  expect(await read(fetchOrTake("/api/licenses/me"))).toEqual([200, { asked: 2 }]);
});

test("after signing in, nobody gets what was asked for before", async () => {
  shop();
  await askEarly("/api/licenses/me");
  await fetchOrTake("/api/auth/login", { method: "POST" });
  expect(await read(fetchOrTake("/api/licenses/me"))).toEqual([200, { asked: 3 }]);
});

import { expect, test } from "bun:test";
import { generateSync } from "otplib";
import { startAuthenticatorSimulator } from "@/simulators/authenticator/simulator";

const secret = "LATCHKEYDEMOOLGALATCHKEYDEMOOLGA";
const at = new Date("2026-03-01T10:00:10.000Z");
const codeAfter = (seconds: number) =>
  generateSync({ secret, epoch: Math.floor(at.getTime() / 1000) + seconds });

test("the authenticator shows each secret's code, and links to a page with the next one until it changes", async () => {
  const simulator = startAuthenticatorSimulator({ now: () => at });
  await using stopping = new AsyncDisposableStack();
  stopping.defer(() => simulator.stop());
  expect(await (await fetch(simulator.url)).text()).toContain("No secrets yet");
  simulator.show([
    { name: "olga <b>", secret, url: "http://127.0.0.1:3000/desk" },
    { name: "theo", secret },
  ]);
  const answer = await fetch(simulator.url);
  const page = await answer.text();
  expect(answer.headers.get("refresh")).toBe("20");
  expect(page).toContain(`href="http://127.0.0.1:3000/desk#code=${codeAfter(30)}"`);
  expect(page).toContain("olga &lt;b&gt;");
  expect(page).not.toContain(secret);
});

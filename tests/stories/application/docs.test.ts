import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { validationCodes } from "@/contract/vocabulary/kinds";
import { bytesOf, release } from "../../support/shop/publish-release";
import { openStage } from "../../support/shop/stage";
import { runProcess } from "../../support/operator/run-process";
import { testNeeding } from "../../support/checks/test-needing";
import { unproven } from "../accounts/people";

const text = await Bun.file(join(import.meta.dir, "../../../docs/application-api.md")).text();
const scratch = await mkdtemp(join(tmpdir(), "latchkey-docs-"));
afterAll(() => rm(scratch, { recursive: true, force: true }));

/** What each curl line on the page must answer, by what is unique in it. */
const expected: Record<string, (answer: string) => void> = {
  "device/code": (answer) => expect(JSON.parse(answer)).toMatchObject({ expires_in: 900, interval: 5 }),
  "device/token": (answer) => expect(JSON.parse(answer)).toEqual({ error: "authorization_pending" }),
  "v1/me": (answer) => expect(JSON.parse(answer).data).toMatchObject({ username: "ada", type: "premium" }),
  "v1/activate": (answer) => expect(JSON.parse(answer)).toMatchObject({ status: 200, code: "VALID" }),
  "v1/validate": (answer) => expect(JSON.parse(answer)).toMatchObject({ status: 200, code: "VALID" }),
  "v1/keys": (answer) => expect(JSON.parse(answer).keys[0]).toMatchObject({ crv: "Ed25519" }),
  "v1/deactivate": (answer) =>
    expect(JSON.parse(answer)).toMatchObject({ status: 200, code: "NOT_ACTIVATED" }),
  "update/windows": (answer) =>
    expect(JSON.parse(answer).data).toMatchObject({ version: "2.1.1", newer: true }),
  "latest-linux.yml": (answer) => expect(Bun.YAML.parse(answer)).toMatchObject({ version: "2.1.1" }),
  "-s -I": (answer) => expect(answer).toMatch(/^HTTP\/1.1 200 OK\r\n[^]*content-length: \d+\r\n/i),
  "-o setup.exe": (answer) => expect(answer).toBe(""),
  "version/builds": (answer) => expect(JSON.parse(answer).data.builds.win_exe.size).toBeGreaterThan(0),
};

testNeeding("curl", "openssl")("every curl line on the page does what it says", async () => {
  await using stage = await openStage();
  await release(stage, "2.1.1");
  const person = await unproven(stage, "ada");
  const { api_key: token } = (await person.get("/api/user/me")).body.data;
  const asking = { hwid: "machine-0002", label: "Study", os: "Windows 11", version: "2.1.1" };
  const { device_code: code } = (await person.post("/api/app/v1/device/code", asking)).body;
  const lines = text.split("\n").filter((line) => line.startsWith("curl "));
  const undocumented = new Set(Object.keys(expected));
  const run = async (command: string) => {
    const env = { PATH: process.env["PATH"] ?? "", SHOP: stage.url.origin, TOKEN: token, DEVICE_CODE: code };
    const { out, code: exit } = await runProcess(["bash", "-c", command], { cwd: scratch, env });
    expect([command, exit]).toEqual([command, 0]);
    return out;
  };
  for (const line of lines) {
    const [name, holds] = Object.entries(expected).find(([part]) => line.includes(part)) ?? [];
    if (!name || !holds) throw new Error(`nothing is expected of: ${line}`);
    holds(await run(line));
    undocumented.delete(name);
  }
  expect([...undocumented]).toEqual([]);
  expect(await Bun.file(join(scratch, "setup.exe")).text()).toBe(bytesOf("win_exe", "2.1.1"));
  const { data } = (await (await fetch(new URL("/api/version/builds", stage.url))).json()) as {
    data: { signing_key: string; builds: { win_exe: { signature: string } } };
  };
  await Bun.write(join(scratch, "key.pem"), data.signing_key);
  await Bun.write(join(scratch, "setup.exe.sig"), Buffer.from(data.builds.win_exe.signature, "base64"));
  for (const line of text.split("\n").filter((line) => line.startsWith("openssl "))) await run(line);
});

test("the page explains every verdict", () => {
  for (const code of validationCodes) expect(text).toMatch(new RegExp(`^\\| \`${code}\` +\\|`, "m"));
});

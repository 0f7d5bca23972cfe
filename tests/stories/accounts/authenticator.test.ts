import { expect } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { minute } from "@/contract/vocabulary/time";
import { openStage, type Stage } from "../../support/shop/stage";
import { codeAt, login, member, password } from "./people";
import { runProcess } from "../../support/operator/run-process";
import { testNeeding } from "../../support/checks/test-needing";

async function output(...command: string[]): Promise<string> {
  const { out, code } = await runProcess(command);
  expect(code).toBe(0);
  return out.trim();
}

/** What oathtool's authenticator shows at the stage's time. */
const codeOfOathtool = (stage: Stage, secret: string) =>
  output("oathtool", "--totp", "--base32", `--now=${stage.ctx.now().toISOString()}`, secret);

testNeeding("oathtool")("an independent authenticator agrees with ours, and opens the account", async () => {
  await using stage = await openStage();
  const theo = await member(stage, "theo");
  const { secret } = (await theo.post("/api/user/mfa/reset", { password })).body.data;
  for (let time = 0; time < 20; time += 1) {
    stage.advance(7_777_777);
    // the next 30 seconds may begin while oathtool is asked
    const before = codeAt(stage, secret);
    const theirs = codeOfOathtool(stage, secret);
    expect([before, codeAt(stage, secret)]).toContain(await theirs);
  }
  await login(theo, "theo");
  const offered = (await theo.post("/api/user/mfa/reset", { password })).body.data;
  const security_code = await codeOfOathtool(stage, offered.secret);
  expect((await theo.post("/api/user/mfa/enable", { security_code })).status).toBe(200);
  stage.advance(minute);
  const next = await codeOfOathtool(stage, offered.secret);
  expect((await login(stage.person(), "theo", { security_code: next })).status).toBe(200);
});

testNeeding("zbarimg", "rsvg-convert")(
  "an independent reader decodes the QR code to what the text says",
  async () => {
    await using stage = await openStage();
    const theo = await member(stage, "theo");
    const { qr, otpauth, secret } = (await theo.post("/api/user/mfa/reset", { password })).body.data;
    const dir = await mkdtemp(join(tmpdir(), "latchkey-qr-"));
    try {
      const [svg, png] = [join(dir, "code.svg"), join(dir, "code.png")];
      await Bun.write(svg, Buffer.from(qr.split(",")[1], "base64"));
      await output("rsvg-convert", "--width=600", `--output=${png}`, svg);
      const read = await output("zbarimg", "--quiet", "--raw", png);
      expect(read).toBe(otpauth);
      const uri = new URL(read);
      expect(uri.searchParams.get("secret")).toBe(secret);
      expect(decodeURIComponent(uri.pathname)).toEndWith(":theo");
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  },
);

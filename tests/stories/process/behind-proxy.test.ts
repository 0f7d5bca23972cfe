import { expect } from "bun:test";
import { join } from "node:path";
import { testNeeding } from "../../support/checks/test-needing";
import { proxyRules, startProxy } from "../../support/network/proxy";
import { manualBlocks, proxies as section } from "../../support/operator/operator-manual";
import { runProcess } from "../../support/operator/run-process";
import { freePort } from "../../support/shop/free-port";
import { openStage } from "../../support/shop/stage";

testNeeding("curl", "openssl")(
  "behind each proxy of the manual customers are told apart by what it saw, and pages are the shop's own",
  async () => {
    const publicUrl = new URL(`https://127.0.0.1:${await freePort()}`);
    const env = { PUBLIC_URL: publicUrl.origin, PORT: String(await freePort()) };
    await using stage = await openStage({ env });
    const [cert, key] = [join(stage.dataDir, "fullchain.pem"), join(stage.dataDir, "privkey.pem")];
    const made = `openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=shop -keyout ${key} -out ${cert}`;
    expect((await runProcess(made.split(" "))).code).toBe(0);
    const proxies = (await manualBlocks()).filter((block) => block.section === section);
    expect(proxies).toHaveLength(2);
    for (const [at, block] of proxies.entries()) {
      const { securely, to, servers, ...rules } = proxyRules(block);
      expect([to, servers]).toEqual(["http://127.0.0.1:3000", []]);
      expect(securely).toMatch(/^https:\/\/(shop\.example\.com\$request_uri|\{host\}\{uri\})$/);
      const proxy = startProxy(
        { ...rules, to: stage.shop.listening.origin },
        { port: Number(publicUrl.port), tls: { cert: Bun.file(cert), key: Bun.file(key) } },
      );
      await expectBehindProxy(publicUrl, String(at + 1));
      await proxy.stop(true);
    }
  },
);

type Asked = { from: string; forwarded?: string; origin?: string; bytes?: number };

/** Tries to sign in as nobody, from a new address; resolves to the answer's status and headers. */
async function tryToSignIn(url: URL, { from, forwarded, origin = url.origin, bytes = 0 }: Asked) {
  const phrase = `head -c ${bytes} /dev/zero | tr '\\0' x`;
  const body = `printf '{"username":"nobody","password":"wrong'; ${phrase}; printf '"}'`;
  const line = [
    `(${body}) | curl -sk --http1.1 --interface ${from} -D - -o /dev/null --data-binary @-`,
    `-H 'Content-Type: application/json' -H 'Origin: ${origin}'`,
    ...(forwarded ? [`-H 'X-Forwarded-For: ${forwarded}'`] : []),
    new URL("/api/auth/login", url).href,
  ].join(" ");
  const { out } = await runProcess(["sh", "-ec", line]);
  return { status: Number(/^HTTP\/1\.1 (?!100)(\d+)/m.exec(out)?.[1]), headers: out.toLowerCase() };
}

async function expectBehindProxy(url: URL, nets: string): Promise<void> {
  const [guesser, other] = [`127.0.${nets}.1`, `127.0.${nets}.2`];
  const statuses: number[] = [];
  for (let attempt = 1; attempt <= 6; attempt += 1) {
    const { status } = await tryToSignIn(url, { from: guesser, forwarded: `198.51.100.${attempt}` });
    statuses.push(status);
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  // a forged address is neither believed nor charged with the attempts
  expect((await tryToSignIn(url, { from: guesser, forwarded: other })).status).toBe(429);
  const answered = await tryToSignIn(url, { from: other });
  expect(answered.status).toBe(401);
  expect(answered.headers).toContain("strict-transport-security: max-age=");
  for (const origin of [`http://${url.host}`, "https://shop.example.org"])
    expect((await tryToSignIn(url, { from: other, origin })).status).toBe(403);
  // the shop's own refusal; a larger body is refused by whichever of the two sees it first
  const large = await tryToSignIn(url, { from: other, bytes: 100_000 });
  expect(large).toMatchObject({ status: 413, headers: expect.stringContaining("x-request-id") });
  expect((await tryToSignIn(url, { from: other, bytes: 2_000_000 })).status).toBe(413);
}

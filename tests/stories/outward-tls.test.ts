import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { readConfig } from "@/core/config";
import { createSignOn } from "@/gateways/discord/sign-on";
import { mailTrouble } from "@/gateways/mail/reach";
import { bucketClient } from "@/gateways/storage/s3";
import { createStripeGateway } from "@/gateways/stripe/gateway";

const openssl = Bun.which("openssl");

/** A server with an untrusted certificate, and the requests of clients that connected anyway. */
async function impostor() {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-tls-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  await Bun.$`openssl req -x509 -newkey rsa:2048 -nodes -days 2 -keyout ${key} -out ${cert} ${names}`.quiet();
  const asked: string[] = [];
  const tls = { key: await Bun.file(key).text(), cert: await Bun.file(cert).text() };
  const http = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    tls,
    fetch(request) {
      asked.push(new URL(request.url).pathname);
      return Response.json({});
    },
  });
  const mail = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    tls,
    socket: {
      handshake: (socket) => void socket.write("220 impostor ESMTP\r\n"),
      data: (_, bytes) => void asked.push(bytes.toString()),
    },
  });
  return {
    url: new URL(`https://localhost:${http.port}`),
    smtpUrl: `smtps://shop:password@localhost:${mail.port}`,
    asked,
    async [Symbol.asyncDispose]() {
      mail.stop(true);
      await http.stop(true);
      await rm(folder, { recursive: true });
    },
  };
}

test.skipIf(!openssl)("nothing is sent to a server nobody vouches for (needs openssl)", async () => {
  await using there = await impostor();
  const { url, smtpUrl, asked } = there;
  const keys = { secretKey: "sk_test_x", publishableKey: "pk_test_x", webhookSecret: "whsec_x" };
  const stripe = createStripeGateway({ ...keys, apiUrl: url }, readConfig({}).sales);
  const ids = { guildId: "1", premiumRoleId: "1", supportRoleId: "1", supportChannelId: "1" };
  const discord = createSignOn(
    {
      ...ids,
      staffChannelId: "1",
      ownerRoleId: null,
      refundDailyCap: 0,
      newsChannelId: null,
      botToken: "x",
      clientId: "1",
      clientSecret: "x",
      apiUrl: url,
    },
    "https://shop.example/back",
  );
  const access = { accessKeyId: "x", secretAccessKey: "x", region: "auto", endpoint: url.href };
  const bucket = bucketClient({ bucket: "backups", prefix: "", ...access });
  const database = createClient({ url: url.href, authToken: "x" });
  const attempts: Record<string, () => Promise<unknown>> = {
    stripe: () => stripe.read("cs_test_x"),
    discord: () => discord.exchange("code", "verifier"),
    bucket: () => bucket.file("one").bytes(),
    database: () => database.execute("SELECT 1"),
  };
  for (const [whom, attempt] of Object.entries(attempts)) {
    const outcome = await attempt().then(
      () => "spoke",
      () => "refused",
    );
    expect([whom, outcome]).toEqual([whom, "refused"]);
  }
  expect(await mailTrouble(smtpUrl)).toBe("ESOCKET");
  expect(asked).toEqual([]);
  // a client that doesn't verify would have been recorded
  await fetch(url, { tls: { rejectUnauthorized: false } });
  expect(asked).toEqual(["/"]);
});

import { expect, test } from "bun:test";
import { buffer } from "node:stream/consumers";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { readConfig } from "@/core/settings/config";
import { createSignOn } from "@/gateways/discord/sign-on";
import { mailFault } from "@/gateways/mail/reach";
import { SMTPServer } from "smtp-server";
import { bucketClient } from "@/gateways/storage/s3";
import { createStripeGateway } from "@/gateways/stripe/gateway";
import { operate, operateWith, settingsOf } from "../../support/operator/run-operator";
import { eventually, openStage } from "../../support/shop/stage";

const openssl = Bun.which("openssl");

/** A certificate that signs itself. */
async function ownCertificate(names = ["DNS:localhost", "IP:127.0.0.1"]) {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-tls-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const subject = ["-subj", "/CN=localhost", "-addext", `subjectAltName=${names.join(",")}`];
  await Bun.$`openssl req -x509 -newkey rsa:2048 -nodes -days 2 -keyout ${key} -out ${cert} ${subject}`.quiet();
  const tls = { key: await Bun.file(key).text(), cert: await Bun.file(cert).text() };
  await rm(folder, { recursive: true });
  return tls;
}

/** A relay as Debian sets Postfix up: it offers STARTTLS with its own certificate, and asks for no login. */
async function relay(tls: { key: string; cert: string }) {
  const emails: { secure: boolean; raw: string }[] = [];
  const server = new SMTPServer({
    ...tls,
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    onData(stream, session, answer) {
      void buffer(stream).then((raw) => {
        emails.push({ secure: session.secure, raw: raw.toString() });
        answer();
      });
    },
  });
  // a client that refuses the certificate breaks off
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    port,
    emails,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** A server with an untrusted certificate, and the requests of clients that connected anyway. */
async function impostor() {
  const asked: string[] = [];
  const tls = await ownCertificate();
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
    },
  };
}

test.skipIf(!openssl)(
  "nothing is sent to a server without a trusted certificate (needs openssl)",
  async () => {
    await using there = await impostor();
    const { url, smtpUrl, asked } = there;
    const keys = { secretKey: "sk_test_x", publishableKey: "pk_test_x", webhookSecret: "whsec_x" };
    const stripe = createStripeGateway({ ...keys, apiUrl: url }, readConfig({}).sales, url);
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
    expect(await mailFault(smtpUrl)).toContain("its certificate is signed by itself");
    expect(asked).toEqual([]);
    // a client that doesn't verify would have been recorded
    await fetch(url, { tls: { rejectUnauthorized: false } });
    expect(asked).toEqual(["/"]);
  },
);

test.skipIf(!openssl)(
  "a relay on this machine gets its mail over TLS, whoever signed its certificate",
  async () => {
    await using there = await relay(await ownCertificate(["DNS:mail.example.com"]));
    await using stage = await openStage({ env: { SMTP_URL: `smtp://localhost:${there.port}` } });
    await stage.buy("ada@example.com");
    await eventually(
      () => there.emails.map(({ secure }) => secure),
      (sent) => sent.length === 1 && sent[0] === true,
    );
    expect(await mailFault(`smtp://127.0.0.1:${there.port}`)).toBeNull();
  },
);

test.skipIf(!openssl)(
  "TLS that SMTP_URL demands is verified, and log and doctor say what to change",
  async () => {
    await using there = await relay(await ownCertificate());
    const smtpUrl = `smtp://localhost:${there.port}?requireTLS=true`;
    const sentence = "its certificate is signed by itself: have NODE_EXTRA_CA_CERTS name";
    await using stage = await openStage({ env: { SMTP_URL: smtpUrl } });
    await stage.buy("ada@example.com");
    await eventually(
      () => stage.lines.filter((line) => line.includes("will be retried")),
      (lines) => lines.some((line) => line.includes(sentence)),
    );
    expect((await operate(stage, "outbox", "list")).out).toContain(sentence);
    const doctor = await operateWith({ ...settingsOf(stage), SMTP_URL: smtpUrl }, "doctor", "--json");
    expect(JSON.parse(doctor.out)).toContainEqual({
      what: "mail",
      state: "wrong",
      sentence: expect.stringContaining(sentence),
    });
    expect(there.emails).toEqual([]);
    expect(await mailFault(`${smtpUrl}&tls.rejectUnauthorized=false`)).toBeNull();
    expect(await mailFault(`smtps://localhost:${there.port}`)).toContain("SMTP_URL must begin with smtp://");
    expect(await mailFault("smtp://127.0.0.1:9")).toContain("nothing listens");
  },
);

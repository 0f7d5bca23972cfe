import { expect, test } from "bun:test";
import { startAuthenticatorSimulator } from "@/simulators/authenticator/simulator";
import { startWebhookSimulator } from "@/simulators/webhooks/simulator";
import { openStage } from "../../support/shop/stage";

test("the simulators answer only requests that name this machine", async () => {
  await using stage = await openStage({ discord: true });
  const webhooks = await startWebhookSimulator();
  await using stopping = new AsyncDisposableStack();
  stopping.defer(() => webhooks.stop());
  const authenticator = startAuthenticatorSimulator();
  stopping.defer(() => authenticator.stop());
  for (const { url } of [stage.stripe, stage.discord, stage.mail, webhooks, authenticator]) {
    const { port } = new URL(url);
    const asked = async (host: string, path = "/") =>
      (await fetch(`${url}${path}`, { headers: { host }, redirect: "manual" })).status;
    for (const own of [
      `127.0.0.1:${port}`,
      `localhost:${port}`,
      "localhost",
      `shop.localhost:${port}`,
      "[::1]:80",
    ])
      expect([url, own, await asked(own)]).toEqual([url, own, 200]);
    const foreign = [
      "example.com",
      `example.com:${port}`,
      "localhost.example.com",
      "127.0.0.1.example.com",
      "10.0.0.1",
    ];
    for (const host of foreign)
      for (const path of ["/", "/_control/faults", "/api/v10/gateway", "/v1/checkout/sessions"])
        expect([url, host, path, await asked(host, path)]).toEqual([url, host, path, 421]);
  }
});

test("Discord's gateway opens no connection for another host's page", async () => {
  await using stage = await openStage({ discord: true });
  const { hostname, port } = new URL(stage.discord.url);
  const answer = await new Promise<string>((resolve, reject) => {
    void Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        open(socket) {
          socket.write(
            "GET /?v=10&encoding=json HTTP/1.1\r\nhost: example.com\r\nupgrade: websocket\r\nconnection: upgrade\r\n" +
              "sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
          );
        },
        data(socket, bytes) {
          resolve(bytes.toString());
          socket.end();
        },
        error: (_, error) => reject(error),
      },
    });
  });
  expect(answer).toStartWith("HTTP/1.1 421");
});

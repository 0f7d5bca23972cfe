import { expect, test } from "bun:test";
import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { brand } from "@/brand/brand";
import { operator } from "@/core/base/actor";
import { removeStaff } from "@/domain/staff/staff-actions";
import { atDesk, type Colleague } from "../../support/people/desk";
import { afterRead } from "../../support/shop/after-read";
import { addVariedRows } from "../../support/shop/varied-rows";
import { eventually, openStage, type Stage } from "../../support/shop/stage";
import { me, member } from "../accounts/people";

const reason = "a story";
const dismiss = (stage: Stage, name: string) => removeStaff(stage.ctx, name, { actor: operator, reason });

type Sent = { method: "POST" | "PUT"; type: string; body: string };
const json = (body: object): Sent => ({
  method: "POST",
  type: "application/json",
  body: JSON.stringify(body),
});

/** Sends a call whose body stays unfinished until `finish`, which resolves to the first line of the answer. */
async function beginCall(stage: Stage, { person }: Colleague, path: string, { method, type, body }: Sent) {
  const { host, hostname, port } = new URL(stage.url);
  const line = connect(Number(port), hostname);
  await once(line, "connect");
  const headers = {
    host,
    ...person.headers(),
    "content-type": type,
    "content-length": body.length,
    connection: "close",
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  line.write(`${method} /api/desk/${path} HTTP/1.1\r\n${head.join("")}\r\n${body.slice(0, 1)}`);
  return async () => {
    line.write(body.slice(1));
    return (await text(line)).split("\r\n")[0];
  };
}

const counted = async (stage: Stage, table: string) =>
  (await stage.ctx.store.client.execute(`SELECT count(*) AS n FROM ${table}`)).rows[0]?.["n"];

test("a call whose body arrives after its sender was dismissed does nothing", async () => {
  await using stage = await openStage();
  const [otto, sam] = [await atDesk(stage, "otto", "owner"), await atDesk(stage, "sam", "support")];
  const { id } = (await me(await member(stage, "ada"))).data;
  const part = "bytes of a build";
  const sha256 = new Bun.CryptoHasher("sha256").update(part).digest("hex");
  const files = [{ name: "Wisp-Setup.exe", size: part.length, sha256 }];
  const upload = await otto.post("releases/uploads", { version: "2.0.0", title: "New", files, reason });
  const toPart = `releases/uploads/${upload.body.data.id}/parts/0`;
  const calls = [
    await beginCall(stage, otto, "staff", json({ name_or_email: "ada", role: "owner", reason })),
    await beginCall(stage, otto, toPart, { method: "PUT", type: "application/octet-stream", body: part }),
    await beginCall(stage, sam, `customers/${id}/notes`, json({ text: "still here" })),
  ];
  // answered after the heads of those calls were read
  expect((await sam.get("me")).status).toBe(200);
  await dismiss(stage, "otto");
  await dismiss(stage, "sam");
  for (const finish of calls) expect(await finish()).toContain("401");
  for (const table of ["staff", "customer_notes", "release_uploads WHERE received > 0"])
    expect([table, await counted(stage, table)]).toEqual([table, 0]);
});

test("a call whose body arrives while its sender is still on the desk is made", async () => {
  await using stage = await openStage();
  const sam = await atDesk(stage, "sam", "support");
  const { id } = (await me(await member(stage, "ada"))).data;
  const finish = await beginCall(stage, sam, `customers/${id}/notes`, json({ text: "still here" }));
  expect((await sam.get("me")).status).toBe(200);
  expect(await finish()).toContain("200");
});

test("an export ends where its owner is dismissed", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  await addVariedRows(stage, 1_000);
  const file = await fetch(new URL("/api/desk/export/licences.csv", stage.url), {
    headers: olga.person.headers(),
  });
  expect(file.status).toBe(200);
  await dismiss(stage, "olga");
  const read = await file.text().catch(() => "");
  expect(read.split("\n").length).toBeLessThan(900);
  const [entry] = await exportsLogged(stage);
  expect(entry).toMatchObject({ complete: false });
});

test("a download of issued keys ends where its owner is dismissed", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  const { job } = (await olga.post("licences/issue", { offer: brand.offer.id, count: 600, reason })).body
    .data;
  await stage.shop.worker.drain();
  const keysRead = async () => {
    const file = await fetch(new URL(`/api/desk/jobs/${job}/keys.csv`, stage.url), {
      headers: olga.person.headers(),
    });
    return (await file.text().catch(() => "")).match(/WISP-/g)?.length ?? 0;
  };
  expect(await keysRead()).toBe(600);
  using _ = afterRead(stage, "licence_job_items", () => dismiss(stage, "olga"));
  expect(await keysRead()).toBe(0);
});

const exportsLogged = (stage: Stage) =>
  eventually(
    async () => {
      const { rows } = await stage.ctx.store.client.execute(
        "SELECT detail FROM audit_log WHERE action = 'desk.exported'",
      );
      return rows.map(({ detail }) => JSON.parse(detail as string) as { rows: number; complete: boolean });
    },
    (all) => all.length === 1,
  );

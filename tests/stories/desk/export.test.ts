import { expect, test } from "bun:test";
import { deskLists } from "@/contract/wire/desk/lists";
import { minute } from "@/contract/vocabulary/time";
import { readCsv } from "@/domain/imports/read-csv";
import { atDesk, type Colleague } from "../../support/people/desk";
import { openStage, eventually, type Stage } from "../../support/shop/stage";
import { addVariedRows } from "../../support/shop/varied-rows";
import { member } from "../accounts/people";

const fileOf = async (who: Colleague, path: string) => {
  const { status, headers, body } = await who.get(`export/${path}`);
  return { status, headers, text: body as string };
};

/** What the log tells of exports, once it tells so many. */
const exportsInLog = (stage: Stage, count: number) =>
  eventually(
    async () => {
      const { rows } = await stage.ctx.store.client.execute(
        "SELECT actor_role AS role, subject, detail FROM audit_log WHERE action = 'desk.exported' ORDER BY at, id",
      );
      return rows.map(({ role, subject, detail }) => ({ role, subject, ...JSON.parse(detail as string) }));
    },
    (all) => all.length === count,
  );

test("an owner exports exactly what a list shows, after seeing how many rows it has, and the log records it", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  const { people } = await addVariedRows(stage, 210);
  for (const list of deskLists) {
    stage.advance(minute / 2);
    const { count, more } = (await olga.get(`export/${list}/count`)).body.data;
    const { status, headers, text } = await fileOf(olga, `${list}.csv`);
    expect([status, headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"]);
    expect(headers.get("content-disposition")).toBe(`attachment; filename="${list}.csv"`);
    expect(headers.get("cache-control")).toBe("no-store");
    const [head, ...rows] = readCsv(text);
    expect(head?.cells.slice(0, 1)).toEqual(["id"]);
    expect([list, more, rows.length]).toEqual([list, false, count]);
    const shown = (await olga.get(`${list}?limit=100`)).body.data.rows;
    const ids = rows.map(({ cells }) => cells[0]);
    expect(ids.slice(-50)).toEqual([...new Set(ids)].slice(-50));
    if (list !== "audit")
      expect(ids.slice(0, shown.length)).toEqual(shown.map(({ id }: { id: string }) => id));
  }
  const filters = `status=succeeded&customer=${people[0]}`;
  const { count } = (await olga.get(`export/payments/count?${filters}`)).body.data;
  expect(count).toBeGreaterThan(3);
  expect([...readCsv((await fileOf(olga, `payments.csv?${filters}`)).text)]).toHaveLength(count + 1);
  await fileOf(olga, "audit.csv?actor=discord:81");
  const exports = await exportsInLog(stage, deskLists.length + 2);
  expect(exports.at(-2)).toEqual({
    role: "owner",
    subject: "payments",
    list: "payments",
    filters: { status: "succeeded", customer: people[0] },
    rows: count,
    complete: true,
  });
  expect(exports.at(-1)).toMatchObject({ list: "audit", filters: { actor: "discord" } });
});

test("columns are the rows' fields, nested ones joined by a line, and what spreadsheets run stays text", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  const ada = await member(stage, "ada");
  const { id } = (await ada.get("/api/user/me")).body.data;
  await stage.buy("+cmd@example.com");
  await stage.ctx.store.client.execute({
    sql: "UPDATE accounts SET username = ? WHERE id = ?",
    args: ['\u202e=HYPERLINK("http://x";"<b>")\n', id],
  });
  const [head, row] = readCsv((await fileOf(olga, "payments.csv")).text);
  expect(head?.cells.join()).toBe(
    "id,session_id,payment_id,status,email,customer_id,customer_username,redeemed_by_id,redeemed_by_username,offer,level_id,level_name,quantity,bill_currency,bill_asked,bill_off,bill_tax,bill_credit,bill_outside,bill_tax_included,bill_paid,bill_refunded,dispute_status,dispute_reason,dispute_amount,dispute_currency,dispute_since,dispute_due,mismatch,created_at,paid_at",
  );
  expect(row?.cells).toContain("'+cmd@example.com");
  const { text } = await fileOf(olga, "customers.csv");
  expect(text).toContain('"\'\u202e=HYPERLINK(""http://x"";""<b>"")\n"');
  const [columns] = readCsv((await fileOf(olga, "audit.csv")).text);
  expect(columns?.cells.join()).toBe(
    "id,at,actor_kind,actor_id,actor_name,actor_role,actor_via,action,subject_kind,subject_id,subject_name,customer_id,customer_username,currency,reason,details,names",
  );
  const bytes = await (
    await fetch(new URL("/api/desk/export/tickets.csv", stage.url), {
      headers: olga.person.headers(),
    })
  ).bytes();
  expect(Buffer.from(bytes.slice(0, 3)).toString("hex")).toBe("efbbbf");
});

test("an export takes a fresh code, and a mistyped filter exports nothing", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  stage.advance(11 * minute);
  expect((await olga.get("export/payments.csv")).body).toMatchObject({ status: 403, code: "confirm" });
  expect((await olga.get("export/payments.csv?status=paid")).body).toMatchObject({
    status: 400,
    field: "status",
  });
  expect((await olga.get("export/payments/count")).status).toBe(200);
  await olga.confirm();
  expect((await fileOf(olga, "payments.csv")).status).toBe(200);
  expect((await olga.get("export/staff.csv")).status).toBe(404);
});

test("the log says that an export its reader abandoned is incomplete", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  await addVariedRows(stage, 1_000);
  const stopping = new AbortController();
  const response = await fetch(new URL("/api/desk/export/licences.csv", stage.url), {
    signal: stopping.signal,
    headers: olga.person.headers(),
  });
  const reader = response.body!.getReader();
  await reader.read();
  stopping.abort();
  const [entry] = await exportsInLog(stage, 1);
  expect(entry).toMatchObject({ list: "licences", complete: false });
  expect(entry.rows).toBeLessThan(1_000);
});

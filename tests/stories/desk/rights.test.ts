import { expect, test } from "bun:test";
import type { StaffRole } from "@/core/base/actor";
import { atDesk } from "../../support/people/desk";
import type { Person } from "../../support/people/person";
import { openStage, type Stage } from "../../support/shop/stage";
import { member } from "../accounts/people";

const roles = ["owner", "support", "viewer"] as const satisfies StaffRole[];

/** Who may make each call of the desk: an x for owner, support and viewer, a dot for those who may not. */
const matrix: string[] = [
  "x x x  GET /api/desk/announcements",
  "x x x  GET /api/desk/announcements/{id}",
  "x x x  GET /api/desk/attention",
  "x x x  GET /api/desk/audit",
  "x x x  GET /api/desk/audit/actions",
  "x · ·  GET /api/desk/blocks",
  "x x x  GET /api/desk/changelog",
  "x x x  GET /api/desk/codes",
  "x x x  GET /api/desk/corrections",
  "x x x  GET /api/desk/customers",
  "x x x  GET /api/desk/customers/{id}",
  "x · ·  GET /api/desk/export/audit.csv",
  "x · ·  GET /api/desk/export/audit/count",
  "x · ·  GET /api/desk/export/corrections.csv",
  "x · ·  GET /api/desk/export/corrections/count",
  "x · ·  GET /api/desk/export/customers.csv",
  "x · ·  GET /api/desk/export/customers/count",
  "x · ·  GET /api/desk/export/licences.csv",
  "x · ·  GET /api/desk/export/licences/count",
  "x · ·  GET /api/desk/export/payments.csv",
  "x · ·  GET /api/desk/export/payments/count",
  "x · ·  GET /api/desk/export/refunds.csv",
  "x · ·  GET /api/desk/export/refunds/count",
  "x · ·  GET /api/desk/export/subscriptions.csv",
  "x · ·  GET /api/desk/export/subscriptions/count",
  "x · ·  GET /api/desk/export/tickets.csv",
  "x · ·  GET /api/desk/export/tickets/count",
  "x x x  GET /api/desk/figures",
  "x x x  GET /api/desk/figures/codes",
  "x x x  GET /api/desk/figures/offers",
  "x x x  GET /api/desk/figures/subscriptions",
  "x x x  GET /api/desk/figures/support",
  "x · ·  GET /api/desk/jobs",
  "x · ·  GET /api/desk/jobs/{id}",
  "x · ·  GET /api/desk/jobs/{id}/keys.csv",
  "x · ·  GET /api/desk/keys",
  "x x x  GET /api/desk/licences",
  "x x x  GET /api/desk/licences/{id}",
  "x x x  GET /api/desk/me",
  "x · ·  GET /api/desk/me/notices",
  "x x x  GET /api/desk/offers",
  "x x x  GET /api/desk/payments",
  "x x x  GET /api/desk/payments/{id}",
  "x x x  GET /api/desk/refunds",
  "x x x  GET /api/desk/releases",
  "x · ·  GET /api/desk/releases/uploads",
  "x · ·  GET /api/desk/releases/uploads/{id}",
  "x x x  GET /api/desk/replies",
  "x · ·  GET /api/desk/settings",
  "x · ·  GET /api/desk/staff",
  "x x x  GET /api/desk/subscriptions",
  "x x x  GET /api/desk/subscriptions/{id}",
  "x x ·  GET /api/desk/system",
  "x x x  GET /api/desk/tickets",
  "x x x  GET /api/desk/tickets/{id}",
  "x x x  GET /api/desk/tickets/{id}/files/{file}",
  "x · ·  GET /api/desk/webhooks",
  "x · ·  GET /api/desk/webhooks/deliveries",
  "x · ·  GET /api/desk/webhooks/deliveries/{id}",
  "x · ·  GET /api/desk/webhooks/{id}",
  "x · ·  POST /api/desk/announcements",
  "x · ·  POST /api/desk/announcements/preview",
  "x · ·  POST /api/desk/announcements/test",
  "x · ·  POST /api/desk/announcements/{id}/stop",
  "x · ·  POST /api/desk/blocks",
  "x · ·  POST /api/desk/blocks/{id}/remove",
  "x · ·  POST /api/desk/changelog",
  "x · ·  POST /api/desk/changelog/{id}/edit",
  "x · ·  POST /api/desk/changelog/{id}/remove",
  "x · ·  POST /api/desk/codes",
  "x · ·  POST /api/desk/codes/{id}/retire",
  "x x x  POST /api/desk/confirm",
  "x · ·  POST /api/desk/corrections/{id}/approve",
  "x · ·  POST /api/desk/corrections/{id}/decline",
  "x · ·  POST /api/desk/customers/{id}/change-email",
  "x · ·  POST /api/desk/customers/{id}/erase",
  "x · ·  POST /api/desk/customers/{id}/grant",
  "x · ·  POST /api/desk/customers/{id}/link",
  "x x ·  POST /api/desk/customers/{id}/notes",
  "x x ·  POST /api/desk/customers/{id}/reset-device",
  "x · ·  POST /api/desk/customers/{id}/reset-mfa",
  "x · ·  POST /api/desk/customers/{id}/sign-out",
  "x · ·  POST /api/desk/customers/{id}/unlink",
  "x · ·  POST /api/desk/jobs/{id}/cancel",
  "x · ·  POST /api/desk/keys",
  "x · ·  POST /api/desk/keys/{id}/remove",
  "x · ·  POST /api/desk/licences/bulk",
  "x · ·  POST /api/desk/licences/issue",
  "x · ·  POST /api/desk/licences/{id}/devices",
  "x x ·  POST /api/desk/licences/{id}/extend",
  "x · ·  POST /api/desk/licences/{id}/key",
  "x x ·  POST /api/desk/licences/{id}/reinstate",
  "x · ·  POST /api/desk/licences/{id}/revoke",
  "x · ·  POST /api/desk/licences/{id}/rotate",
  "x x ·  POST /api/desk/licences/{id}/suspend",
  "x · ·  POST /api/desk/me/notices",
  "x · ·  POST /api/desk/offers",
  "x · ·  POST /api/desk/offers/{id}/change",
  "x · ·  POST /api/desk/offers/{id}/retire",
  "x · ·  POST /api/desk/outbox/{id}/drop",
  "x · ·  POST /api/desk/outbox/{id}/retry",
  "x · ·  POST /api/desk/payments/{id}/contest",
  "x x ·  POST /api/desk/payments/{id}/correct-email",
  "x x ·  POST /api/desk/payments/{id}/refund",
  "x x ·  POST /api/desk/payments/{id}/resend",
  "x · ·  POST /api/desk/payments/{id}/sync",
  "x · ·  POST /api/desk/refunds/{id}/approve",
  "x · ·  POST /api/desk/refunds/{id}/decline",
  "x · ·  POST /api/desk/releases/uploads",
  "x · ·  POST /api/desk/releases/uploads/{id}/cancel",
  "x · ·  POST /api/desk/releases/uploads/{id}/finish",
  "x · ·  POST /api/desk/releases/{id}/rollout",
  "x · ·  POST /api/desk/releases/{id}/yank",
  "x · ·  POST /api/desk/replies",
  "x · ·  POST /api/desk/replies/{id}/change",
  "x · ·  POST /api/desk/replies/{id}/remove",
  "x x x  POST /api/desk/requests",
  "x x x  POST /api/desk/requests/confirm",
  "x x x  POST /api/desk/search",
  "x · ·  POST /api/desk/staff",
  "x · ·  POST /api/desk/staff/{id}/remove",
  "x · ·  POST /api/desk/staff/{id}/wake",
  "x · ·  POST /api/desk/subscriptions/{id}/cancel",
  "x · ·  POST /api/desk/system/check",
  "x x ·  POST /api/desk/tickets/{id}/claim",
  "x x ·  POST /api/desk/tickets/{id}/close",
  "x x ·  POST /api/desk/tickets/{id}/messages",
  "x x ·  POST /api/desk/tickets/{id}/notes",
  "x x ·  POST /api/desk/tickets/{id}/reopen",
  "x x ·  POST /api/desk/tickets/{id}/unclaim",
  "x · ·  POST /api/desk/webhooks",
  "x · ·  POST /api/desk/webhooks/replay",
  "x · ·  POST /api/desk/webhooks/{id}/change",
  "x · ·  POST /api/desk/webhooks/{id}/enable",
  "x · ·  POST /api/desk/webhooks/{id}/remove",
  "x · ·  POST /api/desk/webhooks/{id}/rotate",
  "x · ·  POST /api/desk/webhooks/{id}/test",
  "x · ·  PUT /api/desk/releases/uploads/{id}/parts/{part}",
];

/** Of everybody with a session; `leave` would end the story's own. */
const doors = new Set(["POST /api/desk/enter", "POST /api/desk/leave"]);

const bodyless = new Set(["POST /api/desk/system/check"]);

/** Every call of the desk, as the shop itself describes them. */
async function callsOf(stage: Stage): Promise<string[]> {
  const { paths } = (await stage.person().get("/api/openapi.json")).body;
  return Object.entries<Record<string, { tags?: string[] }>>(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { tags }]) => tags?.includes("desk"))
        .map(([method]) => `${method.toUpperCase()} ${path}`),
    )
    .filter((call) => !doors.has(call))
    .toSorted();
}

/** Makes the call with ids that nothing has and a body that no call takes. */
function make(person: Person, call: string) {
  const [method = "", path = ""] = call.split(" ");
  const url = path.replaceAll(/\{\w+\}/g, "nothing");
  if (method === "GET") return person.get(url);
  return person.send(method, url, {
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ nonsense: true }),
  });
}

test("every call of the desk is refused to each role that may not make it before its body is judged, and to the others for a body that is none of its own", async () => {
  await using stage = await openStage({ env: { LIMITS: "desk=10000/60,other=10000/60,own=10000/60" } });
  const calls = await callsOf(stage);
  const people = [];
  for (const role of roles) people.push((await atDesk(stage, role, role)).person);
  const rights: string[] = [];
  for (const call of calls) {
    const marks: string[] = [];
    for (const person of people) {
      const { status, body } = await make(person, call);
      expect([call, status < 500]).toEqual([call, true]);
      expect([call, status]).not.toEqual([call, 401]);
      const isForbidden = status === 403 && body.code === "forbidden";
      if (!isForbidden && !call.startsWith("GET") && !bodyless.has(call))
        expect([call, status]).toEqual([call, 400]);
      marks.push(isForbidden ? "·" : "x");
    }
    rights.push(`${marks.join(" ")}  ${call}`);
  }
  expect(rights).toEqual(matrix);
});

test("no call of the desk answers anybody who has not entered it", async () => {
  await using stage = await openStage({ env: { LIMITS: "desk=10000/60,other=10000/60,own=10000/60" } });
  const people = { stranger: stage.person(), customer: await member(stage, "ada") };
  for (const call of await callsOf(stage)) {
    for (const [who, person] of Object.entries(people)) {
      const { status, body } = await make(person, call);
      expect([who, call, status, body.code]).toEqual([who, call, 401, "unauthenticated"]);
    }
  }
});

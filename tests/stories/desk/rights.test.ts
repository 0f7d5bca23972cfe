import { expect, test } from "bun:test";
import { operations } from "@/contract/operations/all";
import type { Declaration } from "@/contract/operations/operation";
import { deskLists } from "@/contract/wire/desk/lists";
import type { StaffRole } from "@/core/base/actor";
import { type Permission, permissions } from "@/domain/permissions";
import { atDesk } from "../../support/people/desk";
import type { Person } from "../../support/people/person";
import { openStage, type Stage } from "../../support/shop/stage";
import { member } from "../accounts/people";

const roles = ["owner", "support", "viewer"] as const satisfies StaffRole[];

/**
 * Who may make the calls that have no right of their own name: an x for owner, support and viewer, a dot for those who may not.
 * The rights of the others are those of `tests/units/permissions.test.ts`.
 */
const matrix: string[] = [
  ...deskLists.map((list) => `x x x  GET /api/desk/${list}`),
  ...deskLists.flatMap((list) =>
    [".csv", "/count"].map((end) => `x · ·  GET /api/desk/export/${list}${end}`),
  ),
  "x x x  GET /api/desk/announcements/{id}",
  "x x x  GET /api/desk/attention",
  "x x x  GET /api/desk/customers/{id}",
  "x x x  GET /api/desk/figures/codes",
  "x x x  GET /api/desk/figures/offers",
  "x x x  GET /api/desk/figures/subscriptions",
  "x x x  GET /api/desk/figures/support",
  "x · ·  GET /api/desk/jobs/{id}/keys.csv",
  "x · ·  GET /api/desk/jobs/{id}/result.csv",
  "x x x  GET /api/desk/licences/{id}",
  "x x x  GET /api/desk/me",
  "x · ·  GET /api/desk/me/notices",
  "x x x  GET /api/desk/payments/{id}",
  "x · ·  GET /api/desk/releases/uploads",
  "x · ·  GET /api/desk/releases/uploads/{id}",
  "x · ·  GET /api/desk/sales/{month}/sales.csv",
  "x x x  GET /api/desk/subscriptions/{id}",
  "x x ·  GET /api/desk/system",
  "x x x  GET /api/desk/tickets/{id}",
  "x x x  GET /api/desk/tickets/{id}/files/{file}",
  "x · ·  GET /api/desk/webhooks/deliveries",
  "x · ·  GET /api/desk/webhooks/deliveries/{id}",
  "x · ·  GET /api/desk/webhooks/{id}",
  "x · ·  POST /api/desk/announcements/preview",
  "x · ·  POST /api/desk/announcements/test",
  "x x x  POST /api/desk/confirm",
  "x x ·  POST /api/desk/payments/resend-lost",
  "x x ·  POST /api/desk/payments/{id}/correct-email",
  "x · ·  POST /api/desk/payments/{id}/evidence",
  "x x ·  POST /api/desk/payments/{id}/refund",
  "x · ·  POST /api/desk/releases/uploads/{id}/cancel",
  "x · ·  POST /api/desk/releases/uploads/{id}/finish",
  "x · ·  POST /api/desk/replies/{id}/change",
  "x · ·  POST /api/desk/replies/{id}/remove",
  "x x x  POST /api/desk/requests",
  "x x x  POST /api/desk/requests/confirm",
  "x x x  POST /api/desk/search",
  "x · ·  POST /api/desk/system/check",
  "x · ·  PUT /api/desk/imports/{what}",
  "x · ·  PUT /api/desk/releases/uploads/{id}/parts/{part}",
  "x x ·  PUT /api/desk/tickets/{id}/files",
];

const declared: readonly Declaration[] = Object.values(operations);
const named = declared.filter(({ permission }) => permission === undefined);
const ofNamed = named.map(({ name, call }) => {
  const may: readonly string[] = permissions[name as Permission];
  return `${roles.map((role) => (may.includes(role) ? "x" : "·")).join(" ")}  ${call.replace(" ", " /api/desk/")}`;
});

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

test("every call of the desk is refused to each role that may not make it before its body is checked, and to the others for a body that is none of its own", async () => {
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
  expect(rights.toSorted()).toEqual([...matrix, ...ofNamed].toSorted());
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

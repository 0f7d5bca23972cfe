import { expect, test } from "bun:test";
import { operator } from "@/core/base/actor";
import { addStaff, removeStaff } from "@/domain/staff/staff-actions";
import { libsqlProgram, startLibsqlServer } from "../../support/network/libsql-server";
import { atDesk, type Colleague } from "../../support/people/desk";
import { openStage, type Stage } from "../../support/shop/stage";
import { codeAt, nextStep, password } from "../accounts/people";

const found = libsqlProgram();
const by = { actor: operator, reason: "a story" };

/** The same browser, at another process. */
function at(stage: Stage, { person }: Colleague) {
  const same = stage.person();
  for (const [name, value] of person.cookies) same.cookies.set(name, value);
  return same;
}

test.skipIf("missing" in found)(
  "a role, password or session that ends in one process ends the desk in the other at once",
  async () => {
    const server = await startLibsqlServer("program" in found ? found.program : "");
    try {
      await using here = await openStage({ env: { DATABASE_URL: server.url } });
      await using there = await openStage({ env: { DATABASE_URL: server.url } });
      const statusThere = async (one: Colleague) => (await at(there, one).get("/api/desk/me")).status;

      const olga = await atDesk(here, "olga", "owner");
      const [otto, sam] = [await atDesk(here, "otto", "owner"), await atDesk(here, "sam", "support")];
      // both processes know the same time
      there.advance(here.ctx.now().getTime() - there.ctx.now().getTime());
      for (const one of [olga, otto, sam]) expect(await statusThere(one)).toBe(200);

      await addStaff(here.ctx, { named: "otto", role: "viewer", mail: "on" }, by);
      expect((await at(there, otto).get("/api/desk/staff")).body).toMatchObject({ code: "forbidden" });
      await removeStaff(here.ctx, "otto", by);
      expect(await statusThere(otto)).toBe(401);

      await sam.person.post("/api/auth/logout");
      expect(await statusThere(sam)).toBe(401);

      await nextStep(here);
      const changed = await olga.person.post("/api/user/password/reset", {
        old_password: password,
        new_password: "another long enough phrase",
        security_code: codeAt(here, olga.secret),
      });
      expect(changed.status).toBe(200);
      expect(await statusThere(olga)).toBe(401);
    } finally {
      await server.stop();
    }
  },
);

import { spyOn } from "bun:test";
import type { Client, InStatement, ResultSet } from "@libsql/client";
import type { Stage } from "./stage";

type Driver = { execute(this: Client, statement: InStatement): Promise<ResultSet> };

/** Once, right after the shop has read rows of a table, does something else before the shop goes on with them. */
export function afterRead(stage: Stage, table: string, meanwhile: () => Promise<unknown>): Disposable {
  const driver = Object.getPrototypeOf(stage.ctx.store.client) as Driver;
  // oxlint-disable-next-line typescript/unbound-method -- called with its client
  const { execute } = driver;
  let isOver = false;
  return spyOn(driver, "execute").mockImplementation(async function (this: Client, statement) {
    const read = await execute.call(this, statement);
    if (!isOver && JSON.stringify(statement).includes(`from \\"${table}\\"`)) {
      isOver = true;
      await meanwhile();
    }
    return read;
  });
}

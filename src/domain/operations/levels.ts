import * as declared from "@/contract/operations/levels";
import { type LevelEffect, levelRow } from "@/contract/wire/desk/levels";
import { toWire } from "@/contract/wire/to-wire";
import type { By } from "@/core/base/actor";
import { addLevel, changeLevel, previewLevel, retireLevel } from "../offers/change-level";
import { levelShown, type LevelShown, levelsShown } from "../offers/levels-for-staff";
import { implementList, rowsAfter } from "./list";
import { implement, said, type Services } from "./operation";

/** What licences differ by besides time. */
export const levelOperations = {
  listLevels: implementList(declared.listLevels, {
    rows: async ({ ctx }, _, page, { actor }) => rowsAfter(await levelsShown(ctx, actor), page, placeOfLevel),
    place: placeOfLevel,
    wire: wireLevel,
  }),
  addLevel: implement(declared.addLevel, {
    async run({ ctx, judgeRole: judge }, _, { take_role, preview, role: roleId, ...level }, by) {
      if (preview) return previewLevel(ctx, { id: level.id, roleId, judge }, by);
      const { includes_before: includesBefore, ...others } = level;
      await addLevel(ctx, { ...others, includesBefore, roleId, judge, takesRole: take_role }, by);
      return level.id;
    },
    answer: levelOutcome,
  }),
  changeLevel: implement(declared.changeLevel, {
    async run({ ctx, judgeRole: judge }, id, { take_role, preview, ...given }, by) {
      const { role: roleId, name, place, includes_before: includesBefore, features, again } = given;
      if (preview) return previewLevel(ctx, { id, roleId, judge }, by);
      const change = said({ name, place, includesBefore, features, roleId, again });
      await changeLevel(ctx, id, { ...change, judge, takesRole: take_role }, by);
      return id;
    },
    answer: levelOutcome,
  }),
  retireLevel: implement(declared.retireLevel, {
    async run({ ctx, judgeRole: judge }, id, { preview }, by) {
      if (preview) return previewLevel(ctx, { id, judge }, by);
      await retireLevel(ctx, id, by);
      return id;
    },
    answer: levelOutcome,
  }),
};

function placeOfLevel({ id, createdAt }: LevelShown) {
  return { id, at: createdAt };
}

async function levelOutcome({ ctx }: Services, { result, by }: { result: string | LevelEffect; by: By }) {
  return typeof result === "string" ? wireLevel(await levelShown(ctx, result, by.actor)) : result;
}

function wireLevel(one: LevelShown) {
  return toWire(levelRow, { ...one, role: one.roleId });
}

import * as declared from "@/contract/operations/system";
import type { Backups } from "@/contract/wire/desk/system";
import type { By } from "@/core/base/actor";
import { serviceTried } from "../system/system";
import { type DeskServices, implement } from "./operation";

/** What only the running shop can try and make. */
export const systemOperations = {
  tryService: implement(declared.tryService, {
    run: ({ ctx, desk, tryService }, _, { service }, { actor }) =>
      serviceTried(ctx, service, { actor, trial: () => tryService(service, desk.account.email) }),
    answer: async (_, { result: findings }) => ({ findings }),
  }),
  listBackups: implement(declared.listBackups, { run: async () => null, answer: backupsShown }),
  makeBackup: implement(declared.makeBackup, {
    run: ({ backups }, _, _given, by) => backups.make(by),
    answer: backupsShown,
  }),
};

async function backupsShown({ backups }: DeskServices, { by }: { by: By }): Promise<Backups> {
  const { backups: kept, ...shown } = await backups.list(by.actor);
  return {
    ...shown,
    rows: kept.map(({ name, made, bytes, own }) => ({ id: name, made_at: made.toISOString(), bytes, own })),
  };
}

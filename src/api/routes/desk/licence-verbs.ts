import { licenceBodies, wholeKey } from "@/contract/wire/desk/licence-operations";
import { licenceRow } from "@/contract/wire/desk/rows";
import { licenceRows } from "@/domain/desk/licences";
import { changeLicence, extendLicence, rotateKey } from "@/domain/licences/changes/change";
import { changeDevices } from "@/domain/licences/entitlement/devices";
import { expectLicence } from "@/domain/licences/keys/find";
import { revealKey } from "@/domain/licences/keys/reveal";
import { theRow } from "../../desk-row";
import type { Shop } from "../../shop";
import { verb, verbRoutes } from "./verbs";

/** /api/desk/licences/{id}: what staff can do with a licence. */
export function deskLicenceVerbs(shop: Shop) {
  const { ctx } = shop;
  const row = async (id: string) => theRow(await licenceRows(ctx, [id]));
  const changing = (change: "suspend" | "reinstate" | "revoke", summary: string) =>
    verb({
      path: `/licences/{id}/${change}`,
      summary,
      operation: `licence.${change}`,
      body: licenceBodies[change],
      data: licenceRow,
      async act({ id, by }) {
        await changeLicence(ctx, await expectLicence(ctx, id), change, by);
        return row(id);
      },
    });
  return verbRoutes(shop, [
    changing("suspend", "Suspend a licence until it is reinstated"),
    changing("reinstate", "Reinstate a suspended licence"),
    changing("revoke", "Revoke a licence for good"),
    verb({
      path: "/licences/{id}/extend",
      summary: "Add days to a timed licence",
      description: "Support may add at most 30 days to a licence within 30 days (`extension_cap`).",
      operation: "licence.extend",
      body: licenceBodies.extend,
      data: licenceRow,
      async act({ id, body: { days }, by }) {
        await extendLicence(ctx, await expectLicence(ctx, id), days, by);
        return row(id);
      },
    }),
    verb({
      path: "/licences/{id}/devices",
      summary: "Change on how many computers at a time a licence may be used",
      operation: "licence.change_devices",
      body: licenceBodies.devices,
      data: licenceRow,
      async act({ id, body: { number }, by }) {
        await changeDevices(ctx, await expectLicence(ctx, id), number, by);
        return row(id);
      },
    }),
    verb({
      path: "/licences/{id}/rotate",
      summary: "Give a licence a new key; the old one stops working at once",
      operation: "licence.rotate_key",
      body: licenceBodies.rotate,
      data: licenceRow,
      async act({ id, by }) {
        await rotateKey(ctx, await expectLicence(ctx, id), by);
        return row(id);
      },
    }),
    verb({
      path: "/licences/{id}/key",
      summary: "Show a licence's whole key; the log records who saw it",
      description: "Needs a fresh code (`confirm`).",
      operation: "licence.reveal_key",
      body: licenceBodies.key,
      data: wholeKey,
      act: async ({ id, by }) => ({ key: await revealKey(ctx, await expectLicence(ctx, id), by) }),
    }),
  ]);
}

import { Command, InvalidArgumentError } from "commander";
import { deviceState } from "@/contract/vocabulary/devices";
import { deviceWords, lowerWord } from "@/contract/vocabulary/state-words";
import { deviceLabel } from "@/contract/wire/own-devices";
import { operator } from "@/core/base/actor";
import { type Ctx, typedId } from "@/core/database/context";
import { accountNamed } from "@/domain/customers/find";
import { expectDevice, seatsForStaff } from "@/domain/devices/list";
import type { KeptDevice } from "@/domain/devices/seats";
import { unbindDevice } from "@/domain/devices/remove";
import { renameDevice } from "@/domain/devices/rename";
import { typedOrPiped } from "../terminal/arguments";
import {
  byOperator,
  print,
  withJson,
  withReason,
  withShop,
  type ChangeOptions,
} from "../terminal/command-line";
import { counted, stamp, table } from "../terminal/table";

const withDevice = (command: Command): Command =>
  command
    .argument("<account>", "an account's id, name, email or key")
    .argument("<device>", "the computer's id in the list", typedId);

/** `shop devices …` */
export function deviceCommand(): Command {
  const noun = new Command("devices").description("the computers that accounts keep");
  withJson(noun.command("list <account>"), "devices list ada")
    .description("an account's computers, last seen first, and how many it may have")
    .action((typed: string, { json }: { json?: boolean }) =>
      withShop(async ({ ctx }) => list(ctx, await typedOrPiped(typed), json)),
    );
  withReason(
    withDevice(noun.command("remove")),
    'devices remove ada 0197f3a0-0000-7000-8000-000000000000 --reason "stolen, ticket 12"',
  )
    .description("remove a computer by its id; this ignores its owner's 30 days and doesn't start them")
    .action((typed: string, device: string, { reason, json }: ChangeOptions) =>
      withShop(async ({ ctx }) => {
        const { id, username } = await accountNamed(ctx, await typedOrPiped(typed));
        const { label } = await expectDevice(ctx, id, device);
        await unbindDevice(ctx, id, byOperator(reason), device);
        print(json, { id: device }, `${label} is removed; ${username} can activate another computer.`);
      }),
    );
  withReason(
    withDevice(noun.command("rename")),
    'devices rename ada 0197f3a0-0000-7000-8000-000000000000 Studio --reason "ticket 12"',
  )
    .argument("<label>", "its new name")
    .description("name a computer; activating no longer changes its name")
    .action((typed: string, device: string, name: string, { reason, json }: ChangeOptions) =>
      withShop(async ({ ctx }) => {
        const label = readLabel(name);
        const { id } = await accountNamed(ctx, await typedOrPiped(typed));
        await renameDevice(ctx, { accountId: id, id: device, label }, byOperator(reason));
        print(json, { id: device, label }, `The computer is now named ${label}.`);
      }),
    );
  return noun;
}

async function list(ctx: Ctx, typed: string, json: boolean | undefined): Promise<void> {
  const { id } = await accountNamed(ctx, typed);
  const { seats, devices } = await seatsForStaff(ctx, operator, id);
  const rows = devices.map(row);
  const head = `${counted(devices.length, "computer")} of ${counted(seats, "seat")}\n`;
  const cells = rows.map((one) => [
    one.id,
    one.label,
    one.os,
    one.version,
    lowerWord(deviceWords[deviceState(one, ctx.now())]),
    stamp(one.last_seen),
    stamp(one.removable_at),
  ]);
  const shown = table(["id", "name", "system", "version", "state", "last seen", "removable from"], cells);
  print(
    json,
    { used: devices.length, places: seats, devices: rows },
    `${head}${rows.length > 0 ? shown : ""}`.trimEnd(),
  );
}

const row = (device: KeptDevice) => ({
  id: device.id,
  label: device.label,
  os: device.os,
  version: device.version,
  active: device.active,
  first_seen: device.firstSeenAt,
  last_seen: device.lastSeenAt,
  deactivated_at: device.deactivatedAt,
  removable_at: device.removableAt,
  offline_until: device.offlineUntil,
});

function readLabel(typed: string): string {
  const read = deviceLabel.safeParse(typed);
  if (!read.success) throw new InvalidArgumentError("A name has 1 to 64 characters.");
  return read.data;
}

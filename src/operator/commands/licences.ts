import { Command, InvalidArgumentError } from "commander";
import { maxDevices } from "@/contract/vocabulary/devices";
import type { Ctx } from "@/core/database/context";
import { keyOf } from "@/domain/licences/keys/issue";
import { maskKey } from "@/domain/licences/keys/keys";
import { auditTrail } from "@/core/database/audit";
import { accountNamed } from "@/domain/customers/find";
import { changeLicence } from "@/domain/licences/changes/change";
import { changeDevices } from "@/domain/licences/changes/staff-terms";
import { licenceNamed } from "@/domain/licences/keys/find";
import { handOut, handOutMany } from "@/domain/licences/keys/hand-out";
import { statusOf } from "@/domain/licences/entitlement/entitlement";
import { licenceOperations } from "@/domain/operations/licences";
import { isBilled } from "@/domain/payments/reading/subscriptions";
import type { Licence } from "@/domain/schema/licences";
import { bulkVerb } from "./jobs";
import {
  withShop,
  byOperator,
  print,
  withJson,
  withReason,
  type ChangeOptions,
} from "../terminal/command-line";
import { offlineFileVerb } from "./offline-file";
import { addOperation, subjects } from "../terminal/operation-command";
import { progressBar } from "../terminal/progress";
import { counted, facts, stamp, table } from "../terminal/table";
import { typedOrPiped, upTo, withTerms } from "../terminal/arguments";
import { OutputFailed, writeOut } from "../terminal/output";
import { maxBatchSize } from "@/contract/vocabulary/bounds";

type BatchOptions = ChangeOptions & { days?: number | null; devices: number; level?: string };

const which = subjects.licence.about;

/** `shop licences …` */
export function licenceCommand(): Command {
  const noun = new Command("licences").description("licence keys and their state");
  withTerms(withReason(noun.command("issue"), 'licences issue --days 30 --devices 2 --reason "a giveaway"'))
    .description("make one licence without a payment and print its key")
    .action(({ days = null, devices, level, reason, json }: BatchOptions) =>
      withShop(async ({ ctx }) => {
        const key = await handOut(ctx, { days, devices, level }, byOperator(reason));
        print(json, { key, days, devices }, key);
      }),
    );
  withTerms(
    withReason(noun.command("batch"), 'licences batch 100 --days 30 --reason "for the magazine" > keys.csv'),
  )
    .argument("<count>", "how many", upTo(maxBatchSize))
    .description("make many licences and print them as CSV (key,days)")
    .action(batch);
  withJson(
    noun.command("show <licence>"),
    "licences show WISP-••••-••••-••••-7K2M",
    "licences show - < key.txt",
  )
    .description(`a licence and its history; ${which}`)
    .option("--reveal", "print the whole key")
    .action((typed: string, { reveal, json }: { reveal?: boolean; json?: boolean }) =>
      withShop(async ({ ctx }) => {
        const licence = await licenceNamed(ctx, await typedOrPiped(typed));
        const output = await describe(ctx, licence, reveal ?? false);
        print(json, output, inLines(output));
      }),
    );
  addOperation(noun, licenceOperations.suspendLicence, {
    description: "suspend a licence until it is reinstated",
    examples: ['licences suspend - --reason "ticket 12" < key.txt'],
    async output({ subject: licence }, { ctx }) {
      const { data, sentence } = await statusNow(ctx, licence);
      const also = (await isBilled(ctx, licence))
        ? " Its subscription continues: it renews and is charged as before."
        : "";
      return { data, sentence: `${sentence}${also}` };
    },
  });
  addOperation(noun, licenceOperations.reinstateLicence, {
    description: "reinstate a suspended licence",
    examples: ['licences reinstate - --reason "ticket 12" < key.txt'],
    output: ({ subject }, { ctx }) => statusNow(ctx, subject),
  });
  addOperation(noun, licenceOperations.revokeLicence, {
    description: "revoke a licence for good",
    examples: ['licences revoke - --reason "ticket 12" < key.txt'],
    output: ({ subject }, { ctx }) => statusNow(ctx, subject),
  });
  addOperation(noun, licenceOperations.extendLicence, {
    description:
      "add days to a timed licence; they begin when all time of its account is over, and fall with it",
    examples: ['licences extend - 14 --reason "the outage in May" < key.txt'],
    output({ result: until, subject: { id }, given: { days } }) {
      const ends = until ? `It now ends on ${stamp(until)}.` : "It starts when the key is redeemed.";
      return { data: { id, expires_at: until }, sentence: `Added ${counted(days, "day")}. ${ends}` };
    },
  });
  withReason(
    noun.command("devices").option("--offer", "as many as its offer says, and no longer what staff set"),
    'licences devices - 5 --reason "a team, ticket 12" < key.txt',
  )
    .argument("<licence>", which)
    .argument("[number]", "how many", upTo(maxDevices))
    .description("change on how many computers at a time a licence may be used")
    .action(
      (
        typed: string,
        number: number | undefined,
        { offer, reason, json }: ChangeOptions & { offer?: true },
      ) =>
        withShop(async ({ ctx }) => {
          if ((number === undefined) === (offer === undefined))
            throw new InvalidArgumentError("Give either a number or --offer.");
          const licence = await licenceNamed(ctx, await typedOrPiped(typed));
          const devices = await changeDevices(ctx, licence, number ?? "offer", byOperator(reason));
          const now = `The licence ${licence.id} is now for ${counted(devices, "computer")}.`;
          print(json, { id: licence.id, devices }, now);
        }),
    );
  addOperation(noun, licenceOperations.changeLicenceLevel, {
    description: "give a licence another level; its key, its computers and its time stay",
    examples: [
      'licences change-level - --level team --reason "ticket 12" < key.txt',
      'licences change-level - --offer --reason "ticket 12" < key.txt',
    ],
    fields: {
      level: { flags: "--level <id>", about: "the level's id" },
      offer:
        "the level that it was sold as, or that its subscription's price gives, and no longer what staff set",
    },
    output: ({ result: level, subject: { id } }) => ({
      data: { id, level },
      sentence: `The licence ${id} now has the level ${level}.`,
    }),
  });
  addOperation(noun, licenceOperations.rotateLicenceKey, {
    description:
      "give a licence a new key, if the old one leaked, and print it; the old key stops working right away",
    examples: ['licences rotate - --reason "posted in a forum" < key.txt'],
    output: ({ result: key, subject: { id } }) => ({ data: { id, key }, sentence: key }),
  });
  noun.addCommand(offlineFileVerb());
  noun.addCommand(bulkVerb());
  return noun;
}

async function statusNow(ctx: Ctx, { id }: Licence) {
  const status = statusOf(ctx, await licenceNamed(ctx, id));
  return { data: { id, status }, sentence: `The licence ${id} is now ${status}.` };
}

/** Prints the keys of each commit once they are on disk, so that a million keys need no memory. */
async function batch(
  count: number,
  { days = null, devices, level, reason, json }: BatchOptions,
): Promise<void> {
  await withShop(async ({ ctx }) => {
    let printed = 0;
    const by = byOperator(reason);
    // when keys are printed to the terminal, they show the progress themselves
    const bar = progressBar("Making keys", json || process.stdout.isTTY);
    const inText = (keys: string[]) => {
      if (!json) return keys.map((key) => `${key},${days ?? ""}\n`).join("");
      return (printed > 0 ? "," : "") + keys.map((key) => JSON.stringify(key)).join(",");
    };
    await writeOut(json ? '{"keys":[' : "key,days\n");
    for await (const keys of handOutMany(ctx, { count, days, devices, level }, by)) {
      await writeOut(inText(keys)).catch((error: unknown) => withdraw(ctx, { keys, printed }, error));
      printed += keys.length;
      bar.at(printed, count);
    }
    bar.end();
    if (json) await writeOut(`],"days":${days},"devices":${devices}}\n`);
  });
}

/** Revokes keys that the output does not show, so that no valid key is unknown. */
async function withdraw(ctx: Ctx, { keys, printed }: { keys: string[]; printed: number }, error: unknown) {
  for (const key of keys) {
    const licence = await licenceNamed(ctx, key);
    await changeLicence(ctx, licence, "revoke", byOperator("its key could not be printed"));
  }
  const message = error instanceof Error ? error.message : "";
  throw new OutputFailed(
    `${message} The first ${counted(printed, "key")} were made and printed; any after them don't work.`,
  );
}

async function describe(ctx: Ctx, licence: Licence, reveal: boolean) {
  const key = keyOf(ctx, licence);
  const history = await auditTrail(ctx, { about: licence.id, limit: 50 });
  return {
    id: licence.id,
    key: reveal ? key : maskKey(key),
    status: statusOf(ctx, licence),
    type: licence.level,
    days: licence.days,
    account: licence.accountId,
    username: licence.accountId && (await accountNamed(ctx, licence.accountId)).username,
    payment: licence.paymentId,
    created_at: licence.createdAt,
    redeemed_at: licence.redeemedAt,
    expires_at: licence.expiresAt,
    history: history.map(({ at, actor, action, reason }) => ({ at, actor, action, reason })),
  };
}

function inLines({ history, ...output }: Awaited<ReturnType<typeof describe>>): string {
  const lines = Object.entries(output).map(([name, value]) => [
    name.replaceAll("_", " "),
    value instanceof Date ? stamp(value) : value,
  ]);
  const events = history.map(({ at, actor, action, reason }) => [stamp(at), actor, action, reason]);
  return `${facts(lines)}\n\n${table(["when", "who", "what", "why"], events)}`;
}

import { Command } from "commander";
import { ConfigError } from "@/core/settings/config";
import type { Ctx } from "@/core/database/context";
import { rotationOf } from "@/core/database/open-secrets";
import { countUnderOld, rotateSecrets } from "@/domain/secrets/rotate";
import {
  byOperator,
  print,
  withJson,
  withReason,
  withShop,
  type ChangeOptions,
} from "../terminal/command-line";
import { progressBar } from "../terminal/progress";
import { counted, stamp } from "../terminal/table";

/** `shop secrets …` */
export function secretCommand(): Command {
  const noun = new Command("secrets").description("SECRET_KEY, and its replacement after it leaked");
  withJson(noun.command("show"), "secrets show")
    .description("how much is still encrypted with SECRET_KEY_OLD")
    .action(({ json }: { json?: boolean }) =>
      withShop(async ({ ctx }) => {
        const { sentence, ...output } = await secretsInWords(ctx);
        print(json, output, sentence);
      }),
    );
  withReason(noun.command("rotate"), 'secrets rotate --reason "the settings were copied from the old host"')
    .description("re-encrypt everything with SECRET_KEY, and replace sold keys that nobody has redeemed")
    .action(rotate);
  return noun;
}

/** How far the replacement of SECRET_KEY is. */
export async function secretsInWords(ctx: Ctx) {
  const rotation = await rotationOf(ctx.store);
  const left = await countUnderOld(ctx);
  if (rotation && rotation.finishedAt === null) {
    const sentence = `${counted(left, "value")} ${left === 1 ? "is" : "are"} still encrypted with SECRET_KEY_OLD: run shop secrets rotate.`;
    return { state: "rotating" as const, left, sentence };
  }
  const since = rotation?.finishedAt ? ` since ${stamp(new Date(rotation.finishedAt))}` : "";
  return { state: "current" as const, left, sentence: `Everything is encrypted with SECRET_KEY${since}.` };
}

const nothingToReplace =
  "The setting SECRET_KEY_OLD is missing, so there is nothing to replace: set it to the secret in use and SECRET_KEY to a new one, start the shop, and run this again.";

async function rotate({ reason, json }: ChangeOptions): Promise<void> {
  await withShop(async ({ ctx, config }) => {
    if (!config.secretKeyOld) throw new ConfigError(nothingToReplace);
    const bar = progressBar("Re-encrypting", json);
    const output = await rotateSecrets(ctx, byOperator(reason), bar.at).finally(bar.end);
    const { resealed, reissued, unaddressed, withheld } = output;
    const done = `${counted(resealed, "value")} re-encrypted; ${counted(reissued, "unredeemed key")} replaced.`;
    const lost = unaddressed.map(
      (id) => `\nNo address is known for the licence ${id}: its buyer was not notified.`,
    );
    if (withheld.length > 0) {
      const names = withheld.join(", ");
      lost.push(
        `\nNot mailed, because the licence is revoked, refunded, disputed or suspended: ${names}. A dispute that is won mails its key; after shop licences reinstate, run shop payments resend.`,
      );
    }
    const next = config.secretKeyOld
      ? "\nSECRET_KEY_OLD is no longer needed: take it out of the settings and start the shop again."
      : "";
    print(json, output, `${done}${lost.join("")}${next}`);
  });
}

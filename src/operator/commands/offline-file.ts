import { Command } from "commander";
import { readOfflineRequest } from "@/contract/wire/offline-files";
import { Refusal } from "@/core/base/refusal";
import { makeOfflineFile } from "@/domain/application/offline-file";
import { licenceNamed } from "@/domain/licences/keys/find";
import { typedOrPiped } from "../terminal/arguments";
import { byOperator, print, withReason, withShop, type ChangeOptions } from "../terminal/command-line";

/** `shop licences offline-file` */
export const offlineFileVerb = () =>
  withReason(
    new Command("offline-file"),
    'licences offline-file WISP-••••-••••-••••-7K2M - --reason "ticket 12" < request.txt',
  )
    .description(
      "print the licence file of a computer that is never online; the computer takes a seat of the licence's account",
    )
    .argument("<licence>", "a licence's id, or its key (whole or masked)")
    .argument("<request>", "what the application shows there, or - to read that from standard input")
    .action((typed: string, shown: string, { reason, json }: ChangeOptions) =>
      withShop(async ({ ctx, config }) => {
        const { accountId } = await licenceNamed(ctx, typed);
        const request = readOfflineRequest(await typedOrPiped(shown));
        if (!request) throw new Refusal("invalid_field", { sentence: notShown });
        if (accountId === null) throw new Refusal("license_required", { sentence: notRedeemed });
        const { publicUrl, offlineDays: days } = config;
        const making = { accountId, request, issuer: publicUrl.origin, days };
        const { file, computer, until } = await makeOfflineFile(ctx, making, byOperator(reason));
        print(json, { computer, until, file }, file.trimEnd());
      }),
    );

const notShown = "That is not a request that the application shows.";
const notRedeemed = "That licence was not redeemed yet, so no account can have the computer.";

import { Command } from "commander";
import { withShop, print, withJson } from "../terminal/command-line";
import { paint } from "../terminal/colours";
import { examine } from "./examine";

const marks = {
  well: () => paint("green", "ok     "),
  warning: () => paint("yellow", "look at"),
  wrong: () => paint(["red", "bold"], "WRONG  "),
  unknown: () => paint("dim", "unknown"),
} as const;

/** `shop doctor` */
export const doctorVerb = (): Command =>
  withJson(new Command("doctor"), "doctor")
    .description("check that the shop can sell: settings, database, Stripe, mail, Discord, backups")
    .action(({ json }: { json?: boolean }) =>
      // opening the shop has already refused wrong settings, a damaged database or the wrong secret
      withShop(
        async (shop) => {
          const findings = await examine(shop);
          if (findings.some(({ state }) => state === "wrong")) process.exitCode = 3;
          const lines = findings.map(
            ({ what, state, sentence }) => `${marks[state]()}  ${what}: ${sentence}`,
          );
          print(json, findings, lines.join("\n"));
        },
        { check: true },
      ),
    );

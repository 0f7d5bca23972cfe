import { Command, Option } from "commander";
import { changeLevel } from "@/contract/operations/levels";
import { heldText, holdersText, roleEffectText } from "@/contract/vocabulary/level-words";
import type { LevelEffect } from "@/contract/wire/desk/levels";
import { operator } from "@/core/base/actor";
import { featureLabel } from "@/brand/feature-label";
import { levelShown, type LevelShown, levelsShown } from "@/domain/offers/levels-for-staff";
import { levelOperations } from "@/domain/operations/levels";
import type { Services } from "@/domain/operations/operation";
import { readerOf } from "../terminal/arguments";
import { print, withJson, withShop } from "../terminal/command-line";
import { addOperation } from "../terminal/operation-command";
import { stamp, table } from "../terminal/table";

const readRole = readerOf(changeLevel.fields.role);
const preview = "only say whom it concerns";
const shared = {
  name: "the name that people see",
  features: {
    flags: "--features <words>",
    about: "what the application asks for, with commas between, such as export,api",
  },
  role: {
    flags: "--role <id>",
    about: "the id of the Discord role that it gives, or none",
    read: (typed: string) => (typed === "none" ? null : readRole(typed)),
  },
  place: "its place in the order, from 1, the lowest",
  take_role: "although members who have the role would lose it",
  preview,
};
const subject = { about: "the level's id" };

/** `shop levels …` */
export function levelCommand(): Command {
  const noun = new Command("levels").description(
    "what licences differ by besides time, such as Pro and Team",
  );
  withJson(noun.command("list"), "levels list")
    .description("every level, the lowest first, and how many hold it")
    .action(({ json }: { json?: boolean }) =>
      withShop(async ({ ctx }) => {
        const all = await levelsShown(ctx, operator);
        print(json, all, table(columns, all.map(cellsOf)));
      }),
    );
  addOperation(noun, levelOperations.addLevel, {
    description: "add a level that offers can sell, above the others unless it has a place",
    examples: ['levels add team --name Team --features export,api --reason "for companies"'],
    fields: {
      id: "lowercase letters, digits and dashes",
      ...shared,
      includes_before: { flags: "--no-includes-before", about: "it doesn't include the level before it" },
    },
    output: outcome,
  });
  addOperation(noun, levelOperations.changeLevel, {
    description: "change a level for everyone who has it",
    examples: [
      'levels change team --features export,api,sync --reason "the new release"',
      'levels change team --role 123456789012345678 --take-role --reason "a role of its own"',
    ],
    fields: {
      ...shared,
      includes_before: "it includes the level before it",
      again: "of a retired level: offers can sell it again",
    },
    options: [new Option("--no-includes-before", "it doesn't")],
    subject,
    output: outcome,
  });
  addOperation(noun, levelOperations.retireLevel, {
    description: "take a level and its offers off sale; whoever has it keeps it",
    examples: ['levels retire team --reason "nobody bought it"'],
    fields: { preview },
    subject,
    output: outcome,
  });
  return noun;
}

async function outcome({ result }: { result: string | LevelEffect }, { ctx }: Services) {
  if (typeof result !== "string") {
    const sentence = [heldText(result), result.role && roleEffectText(result.role)].filter(Boolean).join(" ");
    return { data: result, sentence };
  }
  const level = await levelShown(ctx, result, operator);
  const { name, contains, retiredAt } = level;
  const state = retiredAt ? `was retired ${stamp(retiredAt)}` : "can be sold";
  const above = contains.length > 0 ? `, and includes ${contains.join(", ")}` : "";
  return { data: level, sentence: `${result} is called ${name}, ${state}${above}.` };
}

const columns = ["id", "name", "contains", "features", "role", "held by", "state"];

const cellsOf = (level: LevelShown) => [
  level.id,
  level.name,
  level.contains.join(", "),
  level.features.map(featureLabel).join(", "),
  level.roleId ?? "",
  holdersText(level.accounts, "account"),
  level.fromOrder ? "made from an order" : level.retiredAt ? `retired ${stamp(level.retiredAt)}` : "",
];

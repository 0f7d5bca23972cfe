import { describe, expect, test } from "bun:test";
import { type Command, InvalidArgumentError } from "commander";
import { operations } from "@/contract/operations/all";
import type { Declaration } from "@/contract/operations/operation";
import { shopProgram } from "@/operator/program";

const program = shopProgram();
const offered = Object.values<Declaration>(operations).flatMap((declared) =>
  declared.command === undefined ? [] : [{ declared, way: declared.command.split(" ") }],
);

function commandOf([noun, verb]: string[]): Command | undefined {
  const found = program.commands.find((one) => one.name() === noun);
  return found?.commands.find((one) => one.name() === verb);
}

test("every operation that declares a command has it, with its arguments and its reason", () => {
  expect(offered.length).toBeGreaterThan(40);
  for (const { declared, way } of offered) {
    const command = commandOf(way);
    const reason = command?.options.find(({ long }) => long === "--reason");
    expect({
      way,
      arguments: command?.registeredArguments.length,
      reason: reason && (reason.mandatory ? "required" : "optional"),
    }).toEqual({ way, arguments: way.length - 2, reason: declared.reason });
  }
});

/** What each argument and option of a command says to a text: nothing, or what is wrong. */
const answersTo = (command: Command, typed: string): (string | null)[] =>
  [...command.registeredArguments, ...command.options].flatMap(({ parseArg }) => {
    if (!parseArg) return [];
    try {
      parseArg(typed, undefined as never);
      return [null];
    } catch (error) {
      return [error instanceof InvalidArgumentError ? error.message : String(error)];
    }
  });

describe("a number's bounds are those of its field", () => {
  for (const { declared, way } of offered) {
    for (const [name, field] of Object.entries(declared.fields ?? {})) {
      if (field.kind !== "whole") continue;
      test(`${way.slice(0, 2).join(" ")}: ${name}`, () => {
        const command = commandOf(way)!;
        const bounds = [field.least, field.most].map((bound) => bound.toLocaleString("en-US"));
        const mistake = `It must be a whole number from ${bounds.join(" to ")}.`;
        for (const wrong of [field.least - 1, field.most + 1, field.most + 0.5, "many"])
          expect(answersTo(command, String(wrong))).toContain(mistake);
        for (const right of [field.least, field.most])
          expect(answersTo(command, String(right))).not.toContain(mistake);
      });
    }
  }
});

test("a reason has 3 to 300 characters on one line", () => {
  const reason = commandOf(["licences", "revoke"])?.options.find(({ long }) => long === "--reason");
  const said = (typed: string): unknown => reason?.parseArg?.(typed, undefined as never);
  expect(said(" ticket\n12 ")).toBe("ticket 12");
  expect(said("n".repeat(300))).toHaveLength(300);
  for (const wrong of ["", "no", "n".repeat(301)]) expect(() => said(wrong)).toThrow("3 to 300 characters");
});

import { expect, test } from "bun:test";
import type { Command } from "commander";
import { operations } from "@/contract/operations/all";
import type { Declaration } from "@/contract/operations/operation";
import { shopProgram } from "@/operator/program";

/** Every runnable command, as it is typed. */
function verbsOf(command: Command, way: string[] = []): [string, Command][] {
  const own = command.commands.flatMap((one) => verbsOf(one, [...way, one.name()]));
  return command.commands.length === 0 ? [[way.join(" "), command]] : own;
}
const verbs = verbsOf(shopProgram());

/** Commands that change nothing in the shop, and so need no reason. */
const readers: Record<string, string> = {
  "licences show": "reads",
  "accounts show": "reads",
  "accounts export": "reads",
  "payments show": "reads",
  "payments find": "reads",
  "subscriptions list": "reads",
  "subscriptions show": "reads",
  "payments evidence": "reads; needs one with --submit",
  "links show": "reads",
  "codes list": "reads",
  "devices list": "reads",
  "levels list": "reads",
  "offers list": "reads",
  "blocks list": "reads",
  "announce list": "reads",
  "announce status": "reads",
  "releases list": "reads",
  "changelog list": "reads",
  "builds sign": "writes beside the builds, not in the shop",
  "builds key": "reads",
  "keys list": "reads",
  "staff list": "reads",
  "jobs show": "reads",
  "replies list": "reads",
  "webhooks list": "reads",
  "webhooks show": "reads",
  "webhooks deliveries": "reads",
  "tickets list": "reads",
  "tickets show": "reads",
  "tickets answer": "the ticket keeps what it says",
  "outbox list": "reads",
  "mail retry": "sends what is due already; a reason may be given",
  "audit show": "reads",
  "stats show": "reads",
  backup: "copies; scheduled ones have nobody to ask",
  backups: "reads",
  doctor: "reads",
  "secrets show": "reads",
  "stripe endpoint": "reads; with --new it asks for one itself",
  "brand new": "makes a folder beside the shop",
  "brand check": "reads",
  "brand export": "reads",
  "brand import": "writes that folder, which the next start reads",
  setup: "asks, and writes what the next start reads",
  "settings list": "reads",
  "settings set": "writes a file beside the shop, which it reads at the next start",
  "settings unset": "writes that file",
  "settings export": "copies that file",
};

/** Commands that change something, and can be given a reason. */
const optional = [
  ...Object.values(operations as Record<string, Declaration>).flatMap(({ command, reason }) =>
    command && reason === "optional" ? command.replace(/ <.*/, "") : [],
  ),
  "payments sync",
  "subscriptions sync",
  "offers change",
  "announce send",
  "releases publish",
];

function helpOf(command: Command): string {
  let help = "";
  command.configureOutput({ writeOut: (text) => void (help += text) });
  command.outputHelp();
  return help;
}

test("every command answers in JSON", () => {
  expect(verbs.length).toBeGreaterThan(30);
  const without = verbs.filter(([, verb]) => !verb.options.some(({ long }) => long === "--json"));
  expect(without.map(([way]) => way)).toEqual([]);
});

test("every command that changes something takes a reason and most need one, and no other asks for one", () => {
  const asking = verbs.filter(([, verb]) =>
    verb.options.some(({ long, mandatory }) => long === "--reason" && mandatory),
  );
  const all = new Set(verbs.map(([way]) => way));
  for (const way of Object.keys(readers)) expect(all).toContain(way);
  expect(asking.map(([way]) => way).toSorted()).toEqual(
    [...all].filter((way) => !(way in readers) && !optional.includes(way)).toSorted(),
  );
});

test("every command, option and argument has a description, and the help lists the exit codes", () => {
  for (const [way, verb] of verbs) {
    expect(`${way}: ${verb.description()}`).not.toBe(`${way}: `);
    for (const { flags, description } of verb.options)
      expect(`${way} ${flags}: ${description}`).not.toEndWith(": ");
    const help = helpOf(verb);
    expect(`${way}\n${help}`).toContain("Exit codes: 0 done, 1 refused");
  }
});

test("every command has an example that it accepts", () => {
  for (const [way, verb] of verbs) {
    const [, example = ""] = helpOf(verb).split("Example:\n");
    const lines = example.split("\n").filter((line) => line.startsWith("  bun run shop "));
    expect(`${way} has ${lines.length > 0 ? "an" : "no"} example`).toBe(`${way} has an example`);
    for (const line of lines) {
      const command = line.slice("  bun run shop ".length).replace(/ [<>] \S+$/, "");
      expect(`${command} `).toStartWith(`${way} `);
      const words = (command.slice(way.length).match(/"[^"]*"|\S+/g) ?? []).map((word) =>
        word.replaceAll('"', ""),
      );
      const { operands, unknown } = verb.parseOptions(words);
      expect({ command, unknown }).toEqual({ command, unknown: [] });
      const wanted = verb.registeredArguments.filter(({ required }) => required).length;
      expect(operands.length).toBeGreaterThanOrEqual(wanted);
      expect(operands.length).toBeLessThanOrEqual(verb.registeredArguments.length);
      if (!(way in readers)) expect(command).toContain("--reason");
    }
  }
});

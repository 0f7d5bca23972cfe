import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeSettingsFile } from "@/core/settings/settings-file";
import { makeBrand } from "@/operator/files/brand-folder";
import type { Setup } from "@/operator/setup/steps/state";
import { answerOf, type Choice, complaint, type Question, type Ui, wordsOf } from "@/operator/setup/ui/ui";

/** Answers of a person by the questions' names, each in its order; what isn't named is taken as proposed. */
type Script = Record<string, string | string[]>;

/** Whoever is asked more often than this is asked in vain. */
const mostOften = 5;

/** A person who answers by a script, and everything that they were asked and told. */
export function scriptedUi(script: Script, whileWaiting: (() => Promise<unknown>)[] = []) {
  const left = new Map(Object.entries(script).map(([name, answer]) => [name, [answer].flat()]));
  const asked: string[] = [];
  const said: string[] = [];
  const next = (name: string, proposal: string | undefined): string => {
    asked.push(name);
    const answer = left.get(name)?.shift() ?? proposal;
    if (answer === undefined || asked.filter((one) => one === name).length > mostOften)
      throw new Error(`nobody answers ${name}; so far:\n${said.join("\n")}`);
    return answer;
  };
  const ui: Ui = {
    isTerminal: true,
    async ask(question: Question) {
      if (question.optional !== undefined) said.push(wordsOf(question));
      for (;;) {
        const { name, proposal, optional } = question;
        const answer = answerOf(question, next(name, proposal || (optional && "")));
        const why = complaint(question, answer);
        if (why === null) return answer;
        said.push(why);
      }
    },
    choose: async <T extends string>({ name, options, proposal }: Choice<T>) => {
      said.push(options.map(({ label }) => label).join(" | "));
      const answer = next(name, proposal);
      const found = options.find(({ value, label }) => value === answer || label === answer);
      if (!found) throw new Error(`${name} has no ${answer}`);
      return found.value;
    },
    confirm: async ({ name, asks, proposal }) => {
      said.push(asks);
      return next(name, proposal ? "yes" : "no") === "yes";
    },
    async wait(until) {
      said.push(until);
      const act = whileWaiting.shift();
      if (!act) throw new Error(`nobody does: ${until}`);
      await act();
      return true;
    },
    refuse: (why) => void said.push(why),
    work: async (_, act) => act(),
    step: () => {},
    proved: (sentence) => void said.push(sentence),
    untested: (sentence) => void said.push(`Untested: ${sentence}`),
    note: (text, toCopy) => void said.push(toCopy === undefined ? text : `${text}\n${toCopy}`),
    async reveal(lines, act) {
      said.push(...lines);
      await act();
    },
  };
  return { ui, asked, said };
}

/** A shop whose first step and keys are set up, for the steps that come after. */
export function startedSetup(settings: Record<string, string> = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), "latchkey-steps-"));
  const file = {
    PUBLIC_URL: "http://127.0.0.1:3999",
    OWNER_EMAIL: "olga@example.com",
    SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
    ...settings,
  };
  writeSettingsFile(dataDir, file);
  const brand = { product: "Brushwork", shortName: "Brushwork", keyPrefix: "BRUSH" };
  makeBrand(join(dataDir, "brand"), {
    ...brand,
    supportEmail: "olga@example.com",
    price: "29.00",
    seller: "Olga",
  });
  const setup: Setup = {
    ui: scriptedUi({}).ui,
    environment: { DATA_DIR: dataDir },
    dataDir,
    file,
    keep: null,
    keeps: false,
  };
  return {
    setup,
    /** Runs a step with a person's answers, and returns what they were asked and told. */
    async run(
      step: (setup: Setup) => Promise<void>,
      script: Script,
      whileWaiting: (() => Promise<unknown>)[] = [],
    ) {
      const { ui, asked, said } = scriptedUi(script, whileWaiting);
      setup.ui = ui;
      await step(setup);
      return { asked, said: said.join("\n") };
    },
    [Symbol.dispose]: () => rmSync(dataDir, { recursive: true, force: true }),
  };
}

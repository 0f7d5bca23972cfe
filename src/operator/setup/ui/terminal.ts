import {
  confirm,
  intro,
  isCancel,
  log,
  note,
  password,
  select,
  spinner,
  text,
  type Option as Shown,
} from "@clack/prompts";
import { type Choice, Left, type Question, type Ui } from "./ui";

/** Shown on a screen of its own, which leaves nothing in what can be scrolled back. */
const ownScreen = "\u001B[?1049h\u001B[H";
const formerScreen = "\u001B[?1049l";

/** Asks a person at a terminal. */
export function terminalUi(title: string): Ui {
  intro(title);
  return {
    isTerminal: true,
    ask: async (question) => (question.secret ? askUnseen(question) : askOpenly(question)),
    async choose<T extends string>({ asks, options, proposal }: Choice<T>) {
      const shown: Shown<string>[] = [...options];
      const initial = proposal === undefined ? {} : { initialValue: proposal };
      return answered(await select<string>({ message: asks, options: shown, ...initial })) as T;
    },
    confirm: async ({ asks, proposal }) => answered(await confirm({ message: asks, initialValue: proposal })),
    async wait(until) {
      answered(await text({ message: `${until} Then press Enter.` }));
      return true;
    },
    refuse: (why) => log.error(why),
    async work(what, act) {
      const shown = spinner();
      shown.start(what);
      return act().finally(() => shown.clear());
    },
    step: (name) => log.step(name),
    proved: (sentence) => log.success(sentence),
    untested: (sentence) => log.warn(`Untested: ${sentence}`),
    note(words, toCopy) {
      note(words, "", { format: (line) => line });
      if (toCopy !== undefined) console.log(`\n${toCopy}\n`);
    },
    async reveal(lines, act) {
      process.stdout.write(ownScreen);
      try {
        log.message(lines);
        await act();
      } finally {
        process.stdout.write(formerScreen);
      }
    },
  };
}

function answered<T>(answer: T): Exclude<T, symbol> {
  if (isCancel(answer)) throw new Left();
  return answer as Exclude<T, symbol>;
}

async function askOpenly({ asks, proposal = "", optional, fault }: Question): Promise<string> {
  const typed = await text({
    message: asks,
    ...(proposal === "" ? {} : { placeholder: proposal, defaultValue: proposal }),
    validate: (given) => complaint(given, { proposal, optional, fault }),
  });
  return answered(typed).trim();
}

async function askUnseen({ asks, proposal = "", optional, fault }: Question): Promise<string> {
  const typed = await password({
    message: proposal === "" ? asks : `${asks} (Enter keeps the present one)`,
    validate: (given) => complaint(given, { proposal, optional, fault }),
  });
  return answered(typed).trim() || proposal;
}

function complaint(
  given: string | undefined,
  { proposal = "", optional = false, fault }: Pick<Question, "proposal" | "optional" | "fault">,
): string | undefined {
  const typed = given?.trim() || proposal;
  if (typed === "") return optional ? undefined : "Type an answer.";
  return fault?.(typed) ?? undefined;
}

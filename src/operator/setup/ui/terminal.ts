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
import { answerOf, type Choice, complaint, Left, type Question, type Ui, wordsOf } from "./ui";

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

async function askOpenly(question: Question): Promise<string> {
  const { proposal = "" } = question;
  const typed = await text({
    message: wordsOf(question),
    ...(proposal === "" ? {} : { placeholder: proposal, defaultValue: proposal }),
    validate: (given) => complaint(question, answerOf(question, given)) ?? undefined,
  });
  return answerOf(question, answered(typed));
}

async function askUnseen(question: Question): Promise<string> {
  const asks = wordsOf(question);
  const typed = await password({
    message: question.proposal ? `${asks} (Enter keeps the present one)` : asks,
    validate: (given) => complaint(question, answerOf(question, given)) ?? undefined,
  });
  return answerOf(question, answered(typed));
}

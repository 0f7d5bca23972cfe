import { StepButton, stepLines, stepSentence } from "./next-step";
import { Copyable, Heading, Paragraph } from "./parts";
import type { LetterOf, Writing } from "./writing";

const next = "Register an account with this license key to activate it:";
const keep = "Keep this email and do not share the key: it belongs to the first account that uses it.";

export const gift: Writing<"gift"> = {
  subject: ({ productName }) => `A gift for you: ${productName}`,
  preview: () => "The license key is inside.",
  body: (letter) => (
    <>
      <Heading>A gift for you</Heading>
      <Paragraph>{given(letter)}</Paragraph>
      {letter.message?.split("\n").map((line, at) => (
        <Paragraph key={at}>{line}</Paragraph>
      ))}
      <Paragraph>{stepSentence(letter, next)}</Paragraph>
      <Copyable>{letter.key}</Copyable>
      <StepButton next={letter} />
      <Paragraph quiet>{keep}</Paragraph>
    </>
  ),
  text: (letter) => [
    "A gift for you",
    given(letter),
    ...(letter.message ? [letter.message] : []),
    stepSentence(letter, next),
    `    ${letter.key}`,
    ...stepLines(letter),
    keep,
  ],
};

const given = ({ from, productName }: LetterOf<"gift">) => `${from ?? "Somebody"} gives you ${productName}.`;

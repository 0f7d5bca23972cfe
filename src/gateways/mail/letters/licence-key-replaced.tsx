import { StepButton, stepLines, stepSentence } from "./next-step";
import { Copyable, Heading, Paragraph } from "./parts";
import type { Writing } from "./writing";

const intro = (productName: string) =>
  `As a precaution we replaced every ${productName} license key that was not in use yet. The key in our earlier mail no longer works. This one takes its place:`;
const unchanged = "Nothing else about your purchase has changed.";
const next = "Register an account with the new key whenever you like.";

export const licenceKeyReplaced: Writing<"licence-key-replaced"> = {
  subject: ({ productName }) => `Your new ${productName} license key`,
  preview: () => "Your earlier key no longer works; the new one is inside.",
  body: (letter) => (
    <>
      <Heading>Your new license key</Heading>
      <Paragraph>{intro(letter.productName)}</Paragraph>
      <Copyable>{letter.key}</Copyable>
      <Paragraph>{`${unchanged} ${stepSentence(letter, next)}`}</Paragraph>
      <StepButton next={letter} />
    </>
  ),
  text: (letter) => [
    "Your new license key",
    intro(letter.productName),
    `    ${letter.key}`,
    `${unchanged} ${stepSentence(letter, next)}`,
    ...stepLines(letter),
  ],
};

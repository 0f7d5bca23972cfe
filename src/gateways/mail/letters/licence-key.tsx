import { StepButton, stepLines, stepSentence } from "./next-step";
import { Copyable, Heading, Paragraph } from "./parts";
import type { Writing } from "./writing";

const intro = (productName: string) => `You asked for your ${productName} license key again. Here it is:`;
const next = "If you have not used it yet, register an account with it.";
const notYou =
  "If you did not ask for it, you don't need to do anything: the key was sent to this address only.";

export const licenceKey: Writing<"licence-key"> = {
  subject: ({ productName }) => `Your ${productName} license key`,
  preview: () => "The key you asked for is inside.",
  body: (letter) => (
    <>
      <Heading>Your license key</Heading>
      <Paragraph>{intro(letter.productName)}</Paragraph>
      <Copyable>{letter.key}</Copyable>
      <Paragraph>{stepSentence(letter, next)}</Paragraph>
      <StepButton next={letter} />
      <Paragraph quiet>{notYou}</Paragraph>
    </>
  ),
  text: (letter) => [
    "Your license key",
    intro(letter.productName),
    `    ${letter.key}`,
    stepSentence(letter, next),
    ...stepLines(letter),
    notYou,
  ],
};
